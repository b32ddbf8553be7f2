import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNumber, IsObject, IsString, MinLength } from 'class-validator';
import { IsTrackingId } from '../../../http/is-name.decorators.js';
import { IsOptionalField } from '../../../http/is-optional-field.decorator.js';

const FORMATS = ['mp3', 'pcm'] as const;

/** Speech request (specification, "Speech request"). Fields it does not name are ignored. */
export class SpeechRequestBody {
  /** Text to synthesize. */
  @ApiProperty({ example: 'Good morning. This is Gatehouse speaking.' })
  @IsString()
  @MinLength(1)
  input: string;

  /** TTS model identifier. */
  @ApiProperty({ example: 'builtin/flite' })
  @IsString()
  @MinLength(1)
  model: string;

  /** Voice identifier; provider-specific. */
  @ApiProperty({ example: 'slt' })
  @IsString()
  @MinLength(1)
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

  /** Playback speed multiplier; ignored by models without it. */
  @ApiPropertyOptional({ format: 'double', example: 1 })
  @IsOptionalField()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  speed?: number;

  /** The end user's tracking id, recorded with the call. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 256 })
  @IsOptionalField()
  @IsTrackingId()
  user?: string;
}
