import { ValidateBy } from 'class-validator';
import { isLongerThan, lengthInCharacters } from '../../kernel/text/text.js';

/** The numbers of characters that a text may have. */
export interface TextRule {
  readonly min?: number;
  readonly max: number;
}

/**
 * Text of `min` to `max` Unicode code points. Lone surrogates and the character NUL are refused, because PostgreSQL's
 * text cannot store them.
 */
export function IsText({ min = 0, max }: TextRule): PropertyDecorator {
  return ValidateBy({
    name: 'isText',
    validator: {
      validate: (value) => problemOf(value, min, max) === undefined,
      defaultMessage: (given) =>
        `${given?.property ?? 'the field'} ${problemOf(given?.value, min, max) ?? 'is not text'}`,
    },
  });
}

function problemOf(value: unknown, min: number, max: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (isLongerThan(value, max) || lengthInCharacters(value) < min)
    return min > 0 ? `must be ${min} to ${max} characters long` : `must be at most ${max} characters long`;
  if (value.includes('\0')) return 'must not contain the character NUL';
  return /\p{Surrogate}/u.test(value) ? 'must not contain half of a surrogate pair' : undefined;
}
