/** Maximum time for which a response may be cached, in seconds. */
export const MAX_CACHE_TTL_S = 86_400;
export const DEFAULT_CACHE_TTL_S = 300;

/** Where a response comes from. Times in milliseconds. */
export interface CacheSource {
  readonly isHit: boolean;
  /** Age of the cached response; 0 if the call is new or still running. */
  readonly ageMs: number;
  /** The remaining time to live of the cached response. */
  readonly ttlMs: number;
}

/** The use of the response cache by a call. */
export interface CacheUse {
  /** The time for which the response is cached, and the maximum age of a response that may be reused. */
  readonly ttlMs: number;
  /** Whether to make a new call even if a response is cached, and to replace the cached response. */
  readonly refreshes: boolean;
  /**
   * Called when the source of the response is known. undefined withdraws an earlier report, because the call failed.
   */
  report(source: CacheSource | undefined): void;
}
