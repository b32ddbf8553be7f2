import type { ExhaustedLimit } from '../kernel/errors/error-facts.js';
import { GatewayError, type ErrorKind } from '../kernel/errors/errors.js';
import { nanoToText, type Nano } from '../kernel/money.js';
import { type DescribedBudget, type ScopeMember } from './budget-scope.js';
import { resetAfter } from './budget-window.js';
import type { Refusal, RefusalReason } from './ledger/ledger-rows.js';

/**
 * The error for each refusal of a reservation: 402 if credits or a limit do not suffice, 401 if the key may not be
 * used, and a timeout if the reservation was lost.
 */
const REFUSALS: Record<Exclude<RefusalReason, 'budget'>, readonly [ErrorKind, string]> = {
  insufficient_credits: [
    'insufficient_credits',
    'Insufficient credits: the account does not cover the maximum cost of this request. Add credits, or ' +
      'send a smaller request.',
  ],
  key_limit: [
    'insufficient_credits',
    "The key's spending limit does not cover the maximum cost of this request. Raise the limit, or wait " +
      'until it resets.',
  ],
  key_disabled: ['unauthenticated', 'This API key is disabled'],
  key_expired: ['unauthenticated', 'This API key has expired'],
  key_unknown: ['unauthenticated', 'Invalid API key'],
  parent_limit: [
    'insufficient_credits',
    'The spending limit of the key that created this intern does not cover the maximum cost of this request.',
  ],
  parent_disabled: ['unauthenticated', 'The API key that created this intern is disabled'],
  parent_expired: ['unauthenticated', 'The API key that created this intern has expired'],
  parent_unknown: ['unauthenticated', 'The API key that created this intern was deleted'],
  lease_lost: ['provider_timeout', 'The call took too long and was cancelled'],
};

const EXHAUSTED: Partial<Record<RefusalReason, ExhaustedLimit['limit']>> = {
  insufficient_credits: 'credits',
  key_limit: 'key_limit',
  parent_limit: 'parent_limit',
};

/** The error for a refused reservation, with the limit that refused it and the amount that this limit still covers. */
export function refusalError({ reason, remaining }: Refusal): GatewayError {
  if (reason === 'budget') return new GatewayError('budget_exceeded', 'A budget was exceeded. Contact your org admin.');
  const limit = EXHAUSTED[reason];
  const details = limit && remaining !== undefined ? { facts: { exhausted: { limit, remaining } } } : {};
  return new GatewayError(...REFUSALS[reason], details);
}

const LEVELS: Record<ScopeMember, string> = {
  workspace: 'Workspace',
  user: 'Member',
  end_user: 'End user',
  tag: 'Tag',
  session: 'Session',
  key: 'Key',
  model: 'Model',
  provider: 'Provider',
  credential: 'Credential',
};

/** An amount with two decimals, or with all decimals if it is not a whole number of cents. */
const dollars = (amount: Nano): string =>
  amount % CENT === 0n ? (Number(amount / CENT) / 100).toFixed(2) : nanoToText(amount);

const CENT = 10_000_000n;

/**
 * The error for a call that a budget refused: 403 if the window is used up, 402 if the rest does not cover the call's
 * maximum cost. `at` = the start of the call.
 */
export function toBudgetRefusal(
  { remaining = 0n, budget }: Refusal,
  { level, interval }: DescribedBudget,
  at: Date,
): GatewayError {
  const limit = budget!.limit;
  const resetsAt = resetAfter(interval, at);
  const name = `${LEVELS[level]} ${interval} budget of $${dollars(limit)}`;
  const isUsedUp = remaining <= 0n;
  const message = isUsedUp
    ? `${name} exceeded. Contact your org admin.`
    : `${name} does not cover the maximum cost of this request. Send a smaller request, or contact your org admin.`;
  return new GatewayError(isUsedUp ? 'budget_exceeded' : 'insufficient_credits', message, {
    headers: { 'x-budget-level': level, ...(resetsAt && { 'x-budget-reset': resetsAt.toISOString() }) },
    facts: {
      budget: { level, interval, limit, remaining, resetsAt, name },
      ...(!isUsedUp && { exhausted: { limit: 'budget', remaining } }),
    },
  });
}
