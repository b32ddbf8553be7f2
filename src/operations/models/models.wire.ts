import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import { publishedPrice } from '../../catalogue/published-price.js';
import { API_PREFIX } from '../../http/edge/configure-server.js';
import type { Dialect } from '../../kernel/dialect.js';
import type { ModelEndpoint, ModelEndpoints } from './dto/model-endpoints.response.dto.js';
import type { ModelArchitecture, ModelRecord } from './dto/models.response.dto.js';
import type { ModelsPage } from './models.page.js';
import { toOverrides, toPricing } from './pricing.wire.js';

/** Converts a model to its API record. Only the openrouter dialect has price overrides in this record. */
function toModelRecord(model: CatalogueModel, dialect: Dialect): ModelRecord {
  return {
    id: model.id,
    canonical_slug: model.canonicalSlug,
    name: model.name,
    description: model.description,
    created: model.created,
    context_length: model.contextLength,
    architecture: toArchitecture(model),
    pricing: {
      ...toPricing(model.pricing, model.tokenPrices),
      image: model.pricing.image,
      request: model.pricing.request,
      ...(dialect === 'openrouter' ? toOverrides(model.tokenPrices) : {}),
    },
    top_provider: {
      context_length: model.contextLength,
      max_completion_tokens: model.maxCompletionTokens ?? model.contextLength,
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
  instruct_type: model.instructType ?? 'none',
  tokenizer: model.tokenizer,
});

/** The JSON texts of records. They are cached, because a model in the catalogue is immutable. */
const TEXTS: Readonly<Record<Dialect, WeakMap<CatalogueModel, string>>> = {
  neutral: new WeakMap(),
  openrouter: new WeakMap(),
};

/** The record of one model, without an enclosing object. */
export function toRecordText(model: CatalogueModel, dialect: Dialect): string {
  const texts = TEXTS[dialect];
  let text = texts.get(model);
  if (text === undefined) {
    text = JSON.stringify(toModelRecord(model, dialect));
    texts.set(model, text);
  }
  return text;
}

const toRecordTexts = (models: readonly CatalogueModel[], dialect: Dialect): string =>
  `[${models.map((model) => toRecordText(model, dialect)).join(',')}]`;

/** The list as JSON text, concatenated from the cached texts of its models. */
export const toListText = ({ models, total, next }: ModelsPage, dialect: Dialect): string =>
  `{"data":${toRecordTexts(models, dialect)},"total_count":${total},"links":{"next":${JSON.stringify(next)}}}`;

/** The whole list in the format of the specification, without a count and links. */
export const toWholeListText = ({ models }: ModelsPage, dialect: Dialect): string =>
  `{"data":${toRecordTexts(models, dialect)}}`;

export const toModelText = (model: CatalogueModel, dialect: Dialect): string =>
  `{"data":${toRecordText(model, dialect)}}`;

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
    pricing: { ...toPricing(publishedPrice(endpoint), endpoint.tokenPrices), ...toOverrides(endpoint.tokenPrices) },
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
