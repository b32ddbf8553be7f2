import type { AccessClass } from '../kernel/access/access-matrix.js';
import { forbidden, unauthenticated, type GatewayError } from '../kernel/errors/errors.js';

/** The hashes of the keys that a session acts with; equal where it has one key only. */
export interface SessionKeys {
  readonly main: string;
  /** For inference and interns; null for a role that makes no calls. */
  readonly calls: string | null;
}

/** A session uses its second key for everything that spends. */
const CALLS: ReadonlySet<AccessClass> = new Set<AccessClass>(['images', 'speech', 'text', 'interns', 'own-intern']);

/** The key with which a session calls a route. Throws a 403 for a call of a role that makes none. */
export function keyOfSession({ main, calls }: SessionKeys, accessClass: AccessClass): string {
  if (!CALLS.has(accessClass)) return main;
  if (calls === null) throw forbidden('Your role makes no calls: an owner or an admin of the account can change it');
  return calls;
}

/** The refusal where that key does not exist any more. */
export const sessionWithoutKey = ({ main, calls }: SessionKeys, accessClass: AccessClass): GatewayError =>
  CALLS.has(accessClass) && calls !== main
    ? forbidden("The key of this session's calls was deleted: choose a workspace for the session to get another one")
    : unauthenticated('This session has ended, because its API key was deleted: sign in again');
