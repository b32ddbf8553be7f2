import { readDatabaseAddress, SESSION_TARGET, SESSION_TARGETS } from '../../kernel/addresses/database-address.js';
import { integer, must, oneOf, text } from '../schemas.js';

const isKnownTarget = (url: string): boolean => {
  const target = readDatabaseAddress(url)?.target;
  return target === undefined || SESSION_TARGETS.includes(target);
};

/** The URL of PostgreSQL. If it lists several servers, the service uses one of them. */
const databaseAddress = text
  .refine(
    (value) => readDatabaseAddress(value) !== undefined,
    must(
      'a URL that begins with postgres:// or postgresql://; several hosts are separated by commas before the path, ' +
        'each as host or host:port',
    ),
  )
  .refine(isKnownTarget, must(`a URL whose ${SESSION_TARGET} is one of ${SESSION_TARGETS.join(', ')}`))
  .overwrite((value) => value.replace(/\/+$/, ''));

/** Variables of the database. */
export const DATABASE_VARIABLES = {
  DATABASE_URL: {
    schema: databaseAddress,
    secret: true,
    doc:
      'PostgreSQL 15 to 18 to use instead of the embedded one: a database with the encoding UTF8. If the URL lists ' +
      'several hosts, separated by commas, the service uses the host that accepts writes ' +
      '(docs/operations/database.md).',
  },
  DATABASE_DIRECT_URL: {
    schema: databaseAddress,
    secret: true,
    doc:
      'A direct URL of the same database without the pooler, for LISTEN and advisory locks. Needed only if ' +
      'DATABASE_URL connects through a pooler in transaction mode.',
  },
  DATABASE_READ_URL: {
    schema: databaseAddress,
    secret: true,
    doc:
      'A standby of the same database. Analytics queries read from it (with ANALYTICS_STORE=postgres, and while the ' +
      'columnar store is filled), and `operator backup` copies from it. It may be some seconds behind.',
  },
  DURABILITY: {
    schema: oneOf('local', 'replica'),
    default: 'local',
    doc:
      'The failure that a settled call survives. local = a crash of the database server; replica = also the loss of ' +
      'that server, because a standby has each commit. With replica, the service does not start if PostgreSQL has ' +
      'no synchronous standby. Not for the embedded PostgreSQL.',
  },
  DATABASE_TIMEOUT_MS: {
    schema: integer(100, 60_000),
    default: '5000',
    doc:
      'How long a request waits for the database, in milliseconds. Then it returns 503 (on the routes of ' +
      'interns 500, which can be retried).',
  },
  MIGRATE: {
    schema: oneOf('on', 'off'),
    default: 'on',
    doc:
      'Whether the service migrates the database when it starts. off = the service does not start while ' +
      'migrations are pending; `operator migrate` applies them.',
  },
} as const;
