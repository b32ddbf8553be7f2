import { CALLER_VARIABLES } from './caller-variables.js';
import { DATABASE_VARIABLES } from './database/database-variables.js';
import { EVENT_VARIABLES } from './event-variables.js';
import { FILE_VARIABLES } from './file-variables.js';
import { INTERN_VARIABLES } from './intern-variables.js';
import {
  flag,
  hostnames,
  httpUrl,
  integer,
  matching,
  oneOf,
  origins,
  redisAddress,
  text,
  textThat,
  usdAmount,
  type Variable,
} from './schemas.js';
import { PROCESS_VARIABLES } from './process-variables.js';
import { RATE_LIMIT_VARIABLES } from './rate-limit-variables.js';
import { TELEMETRY_VARIABLES } from './telemetry-variables.js';
import { SIGN_IN_VARIABLES } from './sign-in-variables.js';
import { TEXT_VARIABLES } from './text-variables.js';
import { USAGE_VARIABLES } from './usage-variables.js';

const bootstrapKey = textThat(
  (value) => [...value].length >= 32 && !/\s/.test(value),
  'a string of at least 32 characters without white space',
);
const masterKey = matching(/^[0-9a-fA-F]{64}$|^[A-Za-z0-9+/]{43}=$/, '32 bytes as 64 hex characters or as base64');

/**
 * The variables with a fixed name. The variables of identity providers and model providers are defined elsewhere. A
 * test compares this table with docs/configuration.md and .env.example.
 */
