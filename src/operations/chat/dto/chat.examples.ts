import type { ChatRequestBody } from './chat.request.dto.js';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: ChatRequestBody }>>;

export const CHAT_EXAMPLES: Examples = {
  'built-in': {
    summary: 'A conversation with the built-in model, without a provider',
    value: { model: 'builtin/eliza', messages: [{ role: 'user', content: 'I am unhappy.' }] },
  },
  stream: {
    summary: 'The same as a stream',
    value: { model: 'builtin/eliza', stream: true, messages: [{ role: 'user', content: 'I am unhappy.' }] },
  },
};
