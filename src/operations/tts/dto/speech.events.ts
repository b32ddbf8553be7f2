import { eventsOf, INTEGER, members, STRING, typedEvent } from '../../../http/openapi/event-schema.js';

const USAGE = members({
  input_tokens: INTEGER,
  output_tokens: INTEGER,
  total_tokens: INTEGER,
  cost: { type: 'number' },
});

export const SPEECH_EVENTS_CONTENT = eventsOf(
  {
    oneOf: [
      typedEvent(['speech.audio.delta'], {
        audio: { ...STRING, description: 'Each piece is encoded separately in base64' },
      }),
      typedEvent(['speech.audio.done'], { usage: USAGE }),
    ],
  },
  'The last event is `speech.audio.done`; a stream without it was cut off.',
);
