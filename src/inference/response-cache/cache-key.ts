import { createHash } from 'node:crypto';
import type { Principal } from '../../kernel/principal.js';

/** The properties by which the cache distinguishes requests. */
export interface CachedRequest {
  /** The format of the request. */
  readonly format: string;
  /** A stream and a complete response to the same request are cached separately. */
  readonly isStream: boolean;
  readonly members: Readonly<Record<string, unknown>>;
  /** Members that do not change the response, such as the caller's identity. */
  readonly ignored: ReadonlySet<string>;
  /** Other values that change the response, in a fixed order. */
  readonly terms: readonly unknown[];
  /** The request as received, if available, because parsing shortens long numbers. */
  readonly bytes?: Buffer;
}

/** A number of 16 or more digits may lose digits when it is parsed. */
const LONG_NUMBER = /\d{16}/;

/**
 * The cache key of a request, equal only for equal requests of one API key. The order of the request's own members is
 * ignored, but the order inside their values counts. `credentials`: the ids of the caller's own credentials, which may
 * serve the call. The cache key includes the API key's allowed models, because a reused response is not checked against
 * them.
 */
export function cacheKeyOf(
  { keyHash, allowedModels }: Pick<Principal, 'keyHash' | 'allowedModels'>,
  credentials: readonly string[],
  { format, isStream, members, ignored, terms, bytes }: CachedRequest,
): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([keyHash, allowedModels, credentials, format, isStream, terms]));
  for (const name of Object.keys(members).toSorted())
    if (!ignored.has(name)) hash.update(`\n${JSON.stringify(name)}:${JSON.stringify(members[name])}`);
  if (bytes && LONG_NUMBER.test(bytes.toString('latin1'))) hash.update('\n').update(bytes);
  return `${keyHash} ${hash.digest('base64')}`;
}
