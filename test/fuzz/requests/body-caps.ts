const MIB = 1_048_576;

/** Routes with large bodies. */
const LARGE = /^\/api\/v1\/(images|chat|messages|responses|completions|embeddings|rerank)/;

/** The maximum size of a route's body in bytes. */
export const capOf = (path: string): number =>
  LARGE.test(path) ? 25 * MIB : path.startsWith('/api/v1/vault') ? 425_000 : MIB;

/** The space that a hostile value leaves for the members around it, in bytes. */
export const MEMBERS_BYTES = 2_000;
