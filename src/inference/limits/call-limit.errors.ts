import { GatewayError } from '../../kernel/errors/errors.js';
import { retryAfterSeconds } from '../../kernel/errors/retry-after.js';
import { rateHeaders, tokenRateHeaders } from '../../rate-limits/rate-limit.errors.js';
import type { LimitState } from '../../rate-limits/call-limit.js';
import type { NamedLimit } from './named-limits.js';

/** The time at which a call will end is unknown, so the shortest Retry-After is used. */
const RETRY_CONCURRENT = { 'Retry-After': '1' };

/** The refusal of a call because a limit is reached. */
export function limitReached(limit: NamedLimit, state: LimitState, now: Date): GatewayError {
  const { kind, max, points = 1, who, of } = limit;
  const refused = (message: string, headers?: Readonly<Record<string, string>>): GatewayError =>
    new GatewayError('rate_limited', message, { headers });
  const count = { remaining: Math.max(0, max - state.used), resetInMs: state.resetInMs };
  const seconds = retryAfterSeconds(count.resetInMs);
  const again = `Try again in ${seconds} seconds.`;
  const retryAfter = { 'Retry-After': String(seconds) };
  switch (kind) {
    case 'requests':
      return refused(`${who}: too many requests${of}, at most ${max} in 60 seconds. ${again}`, {
        ...rateHeaders({ points: max }, count, now),
        ...retryAfter,
      });
    case 'concurrent':
      return refused(
        `${who}: too many calls${of} at once, at most ${max}. Try again when one has ended.`,
        RETRY_CONCURRENT,
      );
    case 'tokens':
      return refused(
        `${who}: too many tokens${of}, at most ${max} in 60 seconds; ${state.used} are used and this prompt counts ` +
          `as ${points}. ${again}`,
        { ...tokenRateHeaders({ points: max }, count, now), ...retryAfter },
      );
    default:
      return refused(`${who} has made the ${max} calls that session_max_calls allows. Start another session.`);
  }
}
