import { headerNames } from './parsers.js';

/** A number of requests (`points`) per number of seconds. */
export interface RateLimit {
  readonly points: number;
  readonly seconds: number;
}

const RATE_LIMIT = /^(\d{1,9})\/(\d{1,5})$/;

/** `30/60` = 30 in 60 seconds; `off` = no limit (null). */
export function rateLimit(text: string): RateLimit | null {
  if (text === 'off') return null;
  const [points = 0, seconds = 0] = RATE_LIMIT.exec(text)?.slice(1).map(Number) ?? [];
  if (points < 1 || seconds < 1 || seconds > 86_400)
    throw new Error('must be off, or requests/seconds such as 30/60 (at most 86400 seconds)');
  return { points, seconds };
}

const ADDRESSES = /^(loopback|linklocal|uniquelocal|[0-9a-fA-F:.]+(\/\d{1,3})?)$/;

/** The proxies whose X-Forwarded-For is trusted: false, their number, or their addresses. */
export function trustedProxies(text: string): false | number | string[] {
  if (text === 'off') return false;
  if (/^\d$/.test(text) && text !== '0') return Number(text);
  const addresses = text.split(',').map((address) => address.trim());
  if (!addresses.every((address) => ADDRESSES.test(address) && !/^\d+$/.test(address))) {
    throw new Error(
      'must be off, the number of proxies in front (1 to 9), or their addresses such as 10.0.0.0/8,loopback',
    );
  }
  return addresses;
}

const PER_ACCOUNT = 'Of all keys of one account together';

/** The variables of rate limits, part of VARIABLES. */
export const RATE_LIMIT_VARIABLES = {
  RATE_LIMIT_INFERENCE: {
    parse: rateLimit,
    default: 'off',
    doc:
      'Requests per key to every route of inference (chat, messages, responses, completions, embeddings, rerank, ' +
      'images, speech, transcriptions) and to the chat of interns, as requests/seconds; off = no limit.',
  },
  RATE_LIMIT_INFERENCE_ACCOUNT: { parse: rateLimit, default: 'off', doc: `${PER_ACCOUNT}, as RATE_LIMIT_INFERENCE.` },
  RATE_LIMIT_MANAGEMENT: {
    parse: rateLimit,
    default: 'off',
    doc: 'Requests per key to keys, end users, workspaces, webhooks, credits, activity, files, as requests/seconds.',
  },
  RATE_LIMIT_MANAGEMENT_ACCOUNT: { parse: rateLimit, default: 'off', doc: `${PER_ACCOUNT}, as RATE_LIMIT_MANAGEMENT.` },
  RATE_LIMIT_BENCHMARKS: {
    parse: rateLimit,
    default: '1200/60',
    doc: 'Requests per key to GET /benchmarks, as requests/seconds.',
  },
  RATE_LIMIT_BENCHMARKS_ACCOUNT: { parse: rateLimit, default: 'off', doc: `${PER_ACCOUNT}, as RATE_LIMIT_BENCHMARKS.` },
  RATE_LIMIT_ANALYTICS: {
    parse: rateLimit,
    default: 'off',
    doc: 'Requests per key to analytics, as requests/seconds.',
  },
  RATE_LIMIT_ANALYTICS_ACCOUNT: { parse: rateLimit, default: 'off', doc: `${PER_ACCOUNT}, as RATE_LIMIT_ANALYTICS.` },
  RATE_LIMIT_COUNTING: {
    parse: rateLimit,
    default: '60/60',
    doc: 'Requests per key to POST /messages/count_tokens, as requests/seconds.',
  },
  RATE_LIMIT_COUNTING_ACCOUNT: { parse: rateLimit, default: 'off', doc: `${PER_ACCOUNT}, as RATE_LIMIT_COUNTING.` },
  RATE_LIMIT_OTHER: {
    parse: rateLimit,
    default: 'off',
    doc: 'Requests per key to every other route, as requests/seconds.',
  },
  RATE_LIMIT_OTHER_ACCOUNT: { parse: rateLimit, default: 'off', doc: `${PER_ACCOUNT}, as RATE_LIMIT_OTHER.` },
  RATE_LIMIT_FAILED_KEYS: {
    parse: rateLimit,
    default: '1200/60',
    doc:
      'Unknown keys that one address may send before it is answered 429, as requests/seconds. Valid keys ' +
      'from that address go on working.',
  },
  RATE_LIMIT_SIGN_IN: {
    parse: rateLimit,
    default: '120/60',
    doc:
      'Failed attempts from one address to sign in to the console, or to exchange a code or a token, as ' +
      'requests/seconds. Past it a failure is answered 429; a valid link, key, code or token goes on working.',
  },
  END_USER_HEADERS: {
    parse: headerNames,
    default: 'off',
    doc:
      'Headers that name the end user of a call whose body has no user, separated by commas, the first one sent ' +
      'counts; off = none. They are read from keys whose settings have trust_end_user_headers only. Open WebUI ' +
      'sends X-OpenWebUI-User-Id.',
  },
  TRUST_PROXY: {
    parse: trustedProxies,
    default: 'off',
    doc:
      'Whether X-Forwarded-For says where a request came from: off, the number of proxies in front of the ' +
      'service, or their addresses (10.0.0.0/8,loopback).',
  },
} as const;
