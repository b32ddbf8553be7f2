import {
  chunksOf,
  INTEGER,
  members,
  NULLABLE_STRING,
  OBJECT,
  reference,
  STRING,
} from '../../../http/openapi/event-schema.js';

const CHOICE = members(
  { index: INTEGER, delta: OBJECT, finish_reason: NULLABLE_STRING },
  { native_finish_reason: NULLABLE_STRING },
);

export const CHAT_EVENTS = chunksOf(
  'chat.completion.chunk',
  {
    choice: CHOICE,
    required: { provider: STRING },
    optional: { usage: reference('ChatUsageResponse'), service_tier: NULLABLE_STRING },
  },
  '`usage`',
);
