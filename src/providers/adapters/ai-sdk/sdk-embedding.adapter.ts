import { givenMembers } from '../../../kernel/given-members.js';
import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import type { Members } from '../../../formats/members.js';
import { invalidRequest, notFound } from '../../../kernel/errors/errors.js';
import {
  EmbeddingAdapter,
  type EmbeddingCall,
  type EmbeddingInput,
  type EmbeddingResponse,
} from '../../ports/embedding-adapter.port.js';
import type { EndpointName } from '../../ports/endpoint-call.js';
import { checkedVectors } from '../../wire/vectors.js';
import type { SdkCalls } from './sdk-calls.js';

/** Maximum number of vendor calls into which one call is split. The vendor calls are made one after another. */
const MAX_BATCHES = 100;

/** The options for a package, from `dimensions`, `input_type` and the end user. */
type OptionsOf = (call: EmbeddingCall) => Members;

/** Google's task types for common values of `input_type`. Other values are sent in upper case. */
const GOOGLE_TASKS: Readonly<Record<string, string>> = {
  search_query: 'RETRIEVAL_QUERY',
  query: 'RETRIEVAL_QUERY',
  search_document: 'RETRIEVAL_DOCUMENT',
  document: 'RETRIEVAL_DOCUMENT',
  passage: 'RETRIEVAL_DOCUMENT',
};
/** Cohere's input types for common values of `input_type`. Other values are sent unchanged. */
const COHERE_TYPES: Readonly<Record<string, string>> = {
  query: 'search_query',
  document: 'search_document',
  passage: 'search_document',
};

const named = (names: Readonly<Record<string, string>>, type: string | undefined): string | undefined =>
  type === undefined ? undefined : (names[type] ?? type);

const googleOptions: OptionsOf = ({ dimensions, inputType }) => ({
  outputDimensionality: dimensions,
  taskType: named(GOOGLE_TASKS, inputType)?.toUpperCase(),
});
const cohereOptions: OptionsOf = ({ dimensions, inputType }) => ({
  outputDimension: dimensions,
  inputType: named(COHERE_TYPES, inputType),
});

/** The options by package. Other packages are not supported. */
const OPTIONS: Readonly<Record<string, OptionsOf>> = {
  '@ai-sdk/amazon-bedrock': (call) => {
    const { upstreamModel, dimensions } = call;
    if (upstreamModel.includes('cohere.')) return cohereOptions(call);
    return upstreamModel.includes('nova') ? { embeddingDimension: dimensions } : { dimensions };
  },
  '@ai-sdk/azure': ({ dimensions, endUser }) => ({ dimensions, user: endUser }),
  '@ai-sdk/cohere': cohereOptions,
  '@ai-sdk/google': googleOptions,
  '@ai-sdk/google-vertex': googleOptions,
  '@ai-sdk/mistral': ({ dimensions }) => ({ outputDimension: dimensions }),
};

/** Embeddings of texts through a vendor's package of the Vercel AI SDK. */
export class SdkEmbeddingAdapter extends EmbeddingAdapter {
  readonly name = 'ai-sdk';

  constructor(private readonly calls: SdkCalls) {
    super(calls);
  }

  override unreachableReason(endpoint: EndpointName): string | undefined {
    const { package: name = '' } = endpoint;
    const reason = super.unreachableReason(endpoint);
    if (reason !== undefined || Object.hasOwn(OPTIONS, name)) return reason;
    return `The package ${name} has no embeddings that this service supports`;
  }

  async embed(call: EmbeddingCall): Promise<EmbeddingResponse> {
    const reason = this.unreachableReason(call);
    if (reason !== undefined) throw notFound(reason);
    const values = call.inputs.map(textOf);
    const { vendor: pack, provider } = await this.calls.open(call);
    if (!provider.embeddingModel) throw notFound(`The package ${call.package} has no embeddings`);
    const options = { ...OPTIONS[call.package!]!(call), ...call.options };
    const results = await this.calls.run(call, async () => {
      const model = provider.embeddingModel!(call.upstreamModel);
      const size = (await model.maxEmbeddingsPerCall) ?? Infinity;
      if (values.length > size * MAX_BATCHES)
        throw invalidRequest(`input must hold at most ${size * MAX_BATCHES} texts for the provider of this model.`);
      const results: Awaited<ReturnType<EmbeddingModelV4['doEmbed']>>[] = [];
      for (let from = 0; from < values.length; from += size)
        results.push(
          await model.doEmbed({
            values: values.slice(from, from + size),
            abortSignal: call.signal,
            providerOptions: { [pack.optionsKey]: givenMembers(options) as never },
          }),
        );
      return results;
    });
    const embeddings = results.flatMap((result) => result.embeddings);
    return { vectors: checkedVectors(embeddings, values.length), usage: usageOf(results.map(tokensOf)) };
  }
}

function textOf(input: EmbeddingInput): string {
  if (typeof input === 'string') return input;
  if (input.every((part) => typeof part === 'object' && part.type === 'text'))
    return input.map((part) => (part as { text: string }).text).join('\n');
  throw invalidRequest('input must be text for the provider of this model, not token ids or media.');
}

/** The tokens that the vendor reports; undefined if it reports none. */
function tokensOf({ usage, response }: Awaited<ReturnType<EmbeddingModelV4['doEmbed']>>): number | undefined {
  if (usage && Number.isFinite(usage.tokens)) return usage.tokens;
  const { usageMetadata } = (response?.body ?? {}) as { usageMetadata?: { promptTokenCount?: unknown } };
  const tokens = usageMetadata?.promptTokenCount;
  return typeof tokens === 'number' ? tokens : undefined;
}

/** The usage of all batches in the form of `/embeddings`; undefined if a batch has no report. */
function usageOf(tokens: readonly (number | undefined)[]): unknown {
  if (tokens.includes(undefined)) return undefined;
  const total = (tokens as readonly number[]).reduce((sum, count) => sum + count, 0);
  return { prompt_tokens: total, total_tokens: total };
}