export const VARIABLES = {
  ...PROCESS_VARIABLES,
  DATA_DIR: {
    schema: text,
    default: './.data',
    doc: 'The folder for everything that the service stores: the embedded PostgreSQL, generated keys, files.',
  },
  ...DATABASE_VARIABLES,
  MASTER_KEY: {
    schema: masterKey,
    secret: true,
    doc:
      'Key that wraps all sealed secrets: 32 bytes as 64 hex characters or base64. Without it and without ' +
      'MASTER_KEY_FILE the first start generates one into DATA_DIR/master-key: back up that file.',
  },
  MASTER_KEY_FILE: {
    schema: text,
    doc:
      'File that holds the master key, instead of MASTER_KEY. During a rotation it holds the old and the ' +
      'new key, one per line.',
  },
  MASTER_KEY_NEXT: {
    schema: masterKey,
    secret: true,
    doc:
      'The new key of a rotation, in the form of MASTER_KEY. Give it to every replica before `secrets ' +
      'rotate-master-key`.',
  },
  REQUIRE_DATA_VOLUME: {
    schema: flag,
    default: 'false',
    doc:
      'true = no master key is generated in a DATA_DIR that is not a mounted volume, because it would be lost with ' +
      'the container. The Docker image sets it.',
  },
  PUBLIC_BASE_URL: {
    schema: httpUrl,
    doc:
      'Address under which callers reach the service, for links and the OpenAPI document. Default: ' +
      'http://HOST:PORT.',
  },
  CORS_ORIGINS: {
    schema: origins,
    default: 'off',
    doc:
      'Origins of the web pages that may call the API from a browser, such as https://app.example.com, separated ' +
      'by commas; * = all, off = none.',
  },
  LOG_LEVEL: {
    schema: oneOf('error', 'warn', 'info', 'debug', 'silent'),
    default: 'info',
    doc: 'The lowest level that is logged. error = someone must act now, warn = the service recovered by itself.',
  },
  LOG_FORMAT: {
    schema: oneOf('text', 'json'),
    doc:
      'The format of the log: one JSON object per line, or text for people. Default: text if standard ' +
      'output is a terminal, otherwise json.',
  },
  ACCESS_LOG: {
    schema: oneOf('on', 'off'),
    default: 'on',
    doc:
      'Whether every request is written to the log, at the level info: method, route, status, time, label ' +
      'of the key, ids.',
  },
  BOOTSTRAP_MANAGEMENT_KEY: {
    schema: bootstrapKey,
    secret: true,
    doc:
      'First management key: at least 32 characters without white space. Absent: generated on the first start, ' +
      'shown once, and kept in DATA_DIR.',
  },
  BOOTSTRAP_API_KEY: {
    schema: bootstrapKey,
    secret: true,
    doc: 'First standard key, in the form of BOOTSTRAP_MANAGEMENT_KEY.',
  },
  BOOTSTRAP_CREDITS_USD: { schema: usdAmount, default: '100', doc: 'Credits the first account starts with, in USD.' },
  WIRE_DIALECT: {
    schema: oneOf('neutral', 'openrouter'),
    default: 'neutral',
    doc:
      'The form of responses where the specification (neutral) and the published API (openrouter) differ. Requests ' +
      'can always use both forms.',
  },
  IMAGE_BODY_LIMIT_BYTES: {
    schema: integer(1024, 1_073_741_824),
    default: '26214400',
    doc: 'Largest request body of POST /images, /images/generations and /images/edits, in bytes.',
  },
  ...TEXT_VARIABLES,
  UPSTREAM_TIMEOUT_MS: {
    schema: integer(50, 3_600_000),
    default: '120000',
    doc:
      'The idle timeout of a response of a provider, before its first byte and between bytes, in milliseconds. ' +
      'Then the call fails with 524.',
  },
  CHANNEL_PRIVATE_ADDRESSES: {
    schema: oneOf('on', 'off'),
    default: 'off',
    doc:
      'Whether the `base_url` of stored provider credentials and of own providers may use http or a private ' +
      'address. Off: only https and public addresses. `<SLUG>_BASE_URL` is not affected.',
  },
  ALLOW_PRIVATE_REFERENCE_HOSTS: {
    schema: hostnames,
    default: '',
    doc:
      'Hosts, separated by commas, from which reference pictures are fetched even if their address is not ' +
      'public. Port and path are ignored.',
  },
  BREAKER_FAILURES: {
    schema: integer(1, 1000),
    default: '10',
    doc:
      'The number of consecutive failures (connections, timeouts, 5xx) after which an endpoint of a provider ' +
      'is not called for BREAKER_PAUSE_MS.',
  },
  BREAKER_PAUSE_MS: {
    schema: integer(10, 3_600_000),
    default: '10000',
    doc: 'How long an unhealthy endpoint is not called, in milliseconds. Then one call tests it.',
  },
  RESERVATION_LEASE_MS: {
    schema: integer(1000, 600_000),
    default: '30000',
    doc:
      'The lease of a reservation, in milliseconds: how long the reservation remains after the service has crashed. ' +
      'Open calls renew it.',
  },
  CREDIT_LEASES: {
    schema: oneOf('on', 'off'),
    default: 'on',
    doc:
      'Whether the service may lease credits for a key that makes many calls, and reserve the calls of this key in ' +
      'memory. off = each call has a reservation in the database. Limits are exact in both cases.',
  },
  USAGE_EXCESS_FACTOR: {
    schema: integer(1, 1000),
    default: '2',
    doc:
      'The maximum usage that is accepted from a vendor, as a multiple of the worst case of the call. A ' +
      'call with more usage is billed at that multiple, and recorded as an anomaly. If other calls of the ' +
      'account are open, the maximum is the worst case itself.',
  },
  ...USAGE_VARIABLES,
  ...CALLER_VARIABLES,
  TRAFFIC_FIGURES_INTERVAL_MS: {
    schema: integer(0, 86_400_000),
    default: '60000',
    doc:
      'How often the popularity, speed and tool success of models are read from recorded calls, in ' +
      'milliseconds; 0 = never.',
  },
  REDIS_URL: {
    schema: redisAddress,
    secret: true,
    doc:
      'Redis in which all replicas count rate limits together: `redis://host:6379`, Sentinels ' +
      '(`redis+sentinel://h1:26379,h2:26379/primary`) or nodes of a Cluster ' +
      '(`redis+cluster://h1:6379,h2:6379`); `rediss` for TLS. Without it, or while it is not available, ' +
      'each replica counts by itself.',
  },
  ...FILE_VARIABLES,
  ...RATE_LIMIT_VARIABLES,
  ...INTERN_VARIABLES,
  ...TELEMETRY_VARIABLES,
  ...EVENT_VARIABLES,
  ...SIGN_IN_VARIABLES,
} as const satisfies Record<string, Variable<unknown>>;

type Table = typeof VARIABLES;
type Value<V> = V extends Variable<infer T> ? T : never;

/** The parsed value of every variable, under the variable's own name. */
export type ConfigValues = {
  readonly [K in keyof Table]: Table[K] extends { default: string } ? Value<Table[K]> : Value<Table[K]> | undefined;
};
