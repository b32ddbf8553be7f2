import {
  ENDS_WITH_DONE,
  eventsOf,
  INTEGER,
  members,
  NULLABLE_STRING,
  OBJECT,
  STRING,
} from '../../../http/openapi/event-schema.js';

export const INTERN_CHAT_EVENTS = eventsOf(
  members(
    {
      id: STRING,
      object: { type: 'string', enum: ['chat.completion.chunk'] },
      created: INTEGER,
      model: STRING,
      choices: {
        type: 'array',
        items: members({ index: INTEGER, delta: OBJECT, finish_reason: NULLABLE_STRING }),
      },
    },
    {
      session_id: NULLABLE_STRING,
      usage: { type: ['object', 'null'], additionalProperties: true },
      error: members({ code: INTEGER, message: STRING }, { metadata: OBJECT }),
    },
  ),
  `The last chunk has \`session_id\` and \`usage\`, and an empty list of choices. ${ENDS_WITH_DONE}`,
);
