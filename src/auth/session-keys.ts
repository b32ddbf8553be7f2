import type { AccessClass } from '../kernel/access/access-matrix.js';
import { forbidden, unauthenticated, type GatewayError } from '../kernel/errors/errors.js';

/** The hashes of the keys with which a session acts. They are equal if the session has only one key. */
export interface SessionKeys {
  readonly main: string;
  /** For inference and interns; null if the role may not make calls. */
  readonly calls: string | null;
}

/** The access classes of routes that spend. A session uses its key `calls` for these routes. */
const CALLS: ReadonlySet<AccessClass> = new Set<AccessClass>(['images', 'speech', 'text', 'interns', 'own-intern']);

/** The key with which a session calls a route. Throws a 403 for a call if the role may not make calls. */
export function keyOfSession({ main, calls }: SessionKeys, accessClass: AccessClass): string {
  if (!CALLS.has(accessClass)) return main;
  if (calls === null)
    throw forbidden('Your role may not make calls: an owner or an admin of the account can give you another role');
  return calls;
}

/** The error if the key with which the session would call the route no longer exists. */
export const sessionWithoutKey = ({ main, calls }: SessionKeys, accessClass: AccessClass): GatewayError =>
  CALLS.has(accessClass) && calls !== main
    ? forbidden("The key of this session's calls was deleted: choose a workspace for the session to get another one")
    : unauthenticated('This session has ended, because its API key was deleted: sign in again');
