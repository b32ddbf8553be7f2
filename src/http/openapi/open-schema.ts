import { getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import { CALL_HEADERS } from '../reply/call-headers.js';
import { GENERATION_ID_HEADER } from '../reply/generation-id.header.js';

/** The schema of a response to which providers may add members, which are forwarded. */
export const openSchema = (type: new () => object) => ({
  allOf: [{ $ref: getSchemaPath(type) }],
  additionalProperties: true,
});

export const TEXT_OR_EVENTS = 'The response, or a stream of server-sent events if `stream` is true';

/** The documentation of a response that is sent as JSON or as events. `events`: the result of `eventsOf`. */
export const jsonOrEvents = (
  description: string,
  schema: ReturnType<typeof openSchema> | { $ref: string },
  events: { schema: object },
): ApiResponseOptions => ({
  description,
  headers: { ...GENERATION_ID_HEADER, ...CALL_HEADERS },
  content: { 'application/json': { schema }, 'text/event-stream': events },
});
