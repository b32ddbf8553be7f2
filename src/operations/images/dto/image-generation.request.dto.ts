import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, Equals, IsArray, IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { HasCharacters } from '../../../http/validation/has-characters.decorator.js';
import { IsTrackingIdOrEmpty } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import {
  OptionalBoolean,
  OptionalEnum,
  OptionalInteger,
  OptionalString,
} from '../../../http/validation/optional-member.decorators.js';

const ASPECT_RATIOS = [
  '1:1',
  '1:2',
  '1:4',
  '1:8',
  '2:1',
  '2:3',
  '3:2',
  '3:4',
  '4:1',
  '4:3',
  '4:5',
  '5:4',
  '8:1',
  '9:16',
  '16:9',
  '9:19.5',
  '19.5:9',
  '9:20',
  '20:9',
  '9:21',
  '21:9',
  'auto',
] as const;
const BACKGROUNDS = ['auto', 'transparent', 'opaque'] as const;
const FORMATS = ['png', 'jpeg', 'webp', 'svg'] as const;
const QUALITIES = ['auto', 'low', 'medium', 'high'] as const;
const RESOLUTIONS = ['512', '1K', '2K', '4K'] as const;

export class ImageUrlRequest {
  /** A base64 data URL or an http(s) URL. */
  @ApiProperty()
  @IsString()
  url: string;
}

export class ImageReferenceRequest {
  @ApiProperty({ enum: ['image_url'] })
  @Equals('image_url')
  type: 'image_url';

  @ApiProperty({ type: ImageUrlRequest })
  @IsObject()
  @ValidateNested()
  @Type(() => ImageUrlRequest)
  image_url: ImageUrlRequest;
}

/** Image generation request. Unknown fields are ignored. */
@RequestExamples({
  // Models that need no vendor, so that the requests work unchanged on every installation.
  poster: {
    summary: 'One picture',
    value: { model: 'builtin/poster', prompt: 'A lighthouse above a stormy sea at night', seed: 7 },
  },
  sized: {
    summary: 'Two pictures of a given size, as WebP',
    value: {
      model: 'builtin/poster',
      prompt: 'Three paper boats on a quiet pond',
      n: 2,
      size: '1024x768',
      output_format: 'webp',
      output_compression: 80,
    },
  },
})
export class ImageGenerationRequest {
  /** Image generation model slug. */
  @ApiProperty({ minLength: 1, example: 'builtin/poster' })
  @IsString()
  @HasCharacters()
  model: string;

  @ApiProperty({ minLength: 1, example: 'A lighthouse above a stormy sea at night' })
  @IsString()
  @HasCharacters()
  prompt: string;

  /** If a provider does not support this ratio, the nearest supported ratio is used. */
  @OptionalEnum(ASPECT_RATIOS)
  aspect_ratio?: (typeof ASPECT_RATIOS)[number];

  /** `transparent` requires an output_format with alpha. */
  @OptionalEnum(BACKGROUNDS)
  background?: (typeof BACKGROUNDS)[number];

  /** Reference images for image-to-image. */
  @ApiPropertyOptional({ type: [ImageReferenceRequest], maxItems: 16 })
  @IsOptionalField()
  @IsArray()
  @ArrayMaxSize(16)
  // IsObject refuses nested lists. ValidateNested validates only the elements of a nested list, so it would accept an
  // empty nested list.
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ImageReferenceRequest)
  input_references?: ImageReferenceRequest[];

  /** Number of images. */
  @OptionalInteger({ min: 1, max: 10, byDefault: 1 })
  n?: number;

  /** For webp and jpeg. Ignored for png, and by providers without this option. */
  @OptionalInteger({ min: 0, max: 100 })
  output_compression?: number;

  @OptionalEnum(FORMATS)
  output_format?: (typeof FORMATS)[number];

  /** Provider preferences and passthrough: order, only, ignore, sort, allow_fallbacks, options. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptionalField()
  @IsObject()
  provider?: object;

  /** Ignored by providers without this option. */
  @OptionalEnum(QUALITIES)
  quality?: (typeof QUALITIES)[number];

  @OptionalEnum(RESOLUTIONS)
  resolution?: (typeof RESOLUTIONS)[number];

  /** Requests deterministic sampling. */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptionalField()
  @IsInt()
  seed?: number;

  /** A tier (`2K`) or explicit pixels (`1024x768`). Explicit pixels take precedence. */
  @OptionalString({ example: '1024x768' })
  size?: string;

  /** Streams partial images as server-sent events, if the provider supports it; otherwise ignored. */
  @OptionalBoolean({ byDefault: false })
  stream?: boolean;

  /** The end user's tracking id, recorded with the call; empty counts as absent. */
  @ApiPropertyOptional({ maxLength: 256 })
  @IsOptionalField()
  @IsTrackingIdOrEmpty()
  user?: string;
}
