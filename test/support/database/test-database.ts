import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { LEDGER_SQL } from '../../../src/billing/ledger-sql.js';
import { migrate } from '../../../src/database/migrate.js';

export interface TestDatabase {
  /** `postgres://…` of a separate database with the newest schema and no rows. */
  readonly url: string;
  /** Drops the database and closes its remaining connections. */
  drop(): Promise<void>;
}

const TEMPLATE = 'gatehouse_template';
/**
 * The key of an advisory lock: a worker of Jest holds the lock while it creates the template. The number is arbitrary.
 */
const TEMPLATE_LOCK = 515_001;

/** Creates a separate database for a test file, or for a test that must not see other rows. */
export async function createTestDatabase(): Promise<TestDatabase> {
  await withServer(ensureTemplate);
  return createDatabase(`template ${TEMPLATE}`);
}

/** Creates a database without tables. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase('');

async function createDatabase(options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withServer((server) => server.query(`create database ${name} ${options}`));
  return {
    url: urlOf(name),
    drop: () => withServer((server) => server.query(`drop database if exists ${name} with (force)`)),
  };
}

/** Creates the template on first use, so that runs of unit tests do not need it. */
async function ensureTemplate(server: Client): Promise<void> {
  if (await hasTemplate(server)) return;
  await server.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    if (await hasTemplate(server)) return;
    const draft = `${TEMPLATE}_draft`;
    await server.query(`drop database if exists ${draft} with (force)`);
    await server.query(`create database ${draft}`);
    await migrate(urlOf(draft), LEDGER_SQL);
    // A template can be copied only if it has no connections, so do not allow new connections.
    await server.query(`alter database ${draft} with allow_connections false is_template true`);
    await server.query(`alter database ${draft} rename to ${TEMPLATE}`);
  } finally {
    await server.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

async function hasTemplate(server: Client): Promise<boolean> {
  const { rowCount } = await server.query('select from pg_database where datname = $1', [TEMPLATE]);
  return rowCount === 1;
}

async function withServer(use: (server: Client) => Promise<unknown>): Promise<void> {
  const server = new Client({ connectionString: urlOf('postgres') });
  server.on('error', () => undefined);
  await server.connect();
  try {
    await use(server);
  } finally {
    await server.end();
  }
}

/** The URL of another database on the server of this run. */
function urlOf(database: string): string {
  // A literal instead of an import: test-server.ts belongs to Jest's parent process, and would load the launcher into
  // every test.
  const url = new URL(process.env['GATEHOUSE_TEST_SERVER_URL'] ?? '');
  url.pathname = `/${database}`;
  return url.href;
}
