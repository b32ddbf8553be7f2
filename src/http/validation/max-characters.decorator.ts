import { ValidateBy, type ValidationOptions } from 'class-validator';
import { lengthInCharacters } from '../../kernel/text/text.js';

/**
 * At most `max` Unicode code points. class-validator's MaxLength accepts longer text, because it does not count
 * variation selectors.
 */
export const MaxCharacters = (max: number, options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'maxLength',
      constraints: [max],
      validator: {
        validate: (value: unknown) => typeof value === 'string' && lengthInCharacters(value) <= max,
        defaultMessage: (given) =>
          `${options?.each ? 'each value in ' : ''}${given?.property} must be shorter than or equal to ` +
          `${max} characters`,
      },
    },
    options,
  );
