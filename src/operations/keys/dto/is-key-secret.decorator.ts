import { ValidateBy } from 'class-validator';

export const MIN_SECRET_CHARACTERS = 32;
export const MAX_SECRET_CHARACTERS = 512;
const MIN_DIFFERENT_CHARACTERS = 10;
/** The characters that a bearer token in a header can contain. */
const PRINTABLE = /^[\x21-\x7e]+$/;

function isKeySecret(value: unknown): boolean {
  if (typeof value !== 'string' || !PRINTABLE.test(value)) return false;
  const isLongEnough = value.length >= MIN_SECRET_CHARACTERS && value.length <= MAX_SECRET_CHARACTERS;
  return isLongEnough && new Set(value).size >= MIN_DIFFERENT_CHARACTERS;
}

/** A secret that a caller supplies. The error message never contains it. */
export const IsKeySecret = (): PropertyDecorator =>
  ValidateBy({
    name: 'isKeySecret',
    validator: {
      validate: isKeySecret,
      defaultMessage: (member) =>
        `${member?.property} must have ${MIN_SECRET_CHARACTERS} to ${MAX_SECRET_CHARACTERS} characters of printable ` +
        `ASCII without spaces, of which at least ${MIN_DIFFERENT_CHARACTERS} are different`,
    },
  });
