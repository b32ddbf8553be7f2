import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

export class GeneratedImageResponse {
  /** Base64 of the image's bytes; of SVG, of its UTF-8 text. */
  @ApiProperty()
  b64_json: string;

  /** Omitted where unknown. */
  @ApiPropertyOptional({ example: 'image/png' })
  media_type?: string;
}

/** Exactly one of `b64_json` and `url` is set. */
export class CompatibleImageEntry {
  /** Base64 of the image's bytes; of SVG, of its UTF-8 text. */
  @ApiPropertyOptional()
  b64_json?: string;

  /** Where response_format is url and the image could be kept: works for an hour. */
  @ApiPropertyOptional({ example: 'https://gate.example.com/api/v1/images/links/1795136400-0f….png' })
  url?: string;

  /** Omitted where unknown. */
  @ApiPropertyOptional({ example: 'image/png' })
  media_type?: string;
}

export class CostDetailsResponse {
  /** What the provider charges the caller's own account there, in USD. */
  @ApiProperty()
  upstream_inference_cost: number;

  /** What of it is for the prompt and the input references. */
  @ApiProperty()
  upstream_inference_prompt_cost: number;

  /** What of it is for the images. */
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

@ResponseExample({
  created: 1795132800,
  data: [{ b64_json: 'iVBORw0KGgo=', media_type: 'image/png' }],
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0.04, is_byok: false },
})
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
@ResponseExample({
  created: 1795132800,
  data: [{ b64_json: 'iVBORw0KGgo=', media_type: 'image/png' }],
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0.04, is_byok: false },
})
export class CompatibleImageResponse {
  /** Unix seconds. */
  @ApiProperty({ type: 'integer' })
  created: number;

  @ApiProperty({ type: [CompatibleImageEntry] })
  data: CompatibleImageEntry[];

  @ApiPropertyOptional({ type: ImageUsageResponse })
  usage?: ImageUsageResponse;
}
