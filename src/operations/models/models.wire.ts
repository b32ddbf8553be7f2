import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import { API_PREFIX } from '../../http/configure-server.js';
import type { EndpointPricing, ModelEndpoint, ModelEndpoints } from './dto/model-endpoints.response.dto.js';
import type { ModelArchitecture, ModelRecord } from './dto/models.response.dto.js';
import type { ModelsPage } from './models.page.js';

/** What may leave the building of a model. */
export function toModelRecord(model: CatalogueModel): ModelRecord {
  return {
    id: model.id,
    canonical_slug: model.canonicalSlug,
    name: model.name,
    description: model.description,
    created: model.created,
    context_length: model.contextLength,
    architecture: toArchitecture(model),
    pricing: { ...model.pricing },
    top_provider: {
      context_length: model.contextLength,
      max_completion_tokens: model.maxCompletionTokens,
      is_moderated: model.isModerated,
    },
    supported_parameters: [...model.supportedParameters],
    links: { details: `/${API_PREFIX}/models/${model.id}/endpoints` },
    default_parameters: model.defaultParameters ? { ...model.defaultParameters } : null,
    expiration_date: model.expirationDate,
    knowledge_cutoff: model.knowledgeCutoff,
    per_request_limits: model.perRequestLimits ? { ...model.perRequestLimits } : null,
    supported_voices: model.supportedVoices ? [...model.supportedVoices] : null,
  };
}

const toArchitecture = (model: CatalogueModel): ModelArchitecture => ({
  modality: `${model.inputModalities.join('+')}->${model.outputModalities.join('+')}`,
  input_modalities: [...model.inputModalities],
  output_modalities: [...model.outputModalities],
  instruct_type: model.instructType,
  tokenizer: model.tokenizer,
});

/** A model never changes once it is in the catalogue, so its text is made once. */
const texts = new WeakMap<CatalogueModel, string>();

function recordText(model: CatalogueModel): string {
  let text = texts.get(model);
  if (text === undefined) {
    text = JSON.stringify(toModelRecord(model));
    texts.set(model, text);
  }
  return text;
}

/** The list as JSON text, put together from the texts of its models. */
export const toListText = (page: ModelsPage): string =>
  `{"data":[${page.models.map(recordText).join(',')}],"total_count":${page.total},"links":{"next":${JSON.stringify(page.next)}}}`;

export const toModelText = (model: CatalogueModel): string => `{"data":${recordText(model)}}`;

export const toCountText = (count: number): string => JSON.stringify({ data: { count } });

export function toEndpointsText(model: CatalogueModel): string {
  const data: ModelEndpoints = {
    id: model.id,
    name: model.name,
    created: model.created,
    description: model.description,
    architecture: toArchitecture(model),
    endpoints: model.endpoints.map((endpoint) => toEndpoint(endpoint, model)),
  };
  return JSON.stringify({ data });
}

export function toZeroRetentionText(models: readonly CatalogueModel[]): string {
  const data = models.flatMap((model) =>
    model.endpoints
      .filter(({ zeroDataRetention }) => zeroDataRetention === true)
      .map((endpoint) => toEndpoint(endpoint, model)),
  );
  return JSON.stringify({ data });
}

function toEndpoint(endpoint: CatalogueEndpoint, model: CatalogueModel): ModelEndpoint {
  const own = Object.keys(endpoint.supportedParameters);
  const parameters = own.length > 0 ? own : [...model.supportedParameters];
  const choosesTools = parameters.includes('tool_choice');
  return {
    name: `${endpoint.providerName} | ${model.id}`,
    model_id: model.id,
    model_name: model.name,
    context_length: endpoint.contextLength ?? model.contextLength,
    pricing: toPricing(endpoint),
    provider_name: endpoint.providerName,
    tag: endpoint.tag,
    quantization: endpoint.quantization ?? null,
    max_completion_tokens: endpoint.maxCompletionTokens ?? model.maxCompletionTokens,
    max_prompt_tokens: endpoint.maxPromptTokens ?? null,
    supported_parameters: parameters,
    supports_tool_choice: { auto: choosesTools, function: choosesTools, none: choosesTools, required: choosesTools },
    uptime_last_30m: null,
    uptime_last_5m: null,
    uptime_last_1d: null,
    supports_implicit_caching: false,
    latency_last_30m: null,
    throughput_last_30m: null,
  };
}

/** "-1" where the price is unknown. */
function toPricing({ pricing, tokenPrices: tokens }: CatalogueEndpoint): EndpointPricing {
  if (pricing.length === 0 && !tokens) return { prompt: '-1', completion: '-1' };
  const perImage = pricing.find(
    (line) => line.billable === 'output_image' && line.unit === 'image' && line.variant === undefined,
  )?.costUsd;
  return {
    prompt: tokens?.prompt ?? '0',
    completion: tokens?.completion ?? '0',
    ...(perImage === undefined ? {} : { image: perImage }),
    ...(tokens?.cacheRead === undefined ? {} : { input_cache_read: tokens.cacheRead }),
    ...(tokens?.cacheWrite === undefined ? {} : { input_cache_write: tokens.cacheWrite }),
    ...(tokens?.reasoning === undefined ? {} : { internal_reasoning: tokens.reasoning }),
    ...(tokens?.inputAudio === undefined ? {} : { audio: tokens.inputAudio }),
    ...(tokens?.outputAudio === undefined ? {} : { audio_output: tokens.outputAudio }),
  };
}
