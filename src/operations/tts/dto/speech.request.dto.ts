import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNumber, IsObject, IsString } from 'class-validator';
import { HasCharacters } from '../../../http/validation/has-characters.decorator.js';
import { IsTrackingIdOrEmpty } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';

const FORMATS = ['mp3', 'pcm'] as const;
const STREAM_FORMATS = ['audio', 'sse'] as const;

/** Speech request. Unknown fields are ignored. */
export class SpeechRequestBody {
  /** Text to synthesize. */
  @ApiProperty({ minLength: 1, example: 'Good morning. This is Gatehouse speaking.' })
  @IsString()
  @HasCharacters()
  input: string;

  /** TTS model identifier. */
  @ApiProperty({ minLength: 1, example: 'builtin/flite' })
  @IsString()
  @HasCharacters()
  model: string;

  /** Voice identifier; provider-specific. */
  @ApiProperty({ minLength: 1, example: 'slt' })
  @IsString()
  @HasCharacters()
  voice: string;

  /** Provider preferences and passthrough. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptionalField()
  @IsObject()
  provider?: object;

  @ApiPropertyOptional({ enum: FORMATS, default: 'pcm' })
  @IsOptionalField()
  @IsIn(FORMATS)
  response_format?: (typeof FORMATS)[number];

  /** `sse`: the audio is sent in base64 as server-sent events. */
  @ApiPropertyOptional({ enum: STREAM_FORMATS, default: 'audio' })
  @IsOptionalField()
  @IsIn(STREAM_FORMATS)
  stream_format?: (typeof STREAM_FORMATS)[number];

  /** Playback speed multiplier. Models without this option ignore it; `builtin/flite` clamps it to 0.25 to 4. */
  @ApiPropertyOptional({ format: 'double', example: 1 })
  @IsOptionalField()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  speed?: number;

  /** The end user's tracking id, recorded with the call; empty counts as absent. */
  @ApiPropertyOptional({ maxLength: 256 })
  @IsOptionalField()
  @IsTrackingIdOrEmpty()
  user?: string;
}
