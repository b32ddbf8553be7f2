import { parseWithoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import { badResponse } from '../bad-response.js';
import { isObject, type Members } from '../members.js';

/** Parses a vendor's body as a JSON object; throws provider_failed for anything else. */
export function parsedObject(body: Buffer): Members {
  try {
    const value = parseWithoutPrototypeMembers(body.toString('utf8'));
    if (isObject(value)) return value;
  } catch {
    // Invalid JSON, and JSON that is not an object, are not responses of this protocol.
  }
  throw badResponse('is not a JSON object');
}

/** Undefined if the text is not exactly one JSON object. */
export function objectIn(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
