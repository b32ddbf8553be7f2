import { isObject, type Members } from './members.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { parseWithoutPrototypeMembers } from '../kernel/text/prototype-members.js';
import { badResponse } from './bad-response.js';

/** Parses an event or a body of a vendor as a JSON object. Throws provider_failed for anything else. */
export function responseMembers(json: Buffer | string): Members {
  try {
    const value = parseWithoutPrototypeMembers(json.toString());
    if (isObject(value)) return value;
  } catch {
    // Invalid JSON, and JSON that is not an object, are not responses of any format.
  }
  throw badResponse('is not a JSON object');
}

/** Returns its argument. Throws RangeError if the members are nested too deeply to be serialised. */
export function printable(members: Members): Members {
  JSON.stringify(members);
  return members;
}

/**
 * Returns the result of `read` for a vendor's response. Errors other than GatewayError become failures of the vendor.
 */
export function ofVendor<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof GatewayError ? error : badResponse('is nested too deeply');
  }
}
