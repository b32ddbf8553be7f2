import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUuid } from '../../kernel/ids.js';

export const REQUEST_ID_HEADER = 'x-request-id';

const REQUEST_ID = Symbol('request id');
type Identified = ServerResponse & { [REQUEST_ID]?: string };

/**
 * The id of the request to which a response belongs: the caller's X-Request-Id if it is a UUID, otherwise a new UUID.
 * Other text is not accepted, because it could contain a secret and the id is returned and recorded. The response class
 * of EdgeAdapter adds the id to the headers.
 */
export const requestIdOf = (response: Identified): string => (response[REQUEST_ID] ??= idFor(response.req));

function idFor({ headers }: IncomingMessage): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && isUuid(given) ? given : randomUUID();
}
