/** A parameter of an SQL statement. Its value is computed when the statement is sent. */
interface LateParameter {
  readonly toPostgres: () => number | null;
}

/**
 * The milliseconds until `until`, a time of performance.now(): null if `until` is Infinity, 0 if it has passed. Time
 * that is spent waiting for a connection reduces the value, because it is computed when the statement is sent.
 */
export const timeLeftMs = (until: number): LateParameter => ({
  toPostgres: () => (until === Infinity ? null : Math.max(0, Math.floor(until - performance.now()))),
});
