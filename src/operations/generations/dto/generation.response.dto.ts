import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';

/** One attempt at a provider. */
export class ProviderResponse {
  @ApiProperty()
  provider_name: string;

  /** The HTTP status that the provider sent; if it sent none, the status that this service assigns to the failure. */
  @ApiProperty({ type: 'integer', nullable: true })
  status: number | null;

  /** Milliseconds. */
  @ApiProperty()
  latency: number;
}

/** The usage and cost of one call. Members that this service does not measure are null. */
@ResponseExample({
  app_id: null,
  moderation_latency: null,
  num_search_results: null,
  num_fetches: null,
  web_search_engine: null,
  preset_id: null,
  router: null,
  cache_discount: null,
  num_input_audio_prompt: null,
  upstream_id: 'chatcmpl-1',
  native_finish_reason: 'stop',
  service_tier: null,
  user_agent: 'client/2.1.0',
  request_id: '019ab0c4-5555-7a61-9d0e-1f2a3b4c5d6e',
  session_id: null,
  provider_responses: null,
  native_tokens_completion_images: null,
  num_media_prompt: null,
  response_cache_source_id: null,
  id: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e',
  total_cost: 0.000105,
  usage: 0.000105,
  upstream_inference_cost: 0.000105,
  created_at: '2026-11-22T08:30:00.000Z',
  model: 'author/text-model',
  provider_name: 'North',
  origin: '',
  http_referer: null,
  external_user: null,
  is_byok: false,
  streamed: false,
  cancelled: false,
  api_type: 'completions',
  data_region: 'global',
  latency: 420,
  generation_time: 1310,
  finish_reason: 'stop',
  tokens_prompt: 12,
  tokens_completion: 9,
  native_tokens_prompt: 12,
  native_tokens_completion: 9,
  native_tokens_reasoning: 0,
  native_tokens_cached: 0,
  num_media_completion: 0,
  workspace_id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
})
export class GenerationData {
  @ApiProperty({ example: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e' })
  id: string;

  /** The cost of the call in USD, charged to the credits or to an own credential. */
  @ApiProperty()
  total_cost: number;

  /** The charge to the account's credits, in USD. */
  @ApiProperty()
  usage: number;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty()
  model: string;

  @ApiProperty()
  origin: string;

  @ApiProperty()
  is_byok: boolean;

  @ApiProperty({ type: Boolean, nullable: true })
  streamed: boolean | null;

  @ApiProperty({ type: Boolean, nullable: true })
  cancelled: boolean | null;

  @ApiProperty({
    type: String,
    enum: ['tts', 'image', 'completions', 'embeddings', 'stt', 'rerank', null],
    nullable: true,
  })
  api_type: string | null;

  @ApiProperty({ enum: ['global', 'europe', 'us'] })
  data_region: string;

  /** All attempts, in order; null for image and speech calls that an earlier version recorded. */
  @ApiProperty({ type: [ProviderResponse], nullable: true })
  provider_responses: ProviderResponse[] | null;

  @ApiProperty({ type: Number, nullable: true })
  cache_discount: number | null;

  @ApiProperty({ type: Number, nullable: true })
  upstream_inference_cost: number | null;

  @ApiProperty({ type: Number, nullable: true })
  app_id: number | null;

  @ApiProperty({ type: Number, nullable: true })
  latency: number | null;

  @ApiProperty({ type: Number, nullable: true })
  moderation_latency: number | null;

  @ApiProperty({ type: Number, nullable: true })
  generation_time: number | null;

  @ApiProperty({ type: Number, nullable: true })
  tokens_prompt: number | null;

  @ApiProperty({ type: Number, nullable: true })
  tokens_completion: number | null;

  @ApiProperty({ type: Number, nullable: true })
  native_tokens_prompt: number | null;

  @ApiProperty({ type: Number, nullable: true })
  native_tokens_completion: number | null;

  @ApiProperty({ type: Number, nullable: true })
  native_tokens_completion_images: number | null;

  @ApiProperty({ type: Number, nullable: true })
  native_tokens_reasoning: number | null;

  @ApiProperty({ type: Number, nullable: true })
  native_tokens_cached: number | null;

  @ApiProperty({ type: Number, nullable: true })
  num_media_prompt: number | null;

  @ApiProperty({ type: Number, nullable: true })
  num_input_audio_prompt: number | null;

  @ApiProperty({ type: Number, nullable: true })
  num_media_completion: number | null;

  @ApiProperty({ type: Number, nullable: true })
  num_search_results: number | null;

  @ApiProperty({ type: Number, nullable: true })
  num_fetches: number | null;

  @ApiProperty({ type: String, nullable: true })
  upstream_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  provider_name: string | null;

  @ApiProperty({ type: String, nullable: true })
  finish_reason: string | null;

  @ApiProperty({ type: String, nullable: true })
  native_finish_reason: string | null;

  @ApiProperty({ type: String, nullable: true })
  service_tier: string | null;

  @ApiProperty({ type: String, nullable: true })
  web_search_engine: string | null;

  @ApiProperty({ type: String, nullable: true })
  external_user: string | null;

  @ApiProperty({ type: String, nullable: true })
  preset_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  router: string | null;

  @ApiProperty({ type: String, nullable: true })
  user_agent: string | null;

  @ApiProperty({ type: String, nullable: true })
  http_referer: string | null;

  @ApiProperty({ type: String, nullable: true })
  request_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  session_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  workspace_id: string | null;

  /** The generation whose response was reused; null = the provider's own response. */
  @ApiProperty({ type: String, nullable: true })
  response_cache_source_id: string | null;

  /**
   * Whether the gateway counted the usage because the provider reported no valid usage. Absent for image and speech
   * calls that an earlier version recorded.
   */
  @ApiPropertyOptional()
  usage_estimated?: boolean;

  /**
   * True if the price is the highest in the model's family because the model's own price is unknown; otherwise absent.
   */
  @ApiPropertyOptional()
  price_assumed?: boolean;
}

export class GenerationResponse extends DataResponse(GenerationData) {}
