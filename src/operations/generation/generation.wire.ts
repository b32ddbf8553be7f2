import { toGenerationId } from '../../kernel/ids.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { Generation } from '../../usage/generations.js';
import { MODALITY } from '../../usage/generation-record.js';
import type { GenerationData } from './dto/generation.response.dto.js';

const API_TYPE: Readonly<Record<number, string>> = {
  [MODALITY.image]: 'image',
  [MODALITY.speech]: 'tts',
  [MODALITY.chat]: 'completions',
  [MODALITY.embeddings]: 'embeddings',
};
const CALLER_LEFT = 499;

/** Members that no call of this service has. */
const UNMEASURED = {
  cache_discount: null,
  app_id: null,
  moderation_latency: null,
  num_input_audio_prompt: null,
  num_search_results: null,
  num_fetches: null,
  upstream_id: null,
  native_finish_reason: null,
  service_tier: null,
  web_search_engine: null,
  preset_id: null,
  router: null,
  user_agent: null,
  request_id: null,
  session_id: null,
  provider_responses: null,
  native_tokens_completion_images: null,
  num_media_prompt: null,
} as const;

/** What may leave the building of a recorded call. */
export function toGenerationData(generation: Generation, workspaceId: string | null): GenerationData {
  return {
    ...UNMEASURED,
    id: toGenerationId(generation.id),
    total_cost: nanoToUsd(generation.is_byok ? generation.upstream_cost : generation.cost),
    usage: nanoToUsd(generation.cost),
    upstream_inference_cost: nanoToUsd(generation.upstream_cost),
    created_at: generation.created_at.toISOString(),
    model: generation.model,
    provider_name: generation.provider,
    origin: generation.origin ?? '',
    http_referer: generation.origin,
    external_user: generation.external_user,
    is_byok: generation.is_byok,
    streamed: generation.streamed,
    cancelled: generation.status === CALLER_LEFT,
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
    workspace_id: workspaceId,
  };
}
