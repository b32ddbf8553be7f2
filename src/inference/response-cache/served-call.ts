import type { AttemptBudget } from '../../billing/bill.js';
import type { CallFacts } from '../../kernel/call-facts.js';
import type { FinishReason } from '../../formats/conversation.js';
import { reservationOf } from '../attempts/attempts.js';
import type { Attempt, Charge, InferenceContext, PreparedRequest } from '../task.js';
import type { WorstCase } from '../text/worst-case.js';

/** Facts about a call whose response is reused, for the records and refusals of the calls that reuse it. */
export interface ServedCall {
  /** The public id of the generation of the call. */
  readonly generationId: string;
  /** The slug of the model. */
  readonly model: string;
  readonly provider: string;
  /** The reserved maximum cost of the call, and the credential that pays it. */
  readonly budget: AttemptBudget;
  readonly worst: WorstCase;
  /** The changes to the request of the call. */
  readonly adjusted?: readonly string[];
  readonly finishReason?: FinishReason;
  readonly facts: Pick<CallFacts, 'nativeFinishReason' | 'serviceTier' | 'upstreamId'>;
}

export function servedCallOf(attempt: Attempt, charge: Charge, context: InferenceContext): ServedCall {
  const { planned, generationId } = attempt;
  const { nativeFinishReason, serviceTier, upstreamId } = charge.facts ?? {};
  return {
    generationId,
    model: planned.model,
    provider: planned.endpoint.provider,
    budget: reservationOf(planned, context),
    // Only text and embeddings are cached, and their prepared requests have a worst case.
    worst: (planned.prepared as PreparedRequest & { readonly worst: WorstCase }).worst,
    adjusted: planned.prepared.adjusted,
    finishReason: charge.finishReason,
    facts: { nativeFinishReason, serviceTier, upstreamId },
  };
}
