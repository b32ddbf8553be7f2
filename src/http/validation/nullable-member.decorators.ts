import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsName } from './is-name.decorators.js';
import { IsText, type TextRule } from './is-text.decorator.js';
import { MaxCharacters } from './max-characters.decorator.js';

// Members of a request that may be absent or null. Their type is checked and documented.

/** No control characters and no lone surrogates. */
const ID = /^[^\p{Cc}\p{Cs}]{1,200}$/u;
const ID_SCHEMA = { type: 'string', minLength: 1, maxLength: 200 } as const;
const OPEN_OBJECT = { type: 'object', additionalProperties: true } as const;

/** Checks run in the reverse order of `checks`, like stacked decorators. */
const nullable = (options: ApiPropertyOptions, ...checks: readonly PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(...checks, IsOptional(), ApiPropertyOptional({ ...options, nullable: true }));

export const NullableNumber = (minimum: number, maximum: number): PropertyDecorator =>
  nullable(
    { type: Number, minimum, maximum },
    Max(maximum),
    Min(minimum),
    IsNumber({ allowNaN: false, allowInfinity: false }),
  );

/** Whole numbers from `minimum`, without an upper bound if `maximum` is absent. */
export const NullableInteger = (minimum: number, maximum?: number): PropertyDecorator =>
  maximum === undefined
    ? nullable({ type: 'integer', minimum }, Min(minimum), IsInt())
    : nullable({ type: 'integer', minimum, maximum }, Max(maximum), Min(minimum), IsInt());

export const NullableBoolean = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  nullable({ type: Boolean, ...options }, IsBoolean());

/** A text of any length if `maxLength` is absent. */
export const NullableText = (maxLength?: number): PropertyDecorator =>
  maxLength === undefined
    ? nullable({ type: String }, IsString())
    : nullable({ type: String, maxLength }, MaxLength(maxLength), IsString());

/** A text that the database can store. */
export const NullableStoredText = (rule: TextRule): PropertyDecorator =>
  nullable({ type: String, minLength: rule.min, maxLength: rule.max }, IsText(rule));

/** A text for people to read. */
export const NullableName = (maxLength: number): PropertyDecorator =>
  nullable({ type: String, maxLength }, IsName(), MaxCharacters(maxLength), IsString());

/** One of the values. */
export const NullableEnum = (
  values: readonly string[],
  { byDefault }: { byDefault?: string } = {},
): PropertyDecorator => nullable({ type: String, enum: values, default: byDefault }, IsIn(values));

export const NullableObject = (): PropertyDecorator => nullable(OPEN_OBJECT, IsObject());

/** At most `maxSize` objects. */
export const NullableObjects = (maxSize: number): PropertyDecorator =>
  nullable({ type: 'array', items: OPEN_OBJECT }, ArrayMaxSize(maxSize), IsArray());

/** At most `maxItems` ids. */
export const NullableIds = (maxItems: number): PropertyDecorator =>
  nullable(
    { type: 'array', items: ID_SCHEMA, nullable: true, maxItems },
    Matches(ID, { each: true, message: '$property must contain ids: 1 to 200 characters each, no control characters' }),
    ArrayMaxSize(maxItems),
    IsArray(),
  );
