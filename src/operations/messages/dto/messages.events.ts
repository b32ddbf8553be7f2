import {
  eventsOf,
  INTEGER,
  members,
  NULLABLE_STRING,
  OBJECT,
  STRING,
  typedEvent,
} from '../../../http/openapi/event-schema.js';

export const MESSAGE_EVENTS = eventsOf(
  {
    oneOf: [
      typedEvent(['message_start'], { message: OBJECT }),
      typedEvent(['content_block_start'], { index: INTEGER, content_block: OBJECT }),
      typedEvent(['content_block_delta'], { index: INTEGER, delta: OBJECT }),
      typedEvent(['content_block_stop'], { index: INTEGER }),
      typedEvent(['message_delta'], { delta: OBJECT, usage: OBJECT }),
      typedEvent(['message_stop', 'ping']),
      typedEvent(['error'], { error: members({ type: STRING, message: STRING }) }, { request_id: NULLABLE_STRING }),
    ],
  },
  'An `event:` line repeats the type. The last event is `message_stop`, or `error` after a failure.',
);
