import { toGenerationId } from '../../kernel/ids.js';
import { nanoTextToUsd, nanoToUsd } from '../../kernel/money.js';
import { attemptsOf, isPriceAssumed, type GenerationDetail } from '../../usage/generation-detail.js';
import { MODALITY } from '../../usage/generation-record.js';
import type { Generation } from '../../usage/generations.js';
import { isCancelled } from './generations.wire.js';
import type { GenerationData } from './dto/generation.response.dto.js';
import type { Names } from './generations.service.js';

const API_TYPE: Readonly<Record<number, string>> = {
  [MODALITY.image]: 'image',
  [MODALITY.speech]: 'tts',
  [MODALITY.chat]: 'completions',
  [MODALITY.embeddings]: 'embeddings',
  [MODALITY.transcription]: 'stt',
  [MODALITY.rerank]: 'rerank',
};

/** Members of the API record that this service does not measure. */
const UNMEASURED = {
  app_id: null,
  moderation_latency: null,
  num_search_results: null,
  num_fetches: null,
  web_search_engine: null,
  preset_id: null,
  router: null,
} as const;

/** The values for calls without a detail: image and speech calls that an earlier version recorded. */
const NO_DETAIL = {
  cache_discount: null,
  num_input_audio_prompt: null,
  upstream_id: null,
  native_finish_reason: null,
  service_tier: null,
  user_agent: null,
  request_id: null,
  session_id: null,
  provider_responses: null,
  native_tokens_completion_images: null,
  num_media_prompt: null,
  response_cache_source_id: null,
} as const;

/** Converts a recorded call to its API record. */
export function toGenerationData(
  generation: Generation,
  { workspaces, providerName }: Pick<Names, 'workspaces' | 'providerName'>,
): GenerationData {
  return {
    ...UNMEASURED,
    ...(generation.detail ? detailMembers(generation.detail) : NO_DETAIL),
    id: toGenerationId(generation.id),
    total_cost: nanoToUsd(generation.is_byok ? generation.upstream_cost : generation.cost),
    usage: nanoToUsd(generation.cost),
    upstream_inference_cost: nanoToUsd(generation.upstream_cost),
    created_at: generation.created_at.toISOString(),
    model: generation.model,
    provider_name: providerName(generation.provider),
    origin: generation.origin ?? '',
    http_referer: generation.detail?.http_referer ?? generation.origin,
    external_user: generation.external_user,
    is_byok: generation.is_byok,
    streamed: generation.streamed,
    cancelled: isCancelled(generation),
    api_type: API_TYPE[generation.modality] ?? null,
    data_region: 'global',
    latency: generation.latency_ms,
    generation_time: generation.duration_ms,
    finish_reason: generation.finish_reason,
    tokens_prompt: generation.tokens_prompt,
    tokens_completion: generation.tokens_completion,
    native_tokens_prompt: generation.tokens_prompt,
    native_tokens_completion: generation.tokens_completion,
    native_tokens_reasoning: generation.tokens_reasoning,
    native_tokens_cached: generation.tokens_cached,
    num_media_completion: generation.images,
    workspace_id: workspaces.get(generation.workspace_no) ?? null,
  };
}

function detailMembers(
  detail: GenerationDetail,
): Pick<GenerationData, keyof typeof NO_DETAIL | 'usage_estimated' | 'price_assumed'> {
  return {
    cache_discount: detail.cache_discount === null ? null : nanoTextToUsd(detail.cache_discount),
    num_input_audio_prompt: detail.num_input_audio_prompt,
    upstream_id: detail.upstream_id,
    native_finish_reason: detail.native_finish_reason,
    service_tier: detail.service_tier,
    user_agent: detail.user_agent,
    request_id: detail.request_id,
    session_id: detail.session_id,
    provider_responses:
      attemptsOf(detail)?.map(({ provider, status, latency_ms }) => ({
        provider_name: provider,
        status,
        latency: latency_ms,
      })) ?? null,
    native_tokens_completion_images: detail.native_tokens_completion_images,
    num_media_prompt: detail.num_media_prompt,
    response_cache_source_id: detail.response_cache_source_id ? toGenerationId(detail.response_cache_source_id) : null,
    usage_estimated: detail.usage_estimated,
    ...(isPriceAssumed(detail) ? { price_assumed: true } : {}),
  };
}
