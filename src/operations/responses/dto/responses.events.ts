import { eventsOf, INTEGER, OBJECT, STRING, typedEvent } from '../../../http/openapi/event-schema.js';

const STATES = ['created', 'in_progress', 'completed', 'incomplete', 'failed'].map((state) => `response.${state}`);

export const RESPONSES_EVENTS = eventsOf(
  {
    oneOf: [
      typedEvent(STATES, { sequence_number: INTEGER, response: OBJECT }),
      {
        ...typedEvent([], { sequence_number: INTEGER }),
        properties: {
          type: {
            ...STRING,
            not: { enum: STATES },
            description:
              '`response.output_item.added` and `.done` have `item`; `response.content_part.added` and `.done` have ' +
              '`part`; events that end in `.delta` have `delta`; other events of the provider are passed on',
          },
          sequence_number: INTEGER,
          output_index: INTEGER,
          item: OBJECT,
          part: OBJECT,
          delta: { type: ['string', 'object'] },
        },
      },
    ],
  },
  'An `event:` line repeats the type. The last event is ' +
    '`response.completed`, `response.incomplete` or `response.failed`.',
);
