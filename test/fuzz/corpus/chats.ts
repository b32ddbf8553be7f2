import { CHAT_MODELS } from '../../support/calls/chat-models.js';
import { HOSTILE_CHATS, streamed } from '../requests/hostile-chats.js';
import type { KeptRequest } from './kept-request.js';

const WAYS = Object.entries(CHAT_MODELS).flatMap(([way, model]) =>
  [false, true].map((isStreamed) => ({ way, model, isStreamed })),
);

/**
 * Every hostile or odd chat of a kind, each with the next combination of model and `stream`. Consecutive chats differ
 * in one value, so similar chats reach all models, streamed and buffered.
 */
export function* oddChats(kind: string): Generator<KeptRequest> {
  for (const [index, { name, body }] of HOSTILE_CHATS[kind]!.entries()) {
    const { way, model, isStreamed } = WAYS[index % WAYS.length]!;
    yield {
      name: `${name}, ${way}${isStreamed ? ', streamed' : ''}`,
      method: 'POST',
      path: '/api/v1/chat/completions',
      body: () => (isStreamed ? streamed(body(model)) : body(model)),
      isPaid: true,
    };
  }
}
