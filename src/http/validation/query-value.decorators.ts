import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { IsOptionalField } from './is-optional-field.decorator.js';

const isUnset = (value: unknown): boolean => value === undefined || value === '' || value === 'null';

/**
 * Limits the number to the safe integers. This does not change a result, because every larger offset is after the last
 * row.
 */
const clamped = (digits: string): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(digits)));

/** An optional integer in the query. Empty and `null` count as absent. */
export function QueryInteger({
  min,
  max = Number.MAX_SAFE_INTEGER,
  byDefault,
  nullable = false,
}: {
  min: number;
  max?: number;
  byDefault?: number;
  /** Documents that `null` counts as absent, as in the published specification. */
  nullable?: boolean;
}): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      ...(nullable ? { nullable } : {}),
      minimum: min,
      ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }),
      ...(byDefault === undefined ? {} : { default: byDefault }),
    }),
    Transform(
      ({ value }) =>
        (isUnset(value)
          ? undefined
          : typeof value === 'string' && /^-?\d+$/.test(value)
            ? clamped(value)
            : value) as unknown,
    ),
    IsOptionalField(),
    IsInt(),
    Min(min),
    Max(max),
  );
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** An optional boolean in the query: true, 1, false or 0. Empty and `null` count as absent. */
export function QueryFlag(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Boolean, default: false }),
    Transform(({ value }) => (isUnset(value) ? undefined : (FLAGS[String(value)] ?? value)) as unknown),
    IsOptionalField(),
    IsBoolean(),
  );
}
