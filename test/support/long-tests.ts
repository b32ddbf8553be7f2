/** Whether tests run at full length (`npm run test:long`). */
export const LONG_TESTS = process.env.LONG_TESTS !== undefined;
