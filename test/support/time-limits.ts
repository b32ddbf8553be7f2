/**
 * Time limits of tests only end tests that hang. In CI, they are multiplied by this factor, because the machines can be
 * several times slower for an hour.
 */
export const TIME_LIMIT_FACTOR = process.env['CI'] ? 4 : 1;
