import { parseWithoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import { badResponse } from '../bad-response.js';

/** Parses a vendor's body as a JSON object; throws provider_failed for anything else. */
export function parsedObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value = parseWithoutPrototypeMembers(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Invalid JSON, and JSON that is not an object, are not responses of this protocol.
  }
  throw badResponse('is not a JSON object');
}
