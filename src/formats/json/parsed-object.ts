import { parseWithoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import { badResponse } from '../bad-response.js';

/** The JSON object that a vendor's body is; throws provider_failed for anything else. */
export function parsedObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value = parseWithoutPrototypeMembers(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Neither is a response of this protocol.
  }
  throw badResponse('is not a JSON object');
}
