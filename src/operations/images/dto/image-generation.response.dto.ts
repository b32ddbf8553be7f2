import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

export class GeneratedImageResponse {
  /** The image in base64; for SVG, its UTF-8 text in base64. */
  @ApiProperty()
  b64_json: string;

  /** Absent if unknown. */
  @ApiPropertyOptional({ example: 'image/png' })
  media_type?: string;
}

/** Exactly one of `b64_json` and `url` is set. */
export class CompatibleImageEntry {
  /** The image in base64; for SVG, its UTF-8 text in base64. */
  @ApiPropertyOptional()
  b64_json?: string;

  /** A URL that is valid for an hour. Set if response_format is url and the image could be stored. */
  @ApiPropertyOptional({ example: 'https://gate.example.com/api/v1/images/links/1795136400-0f….png' })
  url?: string;

  /** Absent if unknown. */
  @ApiPropertyOptional({ example: 'image/png' })
  media_type?: string;
}

export class CostDetailsResponse {
  /** The provider's charge to the caller's own account, in USD. */
  @ApiProperty()
  upstream_inference_cost: number;

  /** The part for the prompt and the input references. */
  @ApiProperty()
  upstream_inference_prompt_cost: number;

  /** The part for the images. */
  @ApiProperty()
  upstream_inference_completions_cost: number;
}

export class ImageUsageResponse {
  @ApiProperty({ type: 'integer' })
  prompt_tokens: number;

  @ApiProperty({ type: 'integer' })
  completion_tokens: number;

  @ApiProperty({ type: 'integer' })
  total_tokens: number;

  /** USD charged to the credits; 0 if the call used the caller's own credential. */
  @ApiProperty()
  cost: number;

  /** Whether the call used the caller's own provider credential. */
  @ApiProperty()
  is_byok: boolean;

  /** Set if the call used the caller's own provider credential. */
  @ApiPropertyOptional({ type: CostDetailsResponse })
  cost_details?: CostDetailsResponse;
}

const RESPONSE_EXAMPLE = {
  created: 1795132800,
  data: [{ b64_json: 'iVBORw0KGgo=', media_type: 'image/png' }],
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0.04, is_byok: false },
};

@ResponseExample(RESPONSE_EXAMPLE)
export class ImageGenerationResponse {
  /** Unix seconds. */
  @ApiProperty({ type: 'integer' })
  created: number;

  @ApiProperty({ type: [GeneratedImageResponse] })
  data: GeneratedImageResponse[];

  @ApiPropertyOptional({ type: ImageUsageResponse })
  usage?: ImageUsageResponse;
}

/** The response to plain OpenAI clients. */
@ResponseExample(RESPONSE_EXAMPLE)
export class CompatibleImageResponse extends OmitType(ImageGenerationResponse, ['data'] as const) {
  @ApiProperty({ type: [CompatibleImageEntry] })
  data: CompatibleImageEntry[];
}
