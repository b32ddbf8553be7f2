import { chunksOf, INTEGER, members, NULLABLE_STRING, OBJECT, STRING } from '../../../http/openapi/event-schema.js';

const CHOICE = members(
  { text: STRING, index: INTEGER, finish_reason: NULLABLE_STRING },
  { native_finish_reason: NULLABLE_STRING },
);

export const COMPLETION_EVENTS = chunksOf(
  'text_completion',
  {
    choice: CHOICE,
    required: { provider: STRING },
    optional: { usage: OBJECT, service_tier: NULLABLE_STRING },
  },
  '`usage`',
);
