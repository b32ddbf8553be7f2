import type { RerankRequestBody } from './rerank.request.dto.js';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: RerankRequestBody }>>;

export const RERANK_EXAMPLES: Examples = {
  'built-in': {
    summary: 'Two texts with the built-in model, without a provider',
    value: {
      model: 'builtin/lexical-embedding',
      query: 'red kites',
      documents: ['A ship at sea', 'Two red kites'],
      top_n: 1,
    },
  },
};
