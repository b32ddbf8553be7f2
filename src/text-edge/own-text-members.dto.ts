import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, IsString } from 'class-validator';
import { HasCharacters } from '../http/validation/has-characters.decorator.js';
import { IsTrackingId } from '../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../http/validation/is-optional-field.decorator.js';
import {
  NullableBoolean,
  NullableObject,
  NullableObjects,
  NullableText,
} from '../http/validation/nullable-member.decorators.js';

const MAX_MODELS = 100;
const MAX_PLUGINS = 100;

/** The members of a text request that this service defines, in every format. */
export abstract class OwnTextMembers {
  /** Model identifier. Required unless `models` is given. */
  @ApiPropertyOptional({ minLength: 1, example: 'builtin/eliza' })
  @IsOptionalField()
  @IsString()
  @HasCharacters()
  model?: string;

  /** Models to fall back to, in order. */
  @ApiPropertyOptional({ type: [String] })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_MODELS)
  models?: string[] | null;

  /** Provider preferences and passthrough. */
  @NullableObject()
  provider?: object | null;

  @NullableBoolean({ default: false })
  stream?: boolean | null;

  @NullableObjects(MAX_PLUGINS)
  plugins?: object[] | null;

  /** The conversation that the request continues. */
  @NullableText(256)
  session_id?: string | null;

  @NullableObject()
  trace?: object | null;

  /** The end user's tracking id, recorded with the call. Providers get a keyed hash of it. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 256 })
  @IsOptionalField()
  @IsTrackingId()
  user?: string;
}
