/** Seconds for Retry-After: at least one. `ms` = how long the cause lasts. */
export const retryAfterSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
