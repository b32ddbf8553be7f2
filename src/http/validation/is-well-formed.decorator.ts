import { withoutFault } from './is-name.decorators.js';

/**
 * A string without lone surrogates. UTF-8 cannot encode them, so the stored text would differ from the text that was
 * sent.
 */
export const IsWellFormed = (): PropertyDecorator =>
  withoutFault('isWellFormed', (text) => (/\p{Cs}/u.test(text) ? 'must be well-formed Unicode' : undefined));
