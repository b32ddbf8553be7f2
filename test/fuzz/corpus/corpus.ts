import { HOSTILE_CHATS } from '../requests/hostile-chats.js';
import { oddChats } from './chats.js';
import {
  bodiesOfEveryRoute,
  bodiesToVendors,
  membersOfEveryRoute,
  pathsOfEveryRoute,
  queriesOfEveryRoute,
} from './every-route.js';
import { heads, pages } from './heads-and-queries.js';
import { talks, uploads } from './interns-and-files.js';
import type { KeptRequests } from './kept-request.js';
import { largeBodies } from './large-bodies.js';
import { dates, numbers } from './numbers-and-dates.js';
import { shapes } from './shapes.js';
import { texts, tokensAndVoices } from './texts.js';

/** All kept requests, grouped by their topic. When a fault is found, add its request here. */
export const CORPUS: Readonly<Record<string, KeptRequests>> = {
  'texts that a store or a vendor cannot take': texts,
  'depths, objects and members that change prototypes': shapes,
  'numbers beyond what a field holds': numbers,
  'dates that do not exist': dates,
  'limits, offsets and cursors of lists': pages,
  'headers, paths and queries that cannot be parsed': heads,
  'texts that are costly to count or to speak': tokensAndVoices,
  'queries of every route': queriesOfEveryRoute,
  'path parameters of every route': pathsOfEveryRoute,
  'a value of another kind in every documented member': membersOfEveryRoute,
  'costly bodies of every route': bodiesOfEveryRoute,
  'costly values that go to a vendor': bodiesToVendors,
  'bodies of 25 MB': largeBodies,
  'talks to an intern': talks,
  'contents of uploads': uploads,
  ...Object.fromEntries(Object.keys(HOSTILE_CHATS).map((kind) => [`chats with ${kind}`, () => oddChats(kind)])),
};
