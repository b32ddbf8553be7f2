/**
 * Time limits of tests only end what is stuck. They are multiplied by this in CI, whose machines can be several times
 * slower for an hour.
 */
export const TIME_LIMIT_FACTOR = process.env['CI'] ? 4 : 1;
