/** Maximum time for which a response may be cached, in seconds. */
export const MAX_CACHE_TTL_S = 86_400;
export const DEFAULT_CACHE_TTL_S = 300;

/** Where a response comes from. Times in milliseconds. */
export interface CacheSource {
  readonly isHit: boolean;
  /** Age of the cached response; 0 = the call is still running. */
  readonly ageMs: number;
  /** The remaining time to live of the cached response. */
  readonly ttlMs: number;
}

/** The use of the response cache by a call. */
export interface CacheUse {
  /** How long the response is cached, and the maximum age of a response that may be reused. */
  readonly ttlMs: number;
  /** Whether the response replaces a cached one. */
  readonly refreshes: boolean;
  /** Called once it is known where the response comes from; undefined = there is none. */
  report(source: CacheSource | undefined): void;
}
