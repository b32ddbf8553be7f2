import type { ResponsesRequestBody } from './responses.request.dto.js';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: ResponsesRequestBody }>>;

export const RESPONSES_EXAMPLES: Examples = {
  'built-in': {
    summary: 'A conversation with the built-in model, without a provider',
    value: { model: 'builtin/eliza', input: 'I am unhappy.' },
  },
  stream: {
    summary: 'The same as a stream',
    value: { model: 'builtin/eliza', stream: true, input: [{ role: 'user', content: 'I am unhappy.' }] },
  },
};

export const COMPACTION_EXAMPLES: Examples = {
  conversation: {
    summary: 'A conversation that has become long',
    value: { model: 'author/model', input: [{ role: 'user', content: 'Hello' }] },
  },
};
