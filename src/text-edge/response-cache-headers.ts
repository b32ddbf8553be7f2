import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { DEFAULT_CACHE_TTL_S, MAX_CACHE_TTL_S, type CacheSource, type CacheUse } from '../kernel/cache-use.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import type { Principal } from '../kernel/principal.js';

const WHOLE_NUMBER = /^\d{1,9}$/;

/** Whether to use the response cache, by the values of X-OpenRouter-Cache. */
const USES: Readonly<Record<string, boolean>> = { true: true, bypass: false, false: false };

/**
 * Returns how a call uses the response cache; undefined = the cache is not used. The request's headers take precedence
 * over the key. Throws invalid_request if a header is invalid.
 */
export function cacheUseOf(
  headers: IncomingHttpHeaders,
  response: ServerResponse,
  { responseCacheTtlS }: Principal,
): CacheUse | undefined {
  const given = headers['x-openrouter-cache'];
  if (given === undefined && responseCacheTtlS === undefined) return undefined;
  const isUsed = given === undefined || USES[String(given).trim().toLowerCase()];
  if (isUsed === undefined) throw invalidRequest('X-OpenRouter-Cache must be true or bypass');
  const ttlS = secondsOf(headers['x-openrouter-cache-ttl']) ?? responseCacheTtlS ?? DEFAULT_CACHE_TTL_S;
  if (!isUsed) return undefined;
  return {
    ttlMs: ttlS * 1_000,
    refreshes: String(headers['x-openrouter-cache-clear']).toLowerCase() === 'true',
    report: (source) => report(response, source),
  };
}

function secondsOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = String(header).trim();
  const seconds = WHOLE_NUMBER.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > MAX_CACHE_TTL_S)
    throw invalidRequest(`X-OpenRouter-Cache-TTL must be a whole number of seconds from 1 to ${MAX_CACHE_TTL_S}`);
  return seconds;
}

/**
 * Reports the use of the cache in headers. Does nothing if the response has started, for example with a comment in a
 * stream that starts slowly.
 */
function report(response: ServerResponse, source: CacheSource | undefined): void {
  if (response.headersSent) return;
  for (const name of ['status', 'age', 'ttl']) response.removeHeader(`x-openrouter-cache-${name}`);
  if (!source) return;
  response.setHeader('x-openrouter-cache-status', source.isHit ? 'HIT' : 'MISS');
  if (source.isHit) response.setHeader('x-openrouter-cache-age', Math.floor(source.ageMs / 1_000));
  response.setHeader('x-openrouter-cache-ttl', Math.ceil(source.ttlMs / 1_000));
}
