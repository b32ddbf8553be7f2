import { adjustRequest, type AdjustableRequest, type AdjustedRequest, type AttemptTerms } from './adjusted-request.js';
import type { TextMeasure } from '../../formats/measure.js';
import { worstCaseOf, type WorstCase } from './worst-case.js';

/** The properties of a text request that its adaptation to an endpoint needs. */
interface AdaptableText extends AdjustableRequest {
  readonly measure: TextMeasure;
  readonly defaultMaxOutputTokens?: number;
}

/** A request adapted to one endpoint, and its maximum usage there. */
export interface AdaptedText {
  readonly changes: AdjustedRequest;
  readonly worst: WorstCase;
}

/** Returns the reason as a string if the endpoint cannot serve the request. The endpoint must be priced by tokens. */
export function adaptText(request: AdaptableText, terms: AttemptTerms): AdaptedText | string {
  const { format, measure, defaultMaxOutputTokens } = request;
  const { endpoint, model, at } = terms;
  const { boundMember } = format;
  const { maxOutputTokens } = measure;
  const changes = adjustRequest(request, terms);
  if (typeof changes === 'string') return changes;
  const isLowered = changes.maxOutputTokens !== maxOutputTokens;
  const limits = {
    ...endpoint.textLimits,
    contextLength: endpoint.contextLength ?? (model.contextLength || undefined),
    maxPromptTokens: endpoint.maxPromptTokens,
    maxCompletionTokens: endpoint.maxCompletionTokens ?? model.maxCompletionTokens ?? undefined,
  };
  const worst = worstCaseOf(isLowered ? { ...measure, maxOutputTokens: changes.maxOutputTokens } : measure, {
    limits,
    prices: endpoint.tokenPrices!,
    at,
    defaultMaxOutputTokens,
  });
  if (!('unbounded' in worst)) return { changes, worst };
  return worst.unbounded === 'output'
    ? `${boundMember} is required: ${model.id} has no limit of its own`
    : `${model.id} has no context length that limits the cost of this request: send it without files and URLs`;
}
