import { Injectable } from '@nestjs/common';
import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import type { EmbeddingCall, EmbeddingInput, EmbeddingResponse } from '../../providers/ports/embedding-adapter.port.js';
import type { Principal } from '../../kernel/principal.js';
import { AdapterRegistry } from '../adapter-registry.js';
import { InferencePipeline, type BilledResponse } from '../call.js';
import { CachedCompletions } from '../response-cache/cached-completions.js';
import type { MadeResponse } from '../response-cache/shared-response.js';
import { parseTextPreferences, type ProviderPreferences } from '../provider-preferences.js';
import type {
  Attempt,
  Charge,
  CompleteResponse,
  InferenceContext,
  PlannedEndpoint,
  PreparedRequest,
  ResponseEnd,
  Task,
  UnsupportedReason,
} from '../task.js';
import { readEmbeddingInput, type EmbeddingInputs } from '../text/embedding-input.js';
import { RequestTask } from './request-task.js';
import { endUserHash } from '../text/end-user-hash.js';
import type { CachedRequest } from '../response-cache/cache-key.js';
import { explainRefusal } from '../text/explain-refusal.js';
import { chargeText } from '../text/text-charge.js';
import { measuredTokens, measureEmbeddingInput, type TextMeasure } from '../../formats/measure.js';
import { TokenCounter } from '../text/token-counter.js';
import { readEmbeddingsUsage } from '../../formats/usage-readers.js';
import { worstCaseOf, type WorstCase } from '../text/worst-case.js';

/** The members of an embeddings request that the gateway reads. The DTO has validated all except `input`. */
interface EmbeddingRequestBody {
  readonly input: unknown;
  readonly model: string;
  readonly dimensions?: number | null;
  readonly input_type?: string | null;
  readonly provider?: object | null;
  readonly user?: string;
}

interface EmbeddingRequest extends EmbeddingInputs {
  readonly model: string;
  readonly dimensions?: number;
  readonly inputType?: string;
  /** A keyed hash of the end user's id, for vendors. */
  readonly endUser?: string;
  readonly measure: TextMeasure;
  readonly preferences: ProviderPreferences;
}

export interface EmbeddingResult {
  /** The id of the model. */
  readonly model: string;
  /** The display name of the provider. */
  readonly provider: string;
  readonly vectors: EmbeddingResponse['vectors'];
}

/**
 * Converts inputs (texts, token ids or media) to vectors. A call is settled when the complete response of the vendor is
 * in memory. If a model fails, there is no fallback to another model, because vectors of different models cannot be
 * compared.
 */
@Injectable()
export class EmbeddingInference {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly adapters: AdapterRegistry,
    private readonly counter: TokenCounter,
    private readonly completions: CachedCompletions,
  ) {}

  embed(body: EmbeddingRequestBody, context: InferenceContext): Promise<BilledResponse<EmbeddingResult>> {
    const request = toEmbeddingRequest(body, context.caller);
    if (!context.cache || !this.completions.isOn) return this.#embed(request, context);
    const make = (shared: InferenceContext) => this.#makeReusable(request, shared);
    return this.completions.complete(
      { modality: 'embeddings', request: cachedRequest(body), explain: explainRefusal, make },
      context,
    );
  }

  #embed(request: EmbeddingRequest, context: InferenceContext): Promise<BilledResponse<EmbeddingResult>> {
    return this.pipeline.complete(new EmbeddingTask(request, this.adapters, this.counter), context);
  }

  async #makeReusable(request: EmbeddingRequest, context: InferenceContext): Promise<MadeResponse<EmbeddingResult>> {
    const own = await this.#embed(request, context);
    return { own, reusable: { bytes: bytesOf(own.content), contentFor: () => own.content } };
  }
}

/**
 * The members of the cache key. `encoding_format` is not one of them, because vectors are cached as the vendor sent
 * them and converted for each caller.
 */
function cachedRequest({ input, model, dimensions, input_type, provider }: EmbeddingRequestBody): CachedRequest {
  const members = { input, model, dimensions, input_type, provider };
  return { format: 'embeddings', isStream: false, members, ignored: NONE_IGNORED, terms: [] };
}

const NONE_IGNORED: ReadonlySet<string> = new Set();
const NUMBER_BYTES = 8;

const bytesOf = ({ vectors }: EmbeddingResult): number =>
  vectors.reduce((sum, vector) => sum + vector.length * (typeof vector === 'string' ? 1 : NUMBER_BYTES), 0);

function toEmbeddingRequest(body: EmbeddingRequestBody, { accountId }: Principal): EmbeddingRequest {
  return {
    ...readEmbeddingInput(body.input),
    model: body.model,
    dimensions: body.dimensions ?? undefined,
    inputType: body.input_type ?? undefined,
    endUser: body.user === undefined ? undefined : endUserHash(accountId, body.user),
    measure: measureEmbeddingInput(body.input),
    preferences: parseTextPreferences(body.provider ?? undefined),
  };
}

