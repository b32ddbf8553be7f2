import { CALLER_VARIABLES } from './caller-variables.js';
import { EVENT_VARIABLES } from './event-variables.js';
import { FILE_VARIABLES } from './file-variables.js';
import { INTERN_VARIABLES } from './intern-variables.js';
import { flag, hostnames, httpUrl, integer, must, oneOf, origins, text, url, usdAmount } from './parsers.js';
import { PROCESS_VARIABLES } from './process-variables.js';
import { RATE_LIMIT_VARIABLES } from './rate-limit-variables.js';
import { TELEMETRY_VARIABLES } from './telemetry-variables.js';
import { SIGN_IN_VARIABLES } from './sign-in-variables.js';
import { TEXT_VARIABLES } from './text-variables.js';
import { USAGE_VARIABLES } from './usage-variables.js';

/** One environment variable: its parser, its documentation and its default. */
export interface Variable<T> {
  /** Throws an Error with the rule that the value violates; the message never contains the value. */
  readonly parse: (text: string) => T;
  /** The text used when the variable is absent; undefined = the value is undefined. */
  readonly default?: string;
  /** One or two sentences for docs/configuration.md. */
  readonly doc: string;
  /** Never shown, including its length. */
  readonly secret?: boolean;
}

const secretOfLength =
  (min: number) =>
  (value: string): string => {
    must([...value].length >= min && !/\s/.test(value), `a string of at least ${min} characters without white space`);
    return value;
  };

const masterKey = (value: string): string => {
  must(
    /^[0-9a-fA-F]{64}$/.test(value) || /^[A-Za-z0-9+/]{43}=$/.test(value),
    '32 bytes as 64 hex characters or as base64',
  );
  return value;
};

