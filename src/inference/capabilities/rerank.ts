import { Injectable } from '@nestjs/common';
import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import { priceOf, type Quantity } from '../../catalogue/price.js';
import type { ReportedUsage } from '../../providers/ports/endpoint-call.js';
import type { RankedDocument } from '../../providers/ports/rerank-adapter.port.js';
import { AdapterRegistry } from '../adapter-registry.js';
import { InferencePipeline, type BilledResponse } from '../call.js';
import type { ProviderPreferences } from '../provider-preferences.js';
import type {
  Attempt,
  Charge,
  CompleteResponse,
  InferenceContext,
  ResponseEnd,
  Task,
  UnsupportedReason,
  Usage,
} from '../task.js';
import { TokenCounter } from '../text/token-counter.js';
import { chargeByLines, FRAME_TOKENS, type PreparedByLines } from '../usage-judgement.js';
import { whenReady } from '../when-ready.js';
import { RequestTask } from './request-task.js';

/** A document as the caller sent it: a text, a picture, or both. */
export interface RerankDocument {
  readonly text?: string;
  readonly image?: string;
}

export interface RerankRequest {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly RerankDocument[];
  readonly topN: number;
  readonly preferences: ProviderPreferences;
}

export interface Ranking {
  /** The id of the model. */
  readonly model: string;
  /** The display name of the provider. */
  readonly provider: string;
  readonly results: readonly RankedDocument[];
}

/**
 * Ranks documents by their relevance to a query, completely or not at all. If a model fails, there is no fallback to
 * another model.
 */
@Injectable()
export class RerankInference {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly adapters: AdapterRegistry,
    private readonly counter: TokenCounter,
  ) {}

  rerank(request: RerankRequest, context: InferenceContext): Promise<BilledResponse<Ranking>> {
    return this.pipeline.complete(new RerankTask(request, this.adapters, this.counter), context);
  }
}

interface CompleteRanking extends CompleteResponse<Ranking> {
  readonly reported: ReportedUsage | undefined;
  readonly upstreamId?: string;
}

class RerankTask extends RequestTask<RerankRequest> implements Task<CompleteRanking, PreparedByLines> {
  readonly capability = 'rerank';
  readonly wantsStream = false;
  readonly isCommitted = false;
  readonly #documents = this.request.documents.map(({ text = '' }) => text);
  readonly #maxUsage = maxRerankUsage(this.request.query, this.#documents);

  promptMembers(): { readonly input: readonly string[] } {
    return { input: [this.request.query, ...this.#documents] };
  }

  unsupportedReason(_: CatalogueEndpoint, { id }: CatalogueModel): UnsupportedReason | undefined {
    return this.request.documents.some(({ image }) => image !== undefined)
      ? { unfit: `No endpoint of "${id}" supports documents with images` }
      : undefined;
  }

  prepare({ pricing }: CatalogueEndpoint): PreparedByLines {
    return { maxUsage: this.#maxUsage, worstCase: priceOf(pricing, rerankQuantities(this.#maxUsage)) };
  }

  async invoke(attempt: Attempt<PreparedByLines>): Promise<CompleteRanking> {
    const { endpoint, model } = attempt.planned;
    const { query, topN } = this.request;
    // The plan contains only endpoints whose adapter is registered.
    const { results, usage, upstreamId } = await this.adapters.rerank
      .get(endpoint.adapter!)!
      .rerank({ ...attempt.endpointCall, query, documents: this.#documents, topN });
    attempt.firstByte();
    const content = { model, provider: endpoint.providerName, results };
    return { content, reported: usage, upstreamId, output: { characters: 0 }, streamed: false };
  }

  charge(
    attempt: Attempt<PreparedByLines>,
    { output, reported, upstreamId }: CompleteRanking,
    { excessFactor }: ResponseEnd,
  ): Charge | Promise<Charge> {
    const counted = (): Promise<Usage> => this.#counted();
    const charge = chargeByLines(attempt, { output, reported, quantities: rerankQuantities, excessFactor, counted });
    return whenReady([charge], ([charged]) => ({ ...charged!, facts: { ...charged!.facts, upstreamId } }));
  }

  async #counted(): Promise<Usage> {
    const texts = [this.request.query, ...this.#documents];
    const [first, ...rest] = await Promise.all(texts.map((text) => this.counter.count([text])));
    return rerankUsage({ query: first!.tokens, documents: rest.map(({ tokens }) => tokens) });
  }
}

/**
 * Vendors split longer documents into chunks of this many tokens, including the query, and bill each chunk as a
 * document.
 */
const TOKENS_PER_CHUNK = 500;
/** The minimum number of document tokens in a chunk, because vendors shorten the query to half of a chunk. */
const MIN_DOCUMENT_TOKENS_PER_CHUNK = 250;
const CHUNKS_PER_SEARCH_UNIT = 100;

/** The maximum usage of a request, computed from bytes, because no text has more tokens than bytes. */
function maxRerankUsage(query: string, documents: readonly string[]): Usage {
  const lengths = documents.map((text) => Buffer.byteLength(text));
  const { searchUnits, tokens } = rerankUsage({ query: Buffer.byteLength(query), documents: lengths });
  return { searchUnits, tokens: { ...tokens, prompt: tokens.prompt + FRAME_TOKENS } };
}

/** The usage of a request, computed from the tokens of its texts. */
function rerankUsage({ query, documents }: { readonly query: number; readonly documents: readonly number[] }): Usage {
  const left = Math.max(TOKENS_PER_CHUNK - query, MIN_DOCUMENT_TOKENS_PER_CHUNK);
  let chunks = 0;
  let prompt = 0;
  for (const tokens of documents) {
    chunks += Math.max(1, Math.ceil(tokens / left));
    prompt += tokens + query;
  }
  return { searchUnits: Math.ceil(chunks / CHUNKS_PER_SEARCH_UNIT), tokens: { prompt, completion: 0 } };
}

const MILLIONTHS = 1_000_000;

/** The quantities by which a ranking is priced. */
const rerankQuantities = ({ searchUnits = 0, tokens }: Usage): Quantity[] => [
  { billable: 'input_text', unit: 'search_unit', amount: Math.round(searchUnits * MILLIONTHS), perMillion: true },
  { billable: 'input_text', unit: 'token', amount: tokens.prompt },
];
