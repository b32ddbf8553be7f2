import { ValidateBy } from 'class-validator';

/** A string without half surrogate pairs: UTF-8 cannot say those, so another text than the one sent would be kept. */
export const IsWellFormed = (): PropertyDecorator =>
  ValidateBy({
    name: 'isWellFormed',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && !/\p{Cs}/u.test(value),
      defaultMessage: (asked) =>
        `${asked?.property} must be ${typeof asked?.value === 'string' ? 'well-formed Unicode' : 'a string'}`,
    },
  });
