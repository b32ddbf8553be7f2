import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OWN_CAPABILITIES, OWN_FORMATS, type OwnCapability, type OwnFormat } from '../../../catalogue/own-provider.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';

export class OwnPrivacyRecord {
  @ApiProperty({ type: String, nullable: true })
  policy_url: string | null;

  @ApiProperty({ type: Boolean, nullable: true })
  zero_data_retention: boolean | null;
}

/** A provider that the operator added while the service ran. */
@ResponseExample({
  slug: 'our-models',
  name: 'Our models',
  format: 'chat',
  base_url: 'https://models.example.com/v1',
  needs_credential: true,
  privacy: { policy_url: null, zero_data_retention: true },
  created_at: '2026-11-27T08:30:00.000Z',
})
export class OwnProviderRecord {
  @ApiProperty()
  slug: string;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ enum: OWN_FORMATS })
  format: OwnFormat;

  @ApiProperty()
  base_url: string;

  @ApiProperty()
  needs_credential: boolean;

  @ApiProperty({ type: OwnPrivacyRecord })
  privacy: OwnPrivacyRecord;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export class OwnProviderResponse extends DataResponse(OwnProviderRecord) {}

export class OwnProviderListResponse extends ListResponse(OwnProviderRecord) {}

/**
 * Prices in USD as decimal text: per token, or per item for pictures, requests, web searches, characters and seconds.
 */
export class OwnPricingRecord {
  @ApiPropertyOptional()
  prompt?: string;

  @ApiPropertyOptional()
  completion?: string;

  @ApiPropertyOptional()
  input_cache_read?: string;

  @ApiPropertyOptional()
  input_cache_write?: string;

  @ApiPropertyOptional()
  internal_reasoning?: string;

  @ApiPropertyOptional()
  image?: string;

  @ApiPropertyOptional()
  request?: string;

  @ApiPropertyOptional()
  web_search?: string;

  @ApiPropertyOptional()
  input_character?: string;

  @ApiPropertyOptional()
  second?: string;
}

/** One version of a model of an own provider. */
@ResponseExample({
  id: 'our-models/assistant',
  version: 2,
  capability: 'chat',
  upstream: 'assistant-7b',
  name: null,
  context_length: 32768,
  max_completion_tokens: null,
  input_modalities: ['text'],
  supported_parameters: ['max_tokens', 'stop', 'temperature', 'top_p'],
  pricing: { prompt: '0.0000002', completion: '0.0000006' },
  updated_at: '2026-11-27T08:30:00.000Z',
})
export class OwnModelRecord {
  /** The name that requests use. */
  @ApiProperty()
  id: string;

  /** Starts at 1; each change adds 1. */
  @ApiProperty({ type: 'integer' })
  version: number;

  @ApiProperty({ enum: OWN_CAPABILITIES })
  capability: OwnCapability;

  @ApiProperty()
  upstream: string;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  /** Null for capabilities other than chat and embeddings. */
  @ApiProperty({ type: 'integer', nullable: true })
  context_length: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  max_completion_tokens: number | null;

  @ApiProperty({ type: [String] })
  input_modalities: string[];

  @ApiProperty({ type: [String] })
  supported_parameters: string[];

  /** Null = the prices are unknown, and the model is not served. */
  @ApiProperty({ type: OwnPricingRecord, nullable: true })
  pricing: OwnPricingRecord | null;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

export class OwnModelResponse extends DataResponse(OwnModelRecord) {}

export class OwnModelListResponse extends ListResponse(OwnModelRecord) {}

/** A model in the provider's list. */
export class OwnDiscoveredModel {
  /** The provider's name of the model. */
  @ApiProperty()
  upstream: string;

  /** The name that requests use; null = the model is not served. */
  @ApiProperty({ type: String, nullable: true })
  id: string | null;

  @ApiProperty()
  priced: boolean;
}

@ResponseExample({
  models: [
    { upstream: 'assistant-7b', id: 'our-models/assistant', priced: true },
    { upstream: 'assistant-70b', id: null, priced: false },
  ],
  missing: ['assistant-70b'],
})
export class DiscoveredModelsResponse {
  @ApiProperty({ type: [OwnDiscoveredModel] })
  models: OwnDiscoveredModel[];

  /** The provider's names of models that are not served, because they have no price here. */
  @ApiProperty({ type: [String] })
  missing: string[];
}
