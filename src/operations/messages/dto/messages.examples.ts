import type { CountTokensRequestBody } from './count-tokens.request.dto.js';
import type { MessagesRequestBody } from './messages.request.dto.js';

type Examples<Body> = Readonly<Record<string, { readonly summary: string; readonly value: Body }>>;

export const MESSAGES_EXAMPLES: Examples<MessagesRequestBody> = {
  'built-in': {
    summary: 'A conversation with the built-in model, without a provider',
    value: {
      model: 'builtin/eliza',
      max_tokens: 256,
      messages: [{ role: 'user', content: 'I am unhappy.' }],
    },
  },
};

export const COUNT_TOKENS_EXAMPLES: Examples<CountTokensRequestBody> = {
  'a text': {
    summary: 'The tokens of a text',
    value: { model: 'builtin/eliza', messages: [{ role: 'user', content: 'I am unhappy.' }] },
  },
};
