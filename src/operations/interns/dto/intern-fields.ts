/** Rules for the fields of an intern, the same in POST and PATCH (specification, POST /interns). */
export const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
export const NAME_RULE =
  'name must be lower-case letters and digits in words joined by single hyphens, and begin with a letter';
export const NAME_LENGTH = { min: 2, max: 17 } as const;
export const DESCRIPTION_MAX = 2_000;
export const INSTRUCTIONS_MAX = 100_000;
