import type { ErrorKind } from './errors.js';
import type { KeyClass } from './principal.js';

/** What a class of key meets on a route: it may pass, or it is refused in this way. */
export type Verdict = 'allow' | Extract<ErrorKind, 'unauthenticated' | 'forbidden' | 'not_found'>;

/** Who may call what: the table of wire-notes section 2, one row per access class. */
export const ACCESS = {
  /** Nobody needs a key: documentation and health only. */
  public: null,
  any: { standard: 'allow', management: 'allow', intern: 'allow' },
  images: { standard: 'allow', management: 'forbidden', intern: 'allow' },
  speech: { standard: 'allow', management: 'unauthenticated', intern: 'allow' },
  'byok-read': { standard: 'allow', management: 'allow', intern: 'unauthenticated' },
  /** Management operations that answer other keys 401: keys, end users, workspaces read, BYOK update and delete. */
  administration: { standard: 'unauthenticated', management: 'allow', intern: 'unauthenticated' },
  /** Management operations that answer other keys 403: analytics, files, activity, credits, BYOK create, workspaces write. */
  management: { standard: 'forbidden', management: 'allow', intern: 'forbidden' },
  /** Interns: an intern's own key meets 404 but for reading itself. */
  interns: { standard: 'allow', management: 'unauthenticated', intern: 'not_found' },
  /** Reads that an intern's own key may make of itself; the service narrows them. */
  'own-intern': { standard: 'allow', management: 'unauthenticated', intern: 'allow' },
} as const satisfies Record<string, Record<KeyClass, Verdict> | null>;

export type AccessClass = keyof typeof ACCESS;

/** Interns and their vaults are not served on regional hostnames (specification, POST /interns, rule 6). */
export const REFUSED_ON_REGIONAL_HOSTS: ReadonlySet<AccessClass> = new Set<AccessClass>(['interns', 'own-intern']);

/** Metadata key under which a route carries its access class; the guard in auth/ refuses a route without one. */
export const ACCESS_METADATA = 'gatehouse:access';
