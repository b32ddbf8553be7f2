/** A parameter of a statement whose value is computed when the statement is sent. */
interface LateParameter {
  readonly toPostgres: () => number | null;
}

/**
 * The milliseconds left until `until`, on the clock of performance.now(), as a parameter; null if `until` is Infinity,
 * 0 if none are left. Computed when the statement is sent, so that the wait for a connection counts.
 */
export const timeLeftMs = (until: number): LateParameter => ({
  toPostgres: () => (until === Infinity ? null : Math.max(0, Math.floor(until - performance.now()))),
});
