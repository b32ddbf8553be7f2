import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { HasCharacters } from '../../../http/validation/has-characters.decorator.js';
import { IsTrackingIdOrEmpty } from '../../../http/validation/is-name.decorators.js';
import { NullableBoolean, NullableEnum, NullableInteger } from '../../../http/validation/nullable-member.decorators.js';

const QUALITIES = ['auto', 'low', 'medium', 'high', 'standard', 'hd'] as const;
const FORMATS = ['png', 'jpeg', 'webp'] as const;
const RESPONSE_FORMATS = ['b64_json', 'url'] as const;
const BACKGROUNDS = ['auto', 'transparent', 'opaque'] as const;

/** The image request of plain OpenAI clients, which send null for unset members. Unknown fields are ignored. */
@RequestExamples({
  // Models that need no vendor, so that the requests work unchanged on every installation.
  poster: {
    summary: 'One picture',
    value: {
      model: 'builtin/poster',
      prompt: 'A lighthouse above a stormy sea at night',
      size: '1024x1024',
      quality: 'standard',
      response_format: 'b64_json',
    },
  },
})
export class CompatibleImageRequest {
  /** Image generation model slug of this service. */
  @ApiProperty({ type: String, minLength: 1, example: 'builtin/poster' })
  @IsString()
  @HasCharacters()
  model: string;

  @ApiProperty({ type: String, minLength: 1, example: 'A lighthouse above a stormy sea at night' })
  @IsString()
  @HasCharacters()
  prompt: string;

  /** Number of images. */
  @NullableInteger(1, 10)
  n?: number | null;

  /** `auto` or pixels as `<width>x<height>`. */
  @ApiPropertyOptional({ type: String, nullable: true, example: '1024x1024' })
  @IsOptional()
  @IsString()
  size?: string | null;

  /** `standard` means `medium`, and `hd` means `high`. */
  @NullableEnum(QUALITIES)
  quality?: (typeof QUALITIES)[number] | null;

  /** `url`: each image is served for an hour, without a key, at a URL that cannot be guessed. Not for streams. */
  @NullableEnum(RESPONSE_FORMATS)
  response_format?: (typeof RESPONSE_FORMATS)[number] | null;

  @NullableEnum(BACKGROUNDS)
  background?: (typeof BACKGROUNDS)[number] | null;

  @NullableEnum(FORMATS)
  output_format?: (typeof FORMATS)[number] | null;

  @NullableInteger(0, 100)
  output_compression?: number | null;

  /** Streams partial images as server-sent events, if the provider supports it. */
  @NullableBoolean()
  stream?: boolean | null;

  /** The end user's tracking id, recorded with the call; empty counts as absent. */
  @ApiPropertyOptional({ type: String, maxLength: 256, nullable: true })
  @IsOptional()
  @IsTrackingIdOrEmpty()
  user?: string | null;
}

/** The form with which plain OpenAI clients edit images. Unknown parts are ignored; a mask is refused. */
export class ImageEditForm extends CompatibleImageRequest {
  /** The reference images, as files in parts named `image` or `image[]`. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'binary' }, minItems: 1, maxItems: 16 })
  image: string[];
}
