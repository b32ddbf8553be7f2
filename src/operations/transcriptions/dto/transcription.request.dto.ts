import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Min,
  ValidateNested,
} from 'class-validator';
import { HasCharacters } from '../../../http/validation/has-characters.decorator.js';
import { IsTrackingId } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { NullableObject, NullableEnum, NullableText } from '../../../http/validation/nullable-member.decorators.js';

const FORMATS = ['json', 'verbose_json'] as const;
const GRANULARITIES = ['word', 'segment'] as const;
const MAX_LANGUAGE_CHARACTERS = 64;
const MAX_GRANULARITIES = 8;

/** A recording in a JSON body. */
export class InputAudio {
  /** The file as base64, not a data URL. The decoded file has at most 26214400 bytes. */
  @ApiProperty({ type: String, minLength: 1, example: 'UklGRiQAAABXQVZF' })
  @IsString()
  @HasCharacters()
  data: string;

  /** The container format as a file extension, such as `wav`. */
  @ApiProperty({ type: String, pattern: '^[A-Za-z0-9]{1,16}$', example: 'wav' })
  @IsString()
  @Matches(/^[A-Za-z0-9]{1,16}$/, { message: 'format must be an extension such as wav, mp3, m4a, ogg, flac or webm' })
  format: string;
}

/** The members that the JSON body and the form share. */
class TranscriptionMembers {
  /** A model from `GET /models?output_modalities=transcription`. */
  @ApiProperty({ minLength: 1, example: 'author/transcription-model' })
  @IsString()
  @HasCharacters()
  model: string;

  /** The spoken language, such as `en`. Default: the model detects it. */
  @NullableText(MAX_LANGUAGE_CHARACTERS)
  language?: string | null;

  @ApiPropertyOptional({ type: Number, minimum: 0, nullable: true })
  @IsOptional()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  temperature?: number | null;

  /** `verbose_json` adds the language, the duration, segments and words, if the model provides them. */
  @NullableEnum(FORMATS, { byDefault: 'json' })
  response_format?: (typeof FORMATS)[number] | null;

  @ApiPropertyOptional({ type: Boolean, enum: [false, null], nullable: true })
  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  /** Recorded with the call. */
  @NullableText(256)
  session_id?: string | null;

  /** The end user's tracking id, recorded with the call. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 256 })
  @IsOptionalField()
  @IsTrackingId()
  user?: string;
}

/** Transcription request. Unknown fields are ignored, including `prompt`. */
export class TranscriptionRequestBody extends TranscriptionMembers {
  @ApiProperty({ type: InputAudio })
  @IsOptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => InputAudio)
  input_audio?: InputAudio;

  /** The requested timestamps. Requires `verbose_json`. By default the provider decides. */
  @ApiPropertyOptional({ type: [String], enum: GRANULARITIES, maxItems: MAX_GRANULARITIES, nullable: true })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_GRANULARITIES)
  @IsIn(GRANULARITIES, { each: true })
  timestamp_granularities?: (typeof GRANULARITIES)[number][] | null;

  /** Provider preferences and passthrough. */
  @NullableObject()
  provider?: object | null;

  @NullableObject()
  trace?: object | null;
}

/** The same request as a form. */
export class TranscriptionForm extends TranscriptionMembers {
  /** At most 26214400 bytes. */
  @ApiProperty({ type: 'string', format: 'binary' })
  file: unknown;

  @ApiPropertyOptional({ name: 'timestamp_granularities[]', type: [String], enum: GRANULARITIES })
  granularities?: string[];

  /** Provider preferences and passthrough, as JSON. */
  @ApiPropertyOptional({ type: String })
  provider?: string;
}

export const TRANSCRIPTION_EXAMPLES = {
  json: {
    summary: 'A recording in base64',
    value: { model: 'author/transcription-model', input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' } },
  },
  verbose: {
    summary: 'With the times of every word',
    value: {
      model: 'author/transcription-model',
      input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' },
      response_format: 'verbose_json',
      timestamp_granularities: ['word'],
    },
  },
};
