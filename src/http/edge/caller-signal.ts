import type { Response } from 'express';
import { GatewayError } from '../../kernel/errors/errors.js';

/** Returns a signal that is aborted when the caller disconnects before its response is complete. */
export function callerSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort(new GatewayError('caller_gone', 'The caller disconnected'));
  });
  return controller.signal;
}
