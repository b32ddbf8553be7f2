import type { CompletionRequestBody } from './completion.request.dto.js';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: CompletionRequestBody }>>;

export const COMPLETION_EXAMPLES: Examples = {
  'built-in': {
    summary: 'With the built-in model, without any provider',
    value: { model: 'builtin/eliza', prompt: 'My mother takes care of me.', max_tokens: 64 },
  },
};
