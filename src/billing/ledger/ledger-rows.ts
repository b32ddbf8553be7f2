import type { Nano } from '../../kernel/money.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { compositeArrayText, type CompositeRow } from './composite-text.js';

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
  ids: readonly string[],
  unusual: readonly OutcomeRow<Outcome>[],
  defaultOutcome: Outcome,
): Outcome[] {
  const outcomes = new Map(unusual.map(({ r, outcome }) => [r, outcome]));
  if (outcomes.size === 0) return ids.map(() => defaultOutcome);
  return ids.map((id) => outcomes.get(id) ?? defaultOutcome);
}

/** A refusal of the database: a reason, and behind a space what the limit still covers. */
export function toRefusal(text: string): Refusal {
  const [reason, remaining] = text.split(' ') as [RefusalReason, string | undefined];
  return remaining === undefined ? { reason } : { reason, remaining: BigInt(remaining) };
}

/**
 * A record as a value of the type ledger_usage. Without the vendor's charge where it equals the recorded cost: null
 * takes no space, and readers substitute the cost.
 */
export const usageRow = (record: GenerationRecord | null, cost: Nano): CompositeRow =>
  record && [
    record.upstream_cost === cost.toString() ? null : record.upstream_cost,
    record.workspace_no,
    record.model,
    record.provider,
    record.external_user,
    record.app,
    record.origin,
    record.finish_reason,
    record.tokens_prompt,
    record.tokens_completion,
    record.tokens_reasoning,
    record.tokens_cached,
    record.characters,
    record.latency_ms,
    record.duration_ms,
    record.status,
    record.images,
    record.modality,
    record.is_byok,
    record.streamed,
  ];

const jsonText = (value: object | null): string | null => value && JSON.stringify(value);

/** The detail of a record as a value of the type ledger_detail. */
export const detailRow = (record: GenerationRecord | null): CompositeRow => {
  const detail = record?.detail;
  if (!detail) return null;
  return [
    detail.cache_discount,
    detail.native_tokens_completion_images,
    detail.num_media_prompt,
    detail.num_input_audio_prompt,
    detail.cancelled,
    detail.usage_estimated,
    detail.native_finish_reason,
    detail.upstream_id,
    detail.request_id,
    detail.session_id,
    detail.user_agent,
    detail.http_referer,
    detail.title,
    detail.categories,
    detail.service_tier,
    detail.response_cache_source_id,
    jsonText(detail.provider_responses),
    jsonText(detail.price_lines),
  ];
};

/** The details of a batch; null where no record has one. */
export function detailsText(records: readonly (GenerationRecord | null)[]): string | null {
  return records.some((record) => record?.detail) ? compositeArrayText(records.map(detailRow)) : null;
}
