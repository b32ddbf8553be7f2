import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';

/** Prices that apply under a condition. Prices that the override does not contain are unchanged. */
export class PricingOverride {
  /** Minimum prompt tokens of the request, inclusive. The override applies to the whole request. */
  @ApiPropertyOptional({ type: 'integer' })
  min_prompt_tokens?: number;

  /** Daily window in UTC as HHMM; the end is exclusive. */
  @ApiPropertyOptional({ type: 'integer' })
  utc_start?: number;

  @ApiPropertyOptional({ type: 'integer' })
  utc_end?: number;

  @ApiPropertyOptional({ type: String })
  prompt?: string;

  @ApiPropertyOptional({ type: String })
  completion?: string;

  @ApiPropertyOptional({ type: String })
  input_cache_read?: string;

  @ApiPropertyOptional({ type: String })
  input_cache_write?: string;

  @ApiPropertyOptional({ type: String })
  input_cache_write_1h?: string;

  @ApiPropertyOptional({ type: String })
  audio?: string;
}

/**
 * Prices in USD as decimal text: `image`, `request` and `web_search` per item, `input_character` per character, the
 * others per token. "0" means that there is no such price. Tokens without a price of their own are charged as `prompt`
 * or `completion`. If `image`, `request`, `web_search` or `input_character` is absent, it is free.
 */
export class EndpointPricing {
  @ApiProperty({ type: String, example: '0' })
  prompt: string;

  @ApiProperty({ type: String, example: '0' })
  completion: string;

  @ApiPropertyOptional({ type: String })
  image?: string;

  @ApiPropertyOptional({ type: String })
  request?: string;

  /** Per character of the input, for speech models that are priced by characters. */
  @ApiPropertyOptional({ type: String })
  input_character?: string;

  @ApiPropertyOptional({ type: String })
  input_cache_read?: string;

  @ApiPropertyOptional({ type: String })
  input_cache_write?: string;

  @ApiPropertyOptional({ type: String })
  input_cache_write_1h?: string;

  @ApiPropertyOptional({ type: String })
  internal_reasoning?: string;

  @ApiPropertyOptional({ type: String })
  audio?: string;

  @ApiPropertyOptional({ type: String })
  audio_output?: string;

  @ApiPropertyOptional({ type: String })
  image_output?: string;

  @ApiPropertyOptional({ type: String })
  web_search?: string;

  @ApiPropertyOptional({ type: [PricingOverride] })
  overrides?: PricingOverride[];
}

/** The pricing of the endpoint that represents the model. */
export class ModelPricing extends OmitType(EndpointPricing, ['image', 'request', 'overrides']) {
  @ApiProperty({ type: String, example: '0' })
  image: string;

  @ApiProperty({ type: String, example: '0' })
  request: string;

  /** Only in the openrouter dialect. The endpoints of the model have overrides in both dialects. */
  @ApiPropertyOptional({ type: [PricingOverride] })
  overrides?: PricingOverride[];
}
