import type { IncomingMessage } from 'node:http';
import { invalidRequest } from '../../kernel/errors/errors.js';

export const URLENCODED = 'application/x-www-form-urlencoded';
const MAX_PARAMETERS = 100;

export const isUrlencoded = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === URLENCODED;

/**
 * The parameters of a form. Throws `invalid_request` if the form has too many parameters, or has a parameter twice (RFC
 * 6749, section 3.2).
 */
export function parseUrlencodedBody(bytes: Buffer): Record<string, string> {
  const parameters = [...new URLSearchParams(bytes.toString('utf8'))];
  if (parameters.length > MAX_PARAMETERS) throw invalidRequest(`The form has more than ${MAX_PARAMETERS} parameters`);
  const body = Object.fromEntries(parameters);
  if (Object.keys(body).length < parameters.length) throw invalidRequest('The form has a parameter twice');
  return body;
}
