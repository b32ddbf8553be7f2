import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsString, IsUUID, Max, MaxLength, Min, MinLength } from 'class-validator';
import { IsOptionalField } from './is-optional-field.decorator.js';
import { IsText, type TextRule } from './is-text.decorator.js';

// Members of a request that may be absent, but not null. Their type is checked and documented.

interface IntegerRule {
  min: number;
  max?: number;
  byDefault?: number;
}

/** Checks run in the reverse order of `checks`, like stacked decorators. */
const optional = (options: ApiPropertyOptions, ...checks: readonly PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(...checks, IsOptionalField(), ApiPropertyOptional(options));

export const OptionalBoolean = ({ byDefault }: { byDefault?: boolean } = {}): PropertyDecorator =>
  optional({ type: Boolean, default: byDefault }, IsBoolean());

/** One of the values. */
export const OptionalEnum = (
  values: readonly string[],
  { byDefault }: { byDefault?: string } = {},
): PropertyDecorator => optional({ type: String, enum: values, default: byDefault }, IsIn(values));

/** Whole numbers from `min`, without an upper bound if `max` is absent. */
export const OptionalInteger = ({ min, max, byDefault }: IntegerRule): PropertyDecorator =>
  optional(
    { type: 'integer', minimum: min, maximum: max, default: byDefault },
    ...(max === undefined ? [] : [Max(max)]),
    Min(min),
    IsInt(),
  );

/** A string. `minLength` and `maxLength` are checked. */
export const OptionalString = (options: ApiPropertyOptions = {}): PropertyDecorator => {
  const { minLength, maxLength } = options;
  return optional(
    { type: String, ...options },
    ...(maxLength === undefined ? [] : [MaxLength(maxLength)]),
    ...(minLength === undefined ? [] : [MinLength(minLength)]),
    IsString(),
  );
};

/** A text that the database can store. */
export const OptionalStoredText = (rule: TextRule): PropertyDecorator =>
  optional({ type: String, minLength: rule.min, maxLength: rule.max }, IsText(rule));

/** `loose`: also ids without a version. */
export const OptionalUuid = (version?: 'loose'): PropertyDecorator =>
  optional({ type: String, format: 'uuid' }, IsUUID(version));
