import { createHash } from 'node:crypto';
import type { Principal } from '../../kernel/principal.js';

/** A request as the cache tells it from others. */
export interface CachedRequest {
  /** The format of the request. */
  readonly format: string;
  /** A stream and a complete response of one request are kept apart. */
  readonly isStream: boolean;
  readonly members: Readonly<Record<string, unknown>>;
  /** Members that do not change the response: who calls, and what for. */
  readonly ignored: ReadonlySet<string>;
  /** Other values that change the response, in a fixed order. */
  readonly terms: readonly unknown[];
  /** The request as it arrived, where that is known: parsing shortens long numbers. */
  readonly bytes?: Buffer;
}

/** A number of more digits may lose some by parsing. */
const LONG_NUMBER = /\d{16}/;

/**
 * The key of a request: equal for equal requests of one API key only. The order of the members does not matter, their
 * contents do to the last byte. `credentials`: the ids of the caller's own, which may serve the call. A change of the
 * key's allowed models changes the key, because a reused response passes no plan.
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
