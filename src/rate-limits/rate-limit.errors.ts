import { GatewayError } from '../kernel/errors/errors.js';
import { retryAfterSeconds } from '../kernel/errors/retry-after.js';
import type { RateCount, RateRule } from './rate-counters.port.js';

type Points = Pick<RateRule, 'points'>;
type Left = Pick<RateCount, 'remaining' | 'resetInMs'>;

const headersOf = (suffix: string, { points }: Points, { remaining, resetInMs }: Left, now: Date) => ({
  [`X-RateLimit-Limit${suffix}`]: String(points),
  [`X-RateLimit-Remaining${suffix}`]: String(remaining),
  [`X-RateLimit-Reset${suffix}`]: String(now.getTime() + resetInMs),
});

/** Rate-limit headers; the reset is Unix time in milliseconds. */
export const rateHeaders = (rule: Points, count: Left, now: Date): Record<string, string> =>
  headersOf('', rule, count, now);

/** Rate-limit headers for tokens; the reset is Unix time in milliseconds. */
export const tokenRateHeaders = (rule: Points, count: Left, now: Date): Record<string, string> =>
  headersOf('-Tokens', rule, count, now);

export function rateLimited(message: string, rule: RateRule, count: RateCount, now: Date): GatewayError {
  const seconds = retryAfterSeconds(count.resetInMs);
  return new GatewayError(
    'rate_limited',
    `${message}: at most ${rule.points} in ${rule.seconds} seconds. Try again in ${seconds} seconds.`,
    {
      headers: { ...rateHeaders(rule, count, now), 'Retry-After': String(seconds) },
    },
  );
}
