import { GatewayError, invalidRequest } from '../../../kernel/errors/errors.js';

/**
 * Maximum number of values in a body: members, elements and containers, each counted once. The time of later processing
 * is proportional to the number of values.
 */
export const MAX_VALUES = 200_000;

/**
 * Maximum number of objects in a body. If each object has a different shape, V8's caches have no effect, so reading and
 * listing the members takes about 3 µs per object.
 */
export const MAX_OBJECTS = 16_384;

/** Maximum nesting depth, so that code that traverses a body recursively does not overflow the stack. */
export const MAX_DEPTH = 64;

/**
 * Maximum number of members of one object. It applies to the objects in a member that the route reads, at any depth,
 * because listing the names of a larger object takes too long.
 */
export const MAX_OBJECT_MEMBERS = 16_384;

/**
 * Maximum number of characters of a number in a large body, because the scan of a number cannot be split into steps.
 */
export const MAX_NUMBER_CHARACTERS = 16_384;

export const numberTooLong = (at: number): GatewayError =>
  invalidRequest(`The request body holds a number of more than ${MAX_NUMBER_CHARACTERS} characters, at position ${at}`);
export const tooManyValues = (): GatewayError =>
  invalidRequest(`The request body holds more than ${MAX_VALUES} values`);
export const tooManyObjects = (): GatewayError =>
  invalidRequest(`The request body holds more than ${MAX_OBJECTS} objects`);
export const tooDeep = (): GatewayError => invalidRequest(`The request body is nested deeper than ${MAX_DEPTH} levels`);
export const notAnObject = (): GatewayError => invalidRequest('The request body must be a JSON object');
export const notUtf8 = (): GatewayError => invalidRequest('The request body is not valid UTF-8');
export const notJson = (where: string): GatewayError => invalidRequest(`The request body is not valid JSON: ${where}`);
