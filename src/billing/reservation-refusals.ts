import type { ExhaustedLimit } from '../kernel/errors/error-facts.js';
import { GatewayError, type ErrorKind } from '../kernel/errors/errors.js';
import type { Refusal, RefusalReason } from './ledger/ledger-rows.js';

/** The error that each refusal of a reservation becomes: 402 where money is missing, 401 where the key may not call. */
const REFUSALS: Record<RefusalReason, readonly [ErrorKind, string]> = {
  insufficient_credits: [
    'insufficient_credits',
    'Insufficient credits: the account does not cover the most this request can cost. Add credits or ask for less.',
  ],
  key_limit: [
    'insufficient_credits',
    "The key's spending limit does not cover the most this request can cost. Raise the limit or wait for its reset.",
  ],
  key_disabled: ['unauthenticated', 'This API key is disabled'],
  key_expired: ['unauthenticated', 'This API key has expired'],
  key_unknown: ['unauthenticated', 'Invalid API key'],
  parent_limit: [
    'insufficient_credits',
    'The spending limit of the key that created this intern does not cover the most this request can cost.',
  ],
  parent_disabled: ['unauthenticated', 'The API key that created this intern is disabled'],
  parent_expired: ['unauthenticated', 'The API key that created this intern has expired'],
  parent_unknown: ['unauthenticated', 'The API key that created this intern was deleted'],
  lease_lost: ['provider_timeout', 'The call took too long and was given up'],
};

const EXHAUSTED: Partial<Record<RefusalReason, ExhaustedLimit['limit']>> = {
  insufficient_credits: 'credits',
  key_limit: 'key_limit',
  parent_limit: 'parent_limit',
};

/** The error for a refused reservation, with the limit that refused it and what remains of it. */
export function toRefusal({ reason, remaining }: Refusal): GatewayError {
  const limit = EXHAUSTED[reason];
  const details = limit && remaining !== undefined ? { facts: { exhausted: { limit, remaining } } } : {};
  return new GatewayError(...REFUSALS[reason], details);
}
