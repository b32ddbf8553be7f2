import { ApiProperty } from '@nestjs/swagger';

/** What one call used and cost. Members that this service does not measure are null. */
export class GenerationData {
  @ApiProperty({ example: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e' })
  id: string;

  /** What the call cost in USD, whoever paid it. */
  @ApiProperty()
  total_cost: number;

  /** What was charged to the account's credits, in USD. */
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

  @ApiProperty({ type: String, enum: ['tts', 'image', 'completions', 'embeddings', null], nullable: true })
  api_type: string | null;

  @ApiProperty({ enum: ['global', 'europe', 'us'] })
  data_region: string;

  @ApiProperty({ type: [Object], nullable: true })
  provider_responses: object[] | null;

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
}

export class GenerationResponse {
  @ApiProperty({ type: GenerationData })
  data: GenerationData;
}
