import { headerNames, textThat } from './schemas.js';

/** A number of requests (`points`) per number of seconds. */
export interface RateLimit {
  readonly points: number;
  readonly seconds: number;
}

function limitOf(value: string): RateLimit | null {
  const [points = 0, seconds = 0] = /^\d{1,9}\/\d{1,5}$/.test(value) ? value.split('/').map(Number) : [];
  return points < 1 || seconds < 1 || seconds > 86_400 ? null : { points, seconds };
}

/** `30/60` = 30 in 60 seconds; `off` = no limit (null). */
export const rateLimit = textThat(
  (value) => value === 'off' || limitOf(value) !== null,
  'off, or requests/seconds such as 30/60 (at most 86400 seconds)',
).transform(limitOf);

const isAddress = (part: string): boolean =>
  /^(loopback|linklocal|uniquelocal|[0-9a-fA-F:.]+(\/\d{1,3})?)$/.test(part) && !/^\d+$/.test(part);

/** The proxies whose X-Forwarded-For is trusted: false, their number, or their addresses. */
export const trustedProxies = textThat(
  (value) => value === 'off' || /^[1-9]$/.test(value) || value.split(',').every((part) => isAddress(part.trim())),
  'off, the number of proxies in front (1 to 9), or their addresses such as 10.0.0.0/8,loopback',
).transform((value): false | number | string[] => {
  if (value === 'off') return false;
  return /^\d$/.test(value) ? Number(value) : value.split(',').map((part) => part.trim());
});

const PER_ACCOUNT = 'The limit for all keys of one account together, for the routes of';

/** The variables of rate limits, part of VARIABLES. */
export const RATE_LIMIT_VARIABLES = {
  RATE_LIMIT_INFERENCE: {
    schema: rateLimit,
    default: 'off',
    doc:
      'Requests per key to every route of inference (chat, messages, responses, completions, embeddings, rerank, ' +
      'images, speech, transcriptions) and to the chat of interns, as requests/seconds; off = no limit.',
  },
  RATE_LIMIT_INFERENCE_ACCOUNT: { schema: rateLimit, default: 'off', doc: `${PER_ACCOUNT} RATE_LIMIT_INFERENCE.` },
  RATE_LIMIT_MANAGEMENT: {
    schema: rateLimit,
    default: 'off',
    doc:
      'Requests per key to the routes of keys, end users, workspaces, webhooks, credits, activity and files, as ' +
      'requests/seconds.',
  },
  RATE_LIMIT_MANAGEMENT_ACCOUNT: {
    schema: rateLimit,
    default: 'off',
    doc: `${PER_ACCOUNT} RATE_LIMIT_MANAGEMENT.`,
  },
  RATE_LIMIT_BENCHMARKS: {
    schema: rateLimit,
    default: '1200/60',
    doc: 'Requests per key to GET /benchmarks, as requests/seconds.',
  },
  RATE_LIMIT_BENCHMARKS_ACCOUNT: {
    schema: rateLimit,
    default: 'off',
    doc: `${PER_ACCOUNT} RATE_LIMIT_BENCHMARKS.`,
  },
  RATE_LIMIT_ANALYTICS: {
    schema: rateLimit,
    default: 'off',
    doc: 'Requests per key to the analytics routes, as requests/seconds.',
  },
  RATE_LIMIT_ANALYTICS_ACCOUNT: { schema: rateLimit, default: 'off', doc: `${PER_ACCOUNT} RATE_LIMIT_ANALYTICS.` },
  RATE_LIMIT_COUNTING: {
    schema: rateLimit,
    default: '60/60',
    doc: 'Requests per key to POST /messages/count_tokens, as requests/seconds.',
  },
  RATE_LIMIT_COUNTING_ACCOUNT: { schema: rateLimit, default: 'off', doc: `${PER_ACCOUNT} RATE_LIMIT_COUNTING.` },
  RATE_LIMIT_OTHER: {
    schema: rateLimit,
    default: 'off',
    doc: 'Requests per key to every other route, as requests/seconds.',
  },
  RATE_LIMIT_OTHER_ACCOUNT: { schema: rateLimit, default: 'off', doc: `${PER_ACCOUNT} RATE_LIMIT_OTHER.` },
  RATE_LIMIT_FAILED_KEYS: {
    schema: rateLimit,
    default: '1200/60',
    doc:
      'Requests with unknown keys from one address before it gets 429, as requests/seconds. Valid keys ' +
      'from that address still work.',
  },
  RATE_LIMIT_SIGN_IN: {
    schema: rateLimit,
    default: '120/60',
    doc:
      'Failed attempts from one address to sign in to the console, or to exchange a code or a token, as ' +
      'requests/seconds. Further failures return 429; a valid link, key, code or token still works.',
  },
  END_USER_HEADERS: {
    schema: headerNames,
    default: 'off',
    doc:
      'Headers that name the end user of a call whose body has no user, separated by commas; the first one ' +
      'in a request is used. off = none. They are read only for keys with the setting ' +
      'trust_end_user_headers. Open WebUI sends X-OpenWebUI-User-Id.',
  },
  TRUST_PROXY: {
    schema: trustedProxies,
    default: 'off',
    doc:
      'Whether the address of a caller is read from X-Forwarded-For: off, the number of proxies in front ' +
      'of the service, or their addresses (10.0.0.0/8,loopback).',
  },
} as const;
