import type { BilledResponse } from '../../inference/call.js';
import type { Ranking, RerankDocument, RerankRequest } from '../../inference/capabilities/rerank.js';
import { parseTextPreferences } from '../../inference/provider-preferences.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { RerankRequestBody } from './dto/rerank.request.dto.js';
import type { RerankResponse } from './dto/rerank.response.dto.js';

export function toRerankRequest({ model, query, documents, top_n: topN, provider }: RerankRequestBody): RerankRequest {
  return {
    model,
    query,
    documents: documents.map(documentOf),
    topN: Math.min(topN ?? documents.length, documents.length),
    preferences: parseTextPreferences(provider ?? undefined),
  };
}

/** A text, or an object with a text, an image or both. */
function documentOf(document: unknown, index: number): RerankDocument {
  if (typeof document === 'string') return { text: document };
  const { text, image } = (document ?? {}) as { readonly text?: unknown; readonly image?: unknown };
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
  if (!isText(text) || !isText(image) || (text === undefined && image === undefined))
    throw invalidRequest(`documents[${index}] must be a string, or an object with a string in text, image or both`);
  return { ...(text === undefined ? {} : { text }), ...(image === undefined ? {} : { image }) } as RerankDocument;
}

export function toRerankResponse(
  { generationId, content, used, tokens, cost }: BilledResponse<Ranking>,
  documents: readonly RerankDocument[],
): RerankResponse {
  const { model, provider, results } = content;
  return {
    id: generationId,
    model,
    provider,
    results: results.map(({ index, score }) => ({ index, relevance_score: score, document: documents[index]! })),
    usage: {
      cost: nanoToUsd(cost),
      ...(used.searchUnits === undefined ? {} : { search_units: Math.ceil(used.searchUnits) }),
      ...(tokens.prompt === 0 ? {} : { total_tokens: tokens.prompt }),
    },
  };
}