/** Every variable that the service reads. A test compares it with docs/configuration.md and .env.example. */
export const VARIABLES = {
  ...PROCESS_VARIABLES,
  DATA_DIR: {
    parse: text,
    default: './.data',
    doc: 'Folder for everything the service keeps itself: the embedded PostgreSQL, generated keys, files.',
  },
  DATABASE_URL: {
    parse: url('postgres:', 'postgresql:'),
    secret: true,
    doc: 'PostgreSQL 15 to 18 to use instead of the embedded one: a database with the encoding UTF8.',
  },
  DATABASE_DIRECT_URL: {
    parse: url('postgres:', 'postgresql:'),
    secret: true,
    doc:
      'The same database past a pooler, for LISTEN and advisory locks. Needed only where DATABASE_URL ' +
      'leads through a pooler in transaction mode.',
  },
  DATABASE_TIMEOUT_MS: {
    parse: integer(100, 60_000),
    default: '5000',
    doc:
      'How long a request waits for the database, in milliseconds; then it is answered 503 (on the routes ' +
      'of interns 500, which may be tried again).',
  },
  MASTER_KEY: {
    parse: masterKey,
    secret: true,
    doc:
      'Key that wraps all sealed secrets: 32 bytes as 64 hex characters or base64. Without it and without ' +
      'MASTER_KEY_FILE the first start generates one into DATA_DIR/master-key: back up that file.',
  },
  MASTER_KEY_FILE: {
    parse: text,
    doc:
      'File that holds the master key, instead of MASTER_KEY. During a rotation it holds the old and the ' +
      'new key, one a line.',
  },
  MASTER_KEY_NEXT: {
    parse: masterKey,
    secret: true,
    doc:
      'The key that a rotation changes to, in the form of MASTER_KEY. Give it to every replica before ' +
      '`secrets rotate-master-key`.',
  },
  REQUIRE_DATA_VOLUME: {
    parse: flag,
    default: 'false',
    doc:
      'true = no master key is generated into a DATA_DIR that is no mounted volume, where it would be lost with ' +
      'the container. The image sets it.',
  },
  PUBLIC_BASE_URL: {
    parse: httpUrl,
    doc:
      'Address under which callers reach the service, for links and the OpenAPI document. Default: ' +
      'http://HOST:PORT.',
  },
  CORS_ORIGINS: {
    parse: origins,
    default: 'off',
    doc:
      'Origins of the web pages that may call the API from a browser, such as https://app.example.com, separated ' +
      'by commas; * = all, off = none.',
  },
  LOG_LEVEL: {
    parse: oneOf('error', 'warn', 'info', 'debug', 'silent'),
    default: 'info',
    doc: 'The least level that is logged. error = someone must act now, warn = healed itself.',
  },
  LOG_FORMAT: {
    parse: oneOf('text', 'json'),
    doc:
      'How the log is written: a JSON object a line, or text for people. Default: text where standard ' +
      'output is a terminal, else json.',
  },
  ACCESS_LOG: {
    parse: oneOf('on', 'off'),
    default: 'on',
    doc:
      'Whether every request leaves a line in the log, at the level info: method, route, status, time, ' +
      'label of the key, ids.',
  },
  BOOTSTRAP_MANAGEMENT_KEY: {
    parse: secretOfLength(32),
    secret: true,
    doc:
      'First management key, any string of at least 32 characters. Absent: generated on the first start, ' +
      'shown once, and kept in DATA_DIR.',
  },
  BOOTSTRAP_API_KEY: {
    parse: secretOfLength(32),
    secret: true,
    doc: 'First standard key, as BOOTSTRAP_MANAGEMENT_KEY.',
  },
  BOOTSTRAP_CREDITS_USD: { parse: usdAmount, default: '100', doc: 'Credits the first account starts with, in USD.' },
  WIRE_DIALECT: {
    parse: oneOf('neutral', 'openrouter'),
    default: 'neutral',
    doc: 'Words used in answers where the specification and the published API differ. Requests may always use both.',
  },
  IMAGE_BODY_LIMIT_BYTES: {
    parse: integer(1024, 1_073_741_824),
    default: '26214400',
    doc: 'Largest request body of POST /images, /images/generations and /images/edits, in bytes.',
  },
  ...TEXT_VARIABLES,
  UPSTREAM_TIMEOUT_MS: {
    parse: integer(50, 3_600_000),
    default: '120000',
    doc:
      'How long a provider may be silent, before the first byte of its answer and between bytes, in ' +
      'milliseconds. Then the call fails with 524.',
  },
  CHANNEL_PRIVATE_ADDRESSES: {
    parse: oneOf('on', 'off'),
    default: 'off',
    doc:
      'Whether credentials that are stored by POST /providers/credentials may name an address of http, or one that ' +
      'is not public. Off: https and public addresses only. `<SLUG>_BASE_URL` is not concerned.',
  },
  ALLOW_PRIVATE_REFERENCE_HOSTS: {
    parse: hostnames,
    default: '',
    doc:
      'Hosts, separated by commas, from which reference pictures are fetched even where their address is ' +
      'not public. Port and path do not matter.',
  },
  BREAKER_FAILURES: {
    parse: integer(1, 1000),
    default: '10',
    doc:
      'After how many failures in a row (connections, timeouts, 5xx) an endpoint of a provider is left ' +
      'alone for BREAKER_PAUSE_MS.',
  },
  BREAKER_PAUSE_MS: {
    parse: integer(10, 3_600_000),
    default: '10000',
    doc: 'How long an unhealthy endpoint is left alone before one call tries it again, in milliseconds.',
  },
  RESERVATION_LEASE_MS: {
    parse: integer(1000, 600_000),
    default: '30000',
    doc: 'How long a reservation outlives a service that died, in milliseconds; live calls renew it.',
  },
  CREDIT_LEASES: {
    parse: oneOf('on', 'off'),
    default: 'on',
    doc:
      'Whether a key that makes many calls may have credits leased to the service, which then reserves its calls in ' +
      'memory. off = each call has a reservation in the database. Limits are exact either way.',
  },
  USAGE_EXCESS_FACTOR: {
    parse: integer(1, 1000),
    default: '2',
    doc:
      'How many times the worst case of a call a vendor may report as used before it is not believed: the ' +
      'call is then billed at that many times its worst case, and recorded as an anomaly. Where other calls of the ' +
      'account were open at the time, the worst case itself is the most.',
  },
  ...USAGE_VARIABLES,
  ...CALLER_VARIABLES,
  TRAFFIC_FIGURES_INTERVAL_MS: {
    parse: integer(0, 86_400_000),
    default: '60000',
    doc:
      'How long the popularity, speed and tool success of models stay as they are before they are read ' +
      'from recorded calls again, in milliseconds; 0 = never read.',
  },
  REDIS_URL: {
    parse: url('redis:', 'rediss:'),
    secret: true,
    doc:
      'Redis in which all replicas count rate limits together. Without it, or while it is away, each ' +
      'replica counts by itself.',
  },
  ...FILE_VARIABLES,
  ...RATE_LIMIT_VARIABLES,
  ...INTERN_VARIABLES,
  ...TELEMETRY_VARIABLES,
  ...EVENT_VARIABLES,
  ...SIGN_IN_VARIABLES,
} as const satisfies Record<string, Variable<unknown>>;

type Table = typeof VARIABLES;
type Value<V> = V extends { parse: (text: string) => infer T } ? T : never;

/** The parsed value of every variable, under the variable's own name. */
export type ConfigValues = {
  readonly [K in keyof Table]: Table[K] extends { default: string } ? Value<Table[K]> : Value<Table[K]> | undefined;
};
