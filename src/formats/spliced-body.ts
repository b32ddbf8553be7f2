import type { ForwardedText, RequestBody } from './vendor-text.js';
import {
  elementsOf,
  JsonSplice,
  KEPT,
  NO_CHANGES,
  jsonMembers,
  REMOVED,
  type JsonMember,
  type MemberChange,
} from './json/json-splice.js';

/** Members of a request that the gateway defines for every format. */
export const OWN_MEMBERS = [
  'models',
  'route',
  'provider',
  'plugins',
  'transforms',
  'session_id',
  'trace',
  'debug',
  'usage',
  'preset',
  'include_reasoning',
  'stop_server_tools_when',
  'image_config',
];

/** Changes of the caller's bytes: members to remove, replace and append. */
interface BodyChanges {
  readonly changes: ReadonlyMap<string, MemberChange>;
  /** Changes that are the same for every request. */
  readonly usual: ReadonlyMap<string, MemberChange>;
  /** Changes inside members. */
  readonly inside?: (splice: JsonSplice, members: readonly JsonMember[], request: RequestBody) => void;
}

export function splicedBody(sent: RequestBody, { changes, usual, inside }: BodyChanges): Buffer {
  const request = sent.rewritten ? withRewritten(sent) : sent;
  const { bytes } = request;
  const splice = new JsonSplice(bytes);
  const members = jsonMembers(bytes);
  splice.object(members, changes, 0, usual);
  inside?.(splice, members, request);
  const tools = Array.isArray(request.members['tools']) ? members.findLast(({ name }) => name === 'tools') : undefined;
  if (tools) dropHidden(splice, bytes, tools.valueStart);
  return splice.result();
}

const [OPEN_BRACE, OPEN_BRACKET] = [0x7b, 0x5b];
/** Members of tools that decide who runs the tools. */
const DECIDING = new Set(['tools', 'environment']);
const MAX_DEPTH = 8;

/** Removes duplicate members from tools. This service reads the last duplicate, but a vendor may read another one. */
function dropHidden(splice: JsonSplice, bytes: Buffer, from: number, depth = 0): void {
  const isList = bytes[from] === OPEN_BRACKET;
  for (const { start } of isList ? elementsOf(bytes, from) : [{ start: from }]) {
    if (bytes[start] !== OPEN_BRACE || depth > MAX_DEPTH) continue;
    const members = jsonMembers(bytes, start);
    splice.object(members, NO_CHANGES, start);
    for (const { name, valueStart } of members)
      if (DECIDING.has(name)) dropHidden(splice, bytes, valueStart, depth + 1);
  }
}

/** The request with the current values of the members in `rewritten` inserted into its bytes. */
function withRewritten(request: RequestBody): RequestBody {
  const { bytes, members, rewritten = [] } = request;
  const splice = new JsonSplice(bytes);
  const valueOf = (name: string): MemberChange =>
    members[name] === undefined ? REMOVED : JSON.stringify(members[name]);
  splice.object(jsonMembers(bytes), new Map(rewritten.map((name) => [name, valueOf(name)])));
  return { ...request, bytes: splice.result() };
}

/**
 * Changes for `BodyChanges.usual`. `kept`: members that the vendor must read exactly as the gateway does, even if the
 * vendor ignores the case of names.
 */
export const usualChanges = (kept: readonly string[], removed: readonly string[]): ReadonlyMap<string, MemberChange> =>
  new Map<string, MemberChange>([
    ...kept.map((name) => [name, KEPT] as [string, MemberChange]),
    ...removed.map((name) => [name, REMOVED] as [string, MemberChange]),
  ]);

/** Sets the caller's options for the vendor as members of the body, except the names in `decided`. */
export function setOptions(
  changes: Map<string, MemberChange>,
  { options }: ForwardedText,
  decided: readonly string[],
): void {
  for (const name in options) {
    const value = options[name];
    if (value !== undefined && !decided.includes(name)) changes.set(name, JSON.stringify(value));
  }
}

/**
 * Replaces the caller's tier by the tier of the endpoint. `vendorChoices`: values that let the vendor choose the tier.
 * They are not replaced.
 */
export function setTier(
  changes: Map<string, MemberChange>,
  { request: { members }, serviceTier }: ForwardedText,
  vendorChoices: ReadonlySet<unknown>,
): void {
  const { service_tier: tier } = members;
  if (tier !== undefined && tier !== serviceTier && !vendorChoices.has(tier))
    changes.set('service_tier', serviceTier === undefined ? REMOVED : JSON.stringify(serviceTier));
}
