import { isLongerThan, lengthInCharacters } from '../../kernel/text/text.js';
import { withoutFault } from './is-name.decorators.js';

/** The numbers of characters that a text may have. */
export interface TextRule {
  readonly min?: number;
  readonly max: number;
}

/**
 * Text of `min` to `max` Unicode code points. Lone surrogates and the character NUL are refused, because PostgreSQL's
 * text cannot store them.
 */
export const IsText = ({ min = 0, max }: TextRule): PropertyDecorator =>
  withoutFault('isText', (text) => faultOfText(text, min, max));

function faultOfText(text: string, min: number, max: number): string | undefined {
  if (isLongerThan(text, max) || lengthInCharacters(text) < min)
    return min > 0 ? `must be ${min} to ${max} characters long` : `must be at most ${max} characters long`;
  if (text.includes('\0')) return 'must not contain the character NUL';
  return /\p{Surrogate}/u.test(text) ? 'must not contain half of a surrogate pair' : undefined;
}
