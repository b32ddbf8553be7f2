import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNumber, IsObject, IsString } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { HasCharacters } from '../../../http/validation/has-characters.decorator.js';
import { IsTrackingIdOrEmpty } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { OptionalEnum } from '../../../http/validation/optional-member.decorators.js';

const FORMATS = ['mp3', 'pcm'] as const;
const STREAM_FORMATS = ['audio', 'sse'] as const;

/** Speech request. Unknown fields are ignored. */
@RequestExamples({
  // Models that need no vendor, so that the requests work unchanged on every installation.
  mp3: {
    summary: 'MP3',
    value: {
      model: 'builtin/flite',
      voice: 'slt',
      response_format: 'mp3',
      input: 'Good morning. This is Gatehouse speaking.',
    },
  },
  slowPcm: {
    summary: 'PCM, slowly',
    value: {
      model: 'builtin/flite',
      voice: 'rms',
      response_format: 'pcm',
      speed: 0.75,
      input: 'All good things take their time.',
    },
  },
})
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

  @OptionalEnum(FORMATS, { byDefault: 'pcm' })
  response_format?: (typeof FORMATS)[number];

  /** `sse`: the audio is sent in base64 as server-sent events. */
  @OptionalEnum(STREAM_FORMATS, { byDefault: 'audio' })
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
