import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';

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
}

export class BooleanCapability {
  @ApiProperty({ type: String, enum: ['boolean'] })
  type: 'boolean';
}

type Capability = EnumCapability | RangeCapability | BooleanCapability;

const CAPABILITIES = [EnumCapability, RangeCapability, BooleanCapability];
/** By request parameter: the values it may take, the bounds it may lie within, or that it may be given. */
const SUPPORTED_PARAMETERS = {
  type: 'object',
  additionalProperties: { oneOf: CAPABILITIES.map((capability) => ({ $ref: getSchemaPath(capability) })) },
} as const;

export class ImagePricing {
  /** What is charged: output_image, input_image, input_font, input_reference or input_text. */
  @ApiProperty({ type: String, example: 'output_image' })
  billable: string;

  @ApiProperty({ type: Number, format: 'double' })
  cost_usd: number;

  /** image, megapixel or token. */
  @ApiProperty({ type: String, example: 'image' })
  unit: string;

  /** Narrows the line, such as to a quality or a size. */
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

  /** Empty where the price is unknown; such an endpoint is not served. */
  @ApiProperty({ type: [ImagePricing] })
  pricing: ImagePricing[];

  @ApiProperty(SUPPORTED_PARAMETERS)
  supported_parameters: Record<string, Capability>;
}

/** Image-model endpoints record (specification). */
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
