/** Thrown if the database is reachable but not usable. The message names the problem and the remedy in one sentence. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError';
}
