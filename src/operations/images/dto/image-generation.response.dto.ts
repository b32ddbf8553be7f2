import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class GeneratedImageResponse {
  /** Base64 of the image's bytes; of SVG, of its UTF-8 text. */
  @ApiProperty()
  b64_json: string;

  /** Omitted where unknown. */
  @ApiPropertyOptional({ example: 'image/png' })
  media_type?: string;
}

export class CostDetailsResponse {
  /** What the provider charges the caller's own account there, in USD. */
  @ApiProperty()
  upstream_inference_cost: number;
}

export class ImageUsageResponse {
  @ApiProperty({ type: 'integer' })
  prompt_tokens: number;

  @ApiProperty({ type: 'integer' })
  completion_tokens: number;

  @ApiProperty({ type: 'integer' })
  total_tokens: number;

  /** What the call cost in USD. */
  @ApiProperty()
  cost: number;

  /** Whether the caller's own provider credential served it. */
  @ApiProperty()
  is_byok: boolean;

  /** Where the caller's own provider credential served it. */
  @ApiPropertyOptional({ type: CostDetailsResponse })
  cost_details?: CostDetailsResponse;
}

export class ImageGenerationResponse {
  /** Unix seconds. */
  @ApiProperty({ type: 'integer' })
  created: number;

  @ApiProperty({ type: [GeneratedImageResponse] })
  data: GeneratedImageResponse[];

  @ApiPropertyOptional({ type: ImageUsageResponse })
  usage?: ImageUsageResponse;
}
