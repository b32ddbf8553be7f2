import { ValidateBy } from 'class-validator';

/** A string without lone surrogates: UTF-8 cannot encode them, so the stored text would differ from the one sent. */
export const IsWellFormed = (): PropertyDecorator =>
  ValidateBy({
    name: 'isWellFormed',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && !/\p{Cs}/u.test(value),
      defaultMessage: (asked) =>
        `${asked?.property} must be ${typeof asked?.value === 'string' ? 'well-formed Unicode' : 'a string'}`,
    },
  });
