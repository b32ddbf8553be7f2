import { MAX_TOKEN_IDS } from '@gatehouse/builtin-models';

/** The entry of `builtin/lexical-embedding`, in the form of the catalogue's files. */
export const LEXICAL_EMBEDDING_MODEL = {
  id: 'builtin/lexical-embedding',
  name: 'Built-in: Lexical embedding',
  description:
    'Hashes words and runs of characters of a text into a vector of 256 dimensions, inside this service: no ' +
    'network, no vendor. It is no language model and knows no meanings: texts are close where they share words ' +
    'or parts of words, whatever their language. Deterministic, of length 1; `dimensions` from 1 to 256 folds ' +
    'the vector. A token is four bytes of UTF-8, rounded up, or one id; what exceeds the context is not read. ' +
    'Ranks documents for /rerank by the cosine of their vectors and that of the query.',
  released: '2026-11-22',
  input: ['text'],
  output: ['embeddings', 'rerank'],
  context: MAX_TOKEN_IDS,
  supports: ['dimensions'],
  endpoints: [
    {
      provider: 'builtin',
      capability: 'embeddings',
      model: 'lexical-embedding',
      credential: false,
      zdr: true,
      streaming: false,
      usd_per_million: { prompt: '0', completion: '0' },
    },
    {
      provider: 'builtin',
      tag: 'builtin/rerank',
      capability: 'rerank',
      model: 'lexical-embedding',
      credential: false,
      zdr: true,
      streaming: false,
      usd_per_million: { prompt: '0', completion: '0' },
    },
  ],
} as const;
