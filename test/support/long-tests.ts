/** Whether tests run at full length (`npm run test:long`). */
export const LONG_TESTS = process.env.LONG_TESTS !== undefined;

/** A number of rounds; a quarter of it in a short run. */
export const rounds = (full: number): number => (LONG_TESTS ? full : Math.ceil(full / 4));
