import {
  ENDS_WITH_DONE,
  eventsOf,
  INTEGER,
  members,
  NULLABLE_STRING,
  OBJECT,
  STRING,
} from '../../../http/openapi/event-schema.js';

const CHOICE = members(
  { text: STRING, index: INTEGER, finish_reason: NULLABLE_STRING },
  { native_finish_reason: NULLABLE_STRING },
);

export const COMPLETION_EVENTS = eventsOf(
  members(
    {
      id: STRING,
      object: { type: 'string', enum: ['text_completion'] },
      created: INTEGER,
      model: STRING,
      provider: STRING,
      choices: { type: 'array', items: CHOICE },
    },
    {
      usage: OBJECT,
      service_tier: NULLABLE_STRING,
      error: members({ code: INTEGER, message: STRING }, { metadata: OBJECT }),
    },
  ),
  `The last chunk has \`usage\`, and an empty list of choices. ${ENDS_WITH_DONE}`,
);
