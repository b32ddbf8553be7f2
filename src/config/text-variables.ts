import { flag, integer, oneOf } from './schemas.js';

/** Variables of text calls. */
export const TEXT_VARIABLES = {
  CHAT_BODY_LIMIT_BYTES: {
    schema: integer(1024, 1_073_741_824),
    default: '26214400',
    doc: 'Largest request body of the text routes (chat completions, messages, embeddings), in bytes.',
  },
  RESPONSE_CACHE_BYTES: {
    schema: integer(0, 1_099_511_627_776),
    default: '67108864',
    doc:
      'Memory of the cache for responses of text and embeddings, in bytes; 0 = no cache. Identical requests of one ' +
      'key reuse a response. A response larger than a quarter of the cache is not stored.',
  },
  DEFAULT_MAX_OUTPUT_TOKENS: {
    schema: integer(1, 100_000_000),
    doc:
      'The output tokens to reserve for a text call, and to forward as its limit, if the request has no ' +
      'limit. Absent: the maximum of the endpoint is reserved. A workspace can have its own value.',
  },
  MODEL_WILDCARDS: {
    schema: oneOf('on', 'off'),
    default: 'on',
    doc:
      'Whether calls of a text model that is not in the catalogue are sent to its vendor if the family of ' +
      'its name is known (`claude-*`, `gpt-*`). They are billed at the highest prices of the family: `on` ' +
      'or `off`.',
  },
  DRAIN_CANCELLED: {
    schema: flag,
    default: 'false',
    doc:
      'Whether the stream of a text call is read until its usage after the caller disconnected, so that ' +
      'the bill is exact; the provider then generates and charges the whole response. If the provider ' +
      'charges the whole response in any case, the stream is always read.',
  },
  COUNT_TOKENS_AT_ONCE: {
    schema: integer(1, 1_000),
    default: '4',
    doc: 'The maximum number of concurrent requests of one key to POST /messages/count_tokens.',
  },
  COUNT_TOKENS_CPU_MS_PER_MINUTE: {
    schema: integer(1, 60_000),
    default: '20000',
    doc:
      'The CPU time that one key may use per minute for POST /messages/count_tokens, in milliseconds. A million ' +
      'characters of prose take about 150 ms; a million characters of the slowest text take 3,000 ms.',
  },
  COUNT_TOKENS_FORWARDED: {
    schema: flag,
    default: 'false',
    doc:
      "Whether POST /messages/count_tokens uses the provider's own count if it has one, with the " +
      "platform's credential. Otherwise, and for all other providers, the service counts the tokens; for " +
      'many models the result differs by 10 to 20 %.',
  },
} as const;
