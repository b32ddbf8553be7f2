import { notFound } from '../../../kernel/errors/errors.js';
import type { SecretValue } from '../../../kernel/secret-value.js';
import { unsendableReason } from '../../ports/endpoint-adapter.js';
import type { EndpointName, FindBaseUrl, ReportedUsage } from '../../ports/endpoint-call.js';
import { membersOf, textOf, type Members } from '../../../formats/members.js';
import {
  RerankAdapter,
  type RankedDocument,
  type RerankCall,
  type VendorRanking,
} from '../../ports/rerank-adapter.port.js';
import { responseMembers } from '../../../formats/response-members.js';
import type { VendorClient } from '../../wire/vendor-client.js';
import { badResponse } from '../../../formats/bad-response.js';
import { vendorHeaders } from '../../wire/vendor-request.js';

/** Vendors of this protocol, and their addresses unless `<SLUG>_BASE_URL` is set. */
const BASE_URLS: ReadonlyMap<string, string> = new Map([['cohere', 'https://api.cohere.com/v2']]);
const MAX_RESPONSE_BYTES = 16_777_216;

/**
 * Ranking by `/rerank`, in the protocol of the vendors in BASE_URLS. Source: https://docs.cohere.com/reference/rerank
 */
export class ListedRerankAdapter extends RerankAdapter {
  readonly name = 'rerank';

  constructor(
    private readonly client: VendorClient,
    private readonly baseUrlOf: FindBaseUrl,
  ) {
    super();
  }

  override unreachableReason(endpoint: EndpointName): string | undefined {
    return this.#baseUrl(endpoint) === undefined
      ? `This service does not know how to reach provider ${endpoint.provider}`
      : undefined;
  }

  override credentialReason({ provider }: EndpointName, credential: SecretValue): string | undefined {
    return unsendableReason(provider, credential.reveal());
  }

  async rerank(call: RerankCall): Promise<VendorRanking> {
    const { upstreamModel, query, documents, topN, credential } = call;
    const baseUrl = this.#baseUrl(call);
    if (baseUrl === undefined) throw notFound(this.unreachableReason(call)!);
    const response = await this.client.post({
      baseUrl,
      path: '/rerank',
      headers: vendorHeaders('application/json', credential),
      body: JSON.stringify({ ...call.options, model: upstreamModel, query, documents, top_n: topN }),
      secret: credential,
      signal: call.signal,
      timeoutMs: call.timeoutMs,
      channel: call.channel,
    });
    const { id, results, meta } = responseMembers(await response.bytes(MAX_RESPONSE_BYTES));
    return {
      results: resultsOf(results, documents.length).slice(0, topN),
      usage: usageOf(membersOf(meta)),
      upstreamId: textOf(id),
    };
  }

  #baseUrl({ provider, channel }: EndpointName): string | undefined {
    return channel?.baseUrl ?? this.baseUrlOf(provider) ?? BASE_URLS.get(provider);
  }
}

function resultsOf(results: unknown, count: number): RankedDocument[] {
  if (!Array.isArray(results) || results.length === 0 || results.length > count)
    throw badResponse('does not hold the ranking of the documents');
  const seen = new Set<number>();
  return results.map((result): RankedDocument => {
    const { index, relevance_score: score } = membersOf(result);
    const isPlace = Number.isSafeInteger(index) && (index as number) >= 0 && (index as number) < count;
    if (!isPlace || seen.has(index as number) || !Number.isFinite(score))
      throw badResponse('ranks a document that was not sent, or one twice');
    seen.add(index as number);
    return { index: index as number, score: score as number };
  });
}

function usageOf({ billed_units: billed, tokens }: Members): ReportedUsage {
  const { search_units: searchUnits, input_tokens: billedTokens } = membersOf(billed);
  const promptTokens = billedTokens ?? membersOf(tokens)['input_tokens'];
  return { searchUnits, ...(promptTokens === undefined ? {} : { promptTokens, completionTokens: 0 }) };
}
