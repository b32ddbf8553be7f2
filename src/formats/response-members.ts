import { isObject, type Members } from './members.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { parseWithoutPrototypeMembers } from '../kernel/text/prototype-members.js';
import { badResponse } from './bad-response.js';

/** The JSON object that an event or a body of a vendor is. Throws provider_failed where it is none. */
export function responseMembers(json: Buffer | string): Members {
  try {
    const value = parseWithoutPrototypeMembers(json.toString());
    if (isObject(value)) return value;
  } catch {
    // Neither is a response of any format.
  }
  throw badResponse('holds what is not a JSON object');
}

/** The same members. Throws RangeError where they are nested too deeply to be printed again. */
export function printable(members: Members): Members {
  JSON.stringify(members);
  return members;
}

/** The result of `read` for a vendor's response. Other errors than GatewayError become failures of the vendor. */
export function ofVendor<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof GatewayError ? error : badResponse('is nested too deeply');
  }
}
