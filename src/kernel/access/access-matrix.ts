import type { ErrorKind } from '../errors/errors.js';
import type { KeyClass } from '../principal.js';

/** The outcome for a key class on a route: allowed, or the kind of refusal. */
export type Verdict = 'allow' | Extract<ErrorKind, 'unauthenticated' | 'forbidden' | 'not_found'>;

/** Who may call what: one row per access class. */
export const ACCESS = {
  /** No key is needed, for example for documentation, health, sign-in, image links and OAuth. */
  public: null,
  any: { standard: 'allow', management: 'allow', intern: 'allow' },
  images: { standard: 'allow', management: 'forbidden', intern: 'allow' },
  speech: { standard: 'allow', management: 'unauthenticated', intern: 'allow' },
  /** Generated text, embeddings, rankings and transcriptions. */
  text: { standard: 'allow', management: 'unauthenticated', intern: 'allow' },
  'byok-read': { standard: 'allow', management: 'allow', intern: 'unauthenticated' },
  /**
   * Management operations that refuse other keys with 401, for example managing keys and end users, reading workspaces,
   * and changing and deleting BYOK credentials.
   */
  administration: { standard: 'unauthenticated', management: 'allow', intern: 'unauthenticated' },
  /**
   * Management operations that refuse other keys with 403, for example analytics, files, activity, credits, creating
   * BYOK credentials, and creating, changing and deleting workspaces.
   */
  management: { standard: 'forbidden', management: 'allow', intern: 'forbidden' },
  /** Operations on all accounts. Other keys, and keys of other accounts than the operator's, get 404. */
  operator: { standard: 'not_found', management: 'allow', intern: 'not_found' },
  /**
   * Interns and vaults. An intern's own key gets 404. The routes that such a key may read have the class `own-intern`.
   */
  interns: { standard: 'allow', management: 'unauthenticated', intern: 'not_found' },
  /** Read operations on interns and vaults. The handler restricts an intern's own key to that intern. */
  'own-intern': { standard: 'allow', management: 'unauthenticated', intern: 'allow' },
} as const satisfies Record<string, Record<KeyClass, Verdict> | null>;

export type AccessClass = keyof typeof ACCESS;

/** Interns and their vaults are not served on regional hostnames. */
export const REFUSED_ON_REGIONAL_HOSTS: ReadonlySet<AccessClass> = new Set<AccessClass>(['interns', 'own-intern']);

/** Metadata key of a route's access class; the guard in auth/ refuses a route without an access class. */
export const ACCESS_METADATA = 'gatehouse:access';

/** The member of an operation in the OpenAPI document that names its access class. */
export const ACCESS_EXTENSION = 'x-access-class';
