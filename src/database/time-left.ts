/** A parameter of a statement whose value is computed when the statement is sent. */
interface LateParameter {
  readonly toPostgres: () => number | null;
}

/**
 * The milliseconds left until `until` (of performance.now(); Infinity = null), as a parameter. Computed when the
 * statement is sent: the wait for a connection counts. 0 if none are left.
 */
export const timeLeftMs = (until: number): LateParameter => ({
  toPostgres: () => (until === Infinity ? null : Math.max(0, Math.floor(until - performance.now()))),
});
