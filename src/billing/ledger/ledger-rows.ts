import type { Nano } from '../../kernel/money.js';
import type { GenerationRecord } from '../../usage/generation-record.js';

export type RefusalReason =
  'insufficient_credits' | `${'key' | 'parent'}_${'limit' | 'disabled' | 'expired' | 'unknown'}` | 'lease_lost';

export interface Refusal {
  readonly reason: RefusalReason;
  /** What the credits or the limit that refused still cover; absent where neither did. */
  readonly remaining?: Nano;
}

export interface OutcomeRow<Outcome> {
  readonly r: string;
  readonly outcome: Outcome;
}

/**
 * The statements return only items whose outcome differs from `defaultOutcome`, usually none. This requires that the
 * ledger's functions have an outcome for every item of a batch, which the specs with random batches check.
 */
export function outcomesOf<Outcome>(
  rows: readonly { r: string }[],
  unusual: readonly OutcomeRow<Outcome>[],
  defaultOutcome: Outcome,
): Outcome[] {
  const outcomes = new Map(unusual.map(({ r, outcome }) => [r, outcome]));
  return rows.map(({ r }) => outcomes.get(r) ?? defaultOutcome);
}

/** A refusal of the database: a reason, and behind a space what the limit still covers. */
export function toRefusal(text: string): Refusal {
  const [reason, remaining] = text.split(' ') as [RefusalReason, string | undefined];
  return remaining === undefined ? { reason } : { reason, remaining: BigInt(remaining) };
}

/**
 * Without the vendor's charge where it equals the recorded cost: null takes no space, and readers substitute the cost.
 * Without the detail, which goes to a table of its own.
 */
export function leanRecord(record: GenerationRecord | null, cost: Nano): object | null {
  const lean = record && record.upstream_cost === cost.toString() ? { ...record, upstream_cost: null } : record;
  return lean?.detail ? { ...lean, detail: undefined } : lean;
}
