import { chunksOf, INTEGER, members, NULLABLE_STRING, OBJECT } from '../../../http/openapi/event-schema.js';

export const INTERN_CHAT_EVENTS = chunksOf(
  'chat.completion.chunk',
  {
    choice: members({ index: INTEGER, delta: OBJECT, finish_reason: NULLABLE_STRING }),
    optional: { session_id: NULLABLE_STRING, usage: { type: ['object', 'null'], additionalProperties: true } },
  },
  '`session_id` and `usage`',
);
