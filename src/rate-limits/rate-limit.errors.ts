import { GatewayError } from '../kernel/errors/errors.js';
import type { RateCount, RateRule } from './rate-counters.port.js';

/** Rate-limit headers; the reset is Unix time in milliseconds. */
export const rateHeaders = (rule: RateRule, count: RateCount, now: Date): Record<string, string> => ({
  'X-RateLimit-Limit': String(rule.points),
  'X-RateLimit-Remaining': String(count.remaining),
  'X-RateLimit-Reset': String(now.getTime() + count.resetInMs),
});

export function rateLimited(message: string, rule: RateRule, count: RateCount, now: Date): GatewayError {
  const seconds = Math.max(1, Math.ceil(count.resetInMs / 1000));
  return new GatewayError(
    'rate_limited',
    `${message}: at most ${rule.points} in ${rule.seconds} seconds. Try again in ${seconds} seconds.`,
    {
      headers: { ...rateHeaders(rule, count, now), 'Retry-After': String(seconds) },
    },
  );
}
