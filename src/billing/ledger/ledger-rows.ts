import type { Nano } from '../../kernel/money.js';
import type { GenerationDetail } from '../../usage/generation-detail.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { compositeArrayText, elementText, type CompositeRow } from './composite-text.js';
import { USAGE_COLUMNS } from './sql/closed-calls.sql.js';
import { DETAIL_COLUMNS } from './sql/detail.sql.js';

export type RefusalReason =
  | 'insufficient_credits'
  | `${'key' | 'parent'}_${'limit' | 'disabled' | 'expired' | 'unknown'}`
  | 'lease_lost'
  | 'budget';

export interface Refusal {
  readonly reason: RefusalReason;
  /** The amount that is left of the credits, the limit or the budget that refused; absent for other reasons. */
  readonly remaining?: Nano;
  /** Whether a service may hold idle credits on a lease, which a recall would free. */
  readonly isLent?: boolean;
  /** Set if a budget refused: its number, and its limit at that time in nano-dollars. */
  readonly budget?: { readonly no: number; readonly limit: Nano };
}

export interface OutcomeRow<Outcome> {
  readonly r: string;
  readonly outcome: Outcome;
}

/**
 * Adds the outcomes that a statement omits. Statements return only items whose outcome is not `defaultOutcome`, usually
 * none. The ledger's functions must therefore have an outcome for every item of a batch, which the specs with random
 * batches check.
 */
export function outcomesOf<Outcome>(
  ids: readonly string[],
  unusual: readonly OutcomeRow<Outcome>[],
  defaultOutcome: Outcome,
): Outcome[] {
  const outcomes = new Map(unusual.map(({ r, outcome }) => [r, outcome]));
  return ids.map((id) => outcomes.get(id) ?? defaultOutcome);
}

/**
 * Parses a refusal of the database: a reason and the amount that the limit still covers. For a budget, its number and
 * its limit follow. The last word is "lent" if credits can be recalled.
 */
export function readRefusal(text: string): Refusal {
  const [reason, remaining, ...more] = text.split(' ') as [RefusalReason, string | undefined, ...string[]];
  if (remaining === undefined) return { reason };
  const budget = reason === 'budget' ? { no: Number(more[0]), limit: BigInt(more[1]!) } : undefined;
  return {
    reason,
    remaining: BigInt(remaining),
    ...(budget && { budget }),
    ...(more.at(-1) === 'lent' && { isLent: true }),
  };
}

/**
 * A record as a value of the type ledger_usage. The vendor's charge is null if it equals the recorded cost, because
 * null takes no space and readers then use the cost.
 */
export const usageRow = (record: GenerationRecord | null, cost: Nano): CompositeRow =>
  record &&
  USAGE_COLUMNS.map((column) =>
    column === 'upstream_cost' && record.upstream_cost === cost.toString() ? null : record[column],
  );

/** The detail of a record as a value of the type ledger_detail. */
export const detailRow = (record: GenerationRecord | null): CompositeRow => {
  const detail = record?.detail;
  return detail ? DETAIL_COLUMNS.map((column) => detail[column]) : null;
};

/** The details of a batch; null if no record has one. */
export function detailsText(records: readonly (GenerationRecord | null)[]): string | null {
  return records.some((record) => record?.detail) ? compositeArrayText(records.map(detailRow)) : null;
}

/** The tags of a batch's calls by the ids of its items, as the text of a JSON object; null if no call has tags. */
export function tagsText(
  items: readonly { readonly id: string; readonly tags?: GenerationDetail['tags'] }[],
): string | null {
  const tagged = items.filter(({ tags }) => tags);
  return tagged.length > 0 ? JSON.stringify(Object.fromEntries(tagged.map(({ id, tags }) => [id, tags]))) : null;
}

/** A record, its detail and its tags, as elements of PostgreSQL array texts. */
export const recordTexts = (
  record: GenerationRecord | null,
  cost: Nano,
): { readonly usage: string; readonly detail: string; readonly tags?: GenerationDetail['tags'] } => ({
  usage: elementText(usageRow(record, cost)),
  detail: elementText(detailRow(record)),
  ...(record?.detail?.tags && { tags: record.detail.tags }),
});
