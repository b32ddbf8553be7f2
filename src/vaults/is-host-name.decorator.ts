import { ValidateBy, type ValidationOptions } from 'class-validator';
import { exactHostName } from './host-names.js';

/** An exact DNS name: no scheme, port, path, wildcard or address. */
export function IsHostName(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isHostName',
      validator: {
        validate: (value) => typeof value === 'string' && exactHostName(value) !== undefined,
        defaultMessage: () =>
          '$property must be exact DNS names such as api.example.com, without scheme, port, path or ' +
          'wildcard; names outside ASCII in their xn-- form',
      },
    },
    options,
  );
}
