import { isObject, type Members } from './members.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { parseWithoutPrototypeMembers } from '../kernel/text/prototype-members.js';
import { badResponse } from './bad-response.js';

/**
 * Parses an event or a body of a vendor as a JSON object. Throws provider_failed for anything else. `parse`: JSON.parse
 * if the members that change prototypes were removed before.
 */
export function responseMembers(
  json: Buffer | string,
  parse: (text: string) => unknown = parseWithoutPrototypeMembers,
): Members {
  const members = objectIn(json.toString(), parse);
  if (!members) throw badResponse('is not a JSON object');
  return members;
}

/** Undefined if the text is not exactly one JSON object. */
export function objectIn(text: string, parse: (text: string) => unknown = JSON.parse): Members | undefined {
  try {
    const value = parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Passes an event of a stream to `relay`. Returns a failure if the event is not a JSON object or if `relay` throws. An
 * error other than a GatewayError means that the event is nested too deeply to be serialised.
 */
export function failureOfEvent(json: string, relay: (event: Members) => void): GatewayError | undefined {
  const event = objectIn(json);
  if (!event) return badResponse('holds an event that is not a JSON object');
  try {
    relay(event);
    return undefined;
  } catch (error) {
    return error instanceof GatewayError ? error : badResponse('holds an event that is nested too deeply');
  }
}

/** A part of a response as JSON. Throws provider_failed if it is nested too deeply to be serialised. */
export function printed(part: object): string {
  try {
    return JSON.stringify(part);
  } catch {
    throw badResponse('is nested too deeply');
  }
}

/** Returns its argument. Throws RangeError if the members are nested too deeply to be serialised. */
export function printable(members: Members): Members {
  JSON.stringify(members);
  return members;
}

/**
 * Returns the result of `read` for a vendor's response. Errors other than GatewayError become failures of the vendor.
 */
export function vendorResult<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof GatewayError ? error : badResponse('is nested too deeply');
  }
}
