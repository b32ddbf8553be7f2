import {
  ENDS_WITH_DONE,
  eventsOf,
  INTEGER,
  members,
  NULLABLE_STRING,
  OBJECT,
  reference,
  STRING,
} from '../../../http/openapi/event-schema.js';

/** A failure after the stream has started. The chunk has `finish_reason: "error"`. */
export const CHUNK_ERROR = members({ code: INTEGER, message: STRING }, { metadata: OBJECT });

const CHOICE = members(
  { index: INTEGER, delta: OBJECT, finish_reason: NULLABLE_STRING },
  { native_finish_reason: NULLABLE_STRING },
);

export const CHAT_EVENTS = eventsOf(
  members(
    {
      id: STRING,
      object: { type: 'string', enum: ['chat.completion.chunk'] },
      created: INTEGER,
      model: STRING,
      provider: STRING,
      choices: { type: 'array', items: CHOICE },
    },
    { usage: reference('ChatUsageResponse'), service_tier: NULLABLE_STRING, error: CHUNK_ERROR },
  ),
  `The last chunk has \`usage\`, and an empty list of choices. ${ENDS_WITH_DONE}`,
);
