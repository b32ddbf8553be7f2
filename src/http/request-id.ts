import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUuid } from '../kernel/ids.js';

export const REQUEST_ID_HEADER = 'x-request-id';

const REQUEST_ID = Symbol('request id');
type Identified = ServerResponse & { [REQUEST_ID]?: string };

/**
 * The id of a request that is being answered: the caller's X-Request-Id where it is a UUID, else one that is made here. It is echoed and
 * recorded, and any freer text could hold a secret. The responses that EdgeAdapter makes put it into their heads.
 */
export const requestIdOf = (response: Identified): string => (response[REQUEST_ID] ??= idFor(response.req));

function idFor({ headers }: IncomingMessage): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && isUuid(given) ? given : randomUUID();
}
