import { MAX_OUTPUT_TOKENS } from '@gatehouse/builtin-models';

/** The entry of `builtin/eliza`, in the form of the catalogue's files. */
export const ELIZA_MODEL = {
  id: 'builtin/eliza',
  name: 'Built-in: Eliza',
  description:
    "A rule-based conversation after Weizenbaum's 1966 paper, run inside this service: no network, no vendor. It is " +
    'no language model: keywords choose patterns, and the same conversation always gives the same reply, in English. ' +
    'Made for trying out clients offline: it streams, a last message "/call <tool> <JSON arguments>" makes it call a ' +
    'tool that the request offers, a tool result is repeated, and JSON response formats are kept to for simple ' +
    'schemas. A token is four bytes of UTF-8, rounded up.',
  released: '2026-11-22',
  input: ['text'],
  output: ['text'],
  context: 131_072,
  max_output: MAX_OUTPUT_TOKENS,
  supports: ['max_tokens', 'response_format', 'stop', 'structured_outputs', 'tools'],
  endpoints: [
    {
      provider: 'builtin',
      capability: 'chat',
      model: 'eliza',
      credential: false,
      zdr: true,
      streaming: true,
      usd_per_million: { prompt: '0', completion: '0' },
    },
  ],
} as const;
