import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';

/** Prices under a condition; those that are not named stay as they are. */
export class PricingOverride {
  /** Least prompt tokens of the request, inclusive. The override prices the whole request. */
  @ApiPropertyOptional({ type: 'integer' })
  min_prompt_tokens?: number;

  /** Daily window in UTC as HHMM, the end exclusive. */
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
 * Decimal numbers in text form, in USD per token (`image`, `request`, `web_search`: each); "0" where it is not priced
 * so. A member that is absent is charged as `prompt` or `completion`; `image`, `request`, `web_search` and
 * `input_character` cost nothing.
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

  /** Per character of the input, of speech that is priced by it. */
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

/** The pricing of the endpoint that stands for the model. */
export class ModelPricing extends OmitType(EndpointPricing, ['image', 'request', 'overrides']) {
  @ApiProperty({ type: String, example: '0' })
  image: string;

  @ApiProperty({ type: String, example: '0' })
  request: string;

  /** In the openrouter dialect only; the endpoints of the model have them in both. */
  @ApiPropertyOptional({ type: [PricingOverride] })
  overrides?: PricingOverride[];
}
