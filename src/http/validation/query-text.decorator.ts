import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { IsOptionalField } from './is-optional-field.decorator.js';
import { MaxCharacters } from './max-characters.decorator.js';

const MAX_TEXT_CHARACTERS = 512;
/** NUL is refused, because PostgreSQL cannot store it, so no record contains it. */
const WITHOUT_NUL = /^[^\0]*$/;

/** An optional text in the query that is compared with texts in the database. */
export const QueryText = (options: ApiPropertyOptions = {}): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, maxLength: MAX_TEXT_CHARACTERS, ...options }),
    IsOptionalField(),
    IsString(),
    MaxCharacters(MAX_TEXT_CHARACTERS),
    Matches(WITHOUT_NUL, { message: '$property must not contain the character U+0000' }),
  );

/** The start or end of a time range in the query. */
export const QueryTime = (): PropertyDecorator => QueryText({ example: '2026-01-31T00:00:00Z', maxLength: 64 });