interface PreparedEmbeddings extends PreparedRequest {
  readonly worst: WorstCase;
  readonly prices: NonNullable<CatalogueEndpoint['tokenPrices']>;
  /** The time of the prices, in Unix milliseconds. */
  readonly at: number;
}

interface CompleteEmbeddings extends CompleteResponse<EmbeddingResult> {
  readonly report: Pick<EmbeddingResponse, 'usage' | 'upstreamId'>;
}

class EmbeddingTask extends RequestTask<EmbeddingRequest> implements Task<CompleteEmbeddings, PreparedEmbeddings> {
  readonly capability = 'embeddings';
  readonly wantsStream = false;
  readonly isCommitted = false;

  get promptTokens(): number {
    return measuredTokens(this.request.measure);
  }

  promptMembers(): { readonly input: readonly EmbeddingInput[] } {
    return { input: this.request.inputs };
  }

  unsupportedReason(endpoint: CatalogueEndpoint, model: CatalogueModel): UnsupportedReason | undefined {
    const { modalities, dimensions, preferences } = this.request;
    const missing = modalities.find((modality) => !model.inputModalities.includes(modality));
    if (missing !== undefined) return { unfit: `No endpoint of "${model.id}" supports input of type ${missing}` };
    if (preferences.requireParameters && dimensions !== undefined && !model.supportedParameters.includes('dimensions'))
      return { unfit: `No endpoint of "${model.id}" supports dimensions, and provider.require_parameters is true` };
    if (!endpoint.tokenPrices) return { unfit: `No endpoint of "${model.id}" is priced by tokens` };
    return 'unbounded' in this.#worstCase(endpoint, Date.now())
      ? `${model.id} has no context length that limits the cost of this request: send text only`
      : undefined;
  }

  prepare(endpoint: CatalogueEndpoint): PreparedEmbeddings {
    const at = Date.now();
    const worst = this.#worstCase(endpoint, at) as WorstCase;
    return { worst, worstCase: worst.price, prices: endpoint.tokenPrices!, at };
  }

  /**
   * The token limit of a model applies to each input. The maximum of a request with media is this limit times the
   * number of inputs. The maximum of other requests is computed from their texts and token ids.
   */
  #worstCase({ tokenPrices, textLimits }: CatalogueEndpoint, at: number): ReturnType<typeof worstCaseOf> {
    const { measure, modalities } = this.request;
    const { contextLength: own, maxPromptTokens: maxInputTokens = own, ...rest } = textLimits ?? {};
    const contextLength =
      maxInputTokens !== undefined && modalities.length > 0 ? maxInputTokens * measure.messages : undefined;
    return worstCaseOf(measure, { limits: { ...rest, contextLength }, prices: tokenPrices!, at });
  }

  async invoke(attempt: Attempt<PreparedEmbeddings>): Promise<CompleteEmbeddings> {
    const { endpoint, model } = attempt.planned;
    const { inputs, isSingle, dimensions, inputType, endUser } = this.request;
    const call: EmbeddingCall = { ...attempt.endpointCall, inputs, isSingle, dimensions, inputType, endUser };
    // The plan contains only endpoints whose adapter is registered.
    const { vectors, ...report } = await this.adapters.embeddings.get(endpoint.adapter!)!.embed(call);
    attempt.firstByte();
    const content = { model, provider: endpoint.providerName, vectors };
    return { content, report, output: { characters: 0 }, streamed: false };
  }

  explain(error: unknown, { prepared }: PlannedEndpoint<PreparedEmbeddings>): unknown {
    return explainRefusal(error, prepared.worst);
  }

  async charge(
    { planned: { prepared } }: Attempt<PreparedEmbeddings>,
    { report: { usage, upstreamId } }: CompleteEmbeddings,
    { isWhole, excessFactor }: ResponseEnd,
  ): Promise<Charge> {
    const { worst, prices, at } = prepared;
    const charge = await chargeText(
      {
        report: usage === undefined || usage === null ? undefined : readEmbeddingsUsage(usage),
        isWhole,
        sawOutput: true,
        promptTexts: () => textsOf(this.request.inputs),
        completionTexts: () => [],
      },
      { prices, at, worstCase: worst, excessFactor },
      this.counter,
    );
    const { prompt, cacheRead: cached } = charge.usage;
    return {
      usage: { tokens: { prompt, completion: 0, cached } },
      price: charge.price.price,
      promptPrice: charge.price.promptPrice,
      anomaly: charge.anomaly,
      facts: { upstreamId, usageEstimated: charge.isEstimated, mediaInputs: this.request.measure.images || undefined },
    };
  }
}

/** The texts of the inputs, for counting. Each token id is replaced by ' a', which has about one token. */
const textsOf = (inputs: readonly EmbeddingInput[]): string[] =>
  inputs.flatMap((input): string[] => {
    if (typeof input === 'string') return [input];
    return (input as readonly unknown[]).map((part) =>
      typeof part === 'number' ? ' a' : ((part as { text?: string }).text ?? ''),
    );
  });
