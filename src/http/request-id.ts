import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUuid } from '../kernel/ids.js';

export const REQUEST_ID_HEADER = 'x-request-id';

const REQUEST_ID = Symbol('request id');
type Identified = ServerResponse & { [REQUEST_ID]?: string };

/**
 * Takes the caller's X-Request-Id where it is a UUID, else makes one; the response that EdgeAdapter makes puts it into its head. It is
 * echoed and recorded, and any freer text could hold a secret.
 */
export function noteRequestId(request: IncomingMessage, response: Identified): void {
  const given = request.headers[REQUEST_ID_HEADER];
  response[REQUEST_ID] = typeof given === 'string' && isUuid(given) ? given : randomUUID();
}

/** The id of a request that is being answered. */
export const requestIdOf = (response: Identified): string => response[REQUEST_ID]!;
