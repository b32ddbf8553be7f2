import type { EmbeddingsRequestBody } from './embeddings.request.dto.js';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: EmbeddingsRequestBody }>>;

export const EMBEDDINGS_EXAMPLES: Examples = {
  'built-in': {
    summary: 'Two texts with the built-in model, without a provider',
    value: { model: 'builtin/lexical-embedding', input: ['A red kite', 'Two red kites'] },
  },
  base64: {
    summary: 'One text as 64 numbers in base64',
    value: { model: 'builtin/lexical-embedding', input: 'A red kite', dimensions: 64, encoding_format: 'base64' },
  },
};
