import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../kernel/errors/errors.js';

const FAIL = Symbol('fail the reading of the body');
type Reading = IncomingMessage & { [FAIL]?: (error: GatewayError) => void };

/** Registers a callback for a body that arrives too slowly. The callback is called at most once. */
export function onSlowBody(request: Reading, fail: (error: GatewayError) => void): void {
  request[FAIL] = fail;
}

/** Whether the body of a request is being read. */
export const isBodyRead = (request: Reading): boolean => request[FAIL] !== undefined;

/** Aborts the reading of the body; false if the body is not being read. */
export function failSlowBody(request: Reading): boolean {
  const fail = request[FAIL];
  if (!fail) return false;
  request[FAIL] = undefined;
  fail(new GatewayError('deadline_exceeded', 'The request body arrived too slowly or not at all. Send it again.'));
  return true;
}
