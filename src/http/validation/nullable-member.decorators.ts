import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

// Members of a request that may be absent or null. Their type is checked and documented.

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

export const NullableObject = (): PropertyDecorator => nullable(OPEN_OBJECT, IsObject());

/** At most `maxSize` objects. */
export const NullableObjects = (maxSize: number): PropertyDecorator =>
  nullable({ type: 'array', items: OPEN_OBJECT }, ArrayMaxSize(maxSize), IsArray());
