import { flag, integer, oneOf } from './parsers.js';

/** What holds for calls of text. */
export const TEXT_VARIABLES = {
  CHAT_BODY_LIMIT_BYTES: {
    parse: integer(1024, 1_073_741_824),
    default: '26214400',
    doc: 'Largest request body of the text routes (chat completions, messages, embeddings), in bytes.',
  },
  RESPONSE_CACHE_BYTES: {
    parse: integer(0, 1_099_511_627_776),
    default: '67108864',
    doc:
      'Memory for responses of text and embeddings that equal requests of one key reuse, in bytes; 0 switches the ' +
      'cache off. A response of more than a quarter of it is not kept.',
  },
  DEFAULT_MAX_OUTPUT_TOKENS: {
    parse: integer(1, 100_000_000),
    doc:
      'Output tokens that are reserved for a text call, and forwarded as its bound, where the caller names none. ' +
      'Absent: the most that the endpoint can write is reserved. A workspace may set its own.',
  },
  MODEL_WILDCARDS: {
    parse: oneOf('on', 'off'),
    default: 'on',
    doc:
      'Whether a text model that is not in the catalogue goes to its vendor where the family of its name is known ' +
      '(`claude-*`, `gpt-*`), billed at the highest prices of the family: `on` or `off`.',
  },
  DRAIN_CANCELLED: {
    parse: flag,
    default: 'false',
    doc:
      'Whether the stream of a text call is read to its usage after the caller left, so that the bill is exact; the ' +
      'provider writes and charges it to the end. Where the provider charges it anyway, it is read in any case.',
  },
  COUNT_TOKENS_AT_ONCE: {
    parse: integer(1, 1_000),
    default: '4',
    doc: 'Requests to POST /messages/count_tokens that one key may have under way at a time.',
  },
  COUNT_TOKENS_CPU_MS_PER_MINUTE: {
    parse: integer(1, 60_000),
    default: '20000',
    doc:
      'CPU time of POST /messages/count_tokens that one key may use in a minute, milliseconds. A million characters ' +
      'of prose take about 150, of the slowest text 3,000.',
  },
  COUNT_TOKENS_FORWARDED: {
    parse: flag,
    default: 'false',
    doc:
      "Whether POST /messages/count_tokens asks the provider, on the platform's credential, where it counts tokens " +
      'itself. Otherwise, and for all other providers, tokens are counted here, 10 to 20 % off for many models.',
  },
} as const;
