import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

export class EnumCapability {
  @ApiProperty({ type: String, enum: ['enum'] })
  type: 'enum';

  @ApiProperty({ type: [String] })
  values: string[];
}

export class RangeCapability {
  @ApiProperty({ type: String, enum: ['range'] })
  type: 'range';

  @ApiProperty({ type: Number })
  min: number;

  @ApiProperty({ type: Number })
  max: number;

  /** The minimum and the maximum. */
  @ApiProperty({ type: [Number], minItems: 2, maxItems: 2 })
  values: number[];
}

export class BooleanCapability {
  @ApiProperty({ type: String, enum: ['boolean'] })
  type: 'boolean';

  /** true and false. */
  @ApiProperty({ type: [Boolean] })
  values: boolean[];
}

type Capability = EnumCapability | RangeCapability | BooleanCapability;

const CAPABILITIES = [EnumCapability, RangeCapability, BooleanCapability];
/** The allowed values, by request parameter; for a range, its bounds. */
const SUPPORTED_PARAMETERS = {
  type: 'object',
  additionalProperties: { oneOf: CAPABILITIES.map((capability) => ({ $ref: getSchemaPath(capability) })) },
} as const;

const PARAMETERS_EXAMPLE = {
  aspect_ratio: { type: 'enum', values: ['1:1', '16:9', 'auto'] },
  n: { type: 'range', min: 1, max: 10, values: [1, 10] },
  seed: { type: 'boolean', values: [true, false] },
};

export class ImagePricing {
  /** The charged item: output_image, input_image, input_font, input_reference or input_text. */
  @ApiProperty({ type: String, example: 'output_image' })
  billable: string;

  @ApiProperty({ type: Number, format: 'double' })
  cost_usd: number;

  /** image, megapixel or token. */
  @ApiProperty({ type: String, example: 'image' })
  unit: string;

  /** Restricts the line, for example to a quality or a size. */
  @ApiPropertyOptional({ type: String })
  variant?: string;
}

@ApiExtraModels(...CAPABILITIES)
export class ImageEndpoint {
  @ApiProperty({ type: String })
  provider_name: string;

  @ApiProperty({ type: String })
  provider_slug: string;

  @ApiProperty({ type: String })
  provider_tag: string;

  @ApiProperty({ type: Boolean })
  supports_streaming: boolean;

  @ApiProperty({ type: [String] })
  allowed_passthrough_parameters: string[];

  @ApiProperty({ type: [ImagePricing] })
  pricing: ImagePricing[];

  @ApiProperty(SUPPORTED_PARAMETERS)
  supported_parameters: Record<string, Capability>;
}

/** Image-model endpoints record (specification). */
@ResponseExample({
  id: 'builtin/poster',
  endpoints: [
    {
      provider_name: 'Gatehouse built-in',
      provider_slug: 'builtin',
      provider_tag: 'builtin',
      supports_streaming: true,
      allowed_passthrough_parameters: [],
      pricing: [{ billable: 'output_image', cost_usd: 0.0001, unit: 'image' }],
      supported_parameters: PARAMETERS_EXAMPLE,
    },
  ],
})
export class ImageModelEndpointsResponse {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: [ImageEndpoint] })
  endpoints: ImageEndpoint[];
}

export class ImageModelArchitecture {
  @ApiProperty({ type: [String] })
  input_modalities: string[];

  @ApiProperty({ type: [String] })
  output_modalities: string[];
}

@ResponseExample({
  id: 'builtin/poster',
  name: 'Built-in: Poster',
  description: 'Draws a poster procedurally from the prompt and the seed, inside this service.',
  created: 1795132800,
  architecture: { input_modalities: ['text', 'image'], output_modalities: ['image'] },
  supported_parameters: PARAMETERS_EXAMPLE,
  supports_streaming: true,
  endpoints: '/api/v1/images/models/builtin/poster/endpoints',
})
export class ImageModel {
  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String })
  description: string;

  /** Unix seconds. */
  @ApiProperty({ type: 'integer' })
  created: number;

  @ApiProperty({ type: ImageModelArchitecture })
  architecture: ImageModelArchitecture;

  @ApiProperty(SUPPORTED_PARAMETERS)
  supported_parameters: Record<string, Capability>;

  @ApiProperty({ type: Boolean })
  supports_streaming: boolean;

  /** Path of the model's endpoints listing. */
  @ApiProperty({ type: String })
  endpoints: string;
}

export class ImageModelsResponse {
  @ApiProperty({ type: [ImageModel] })
  data: ImageModel[];
}
