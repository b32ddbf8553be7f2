import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { DatabaseStartError } from './database-start.error.js';
import { DeadlineClient } from './connections/deadline-client.js';
import { ormOptions } from './orm-options.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { applySqlFamilies, type SqlFamily } from './sql-family.js';
import { refuseUnknownSchema } from './starting/known-schema.js';
import { beginWithMigrationLock } from './starting/migration-lock.js';
import { refuseUnsupportedServer } from './starting/supported-server.js';
import { poolsTransactions } from './starting/transaction-pooling.js';

/** The newest migration of this version. */
export const schemaVersion = (): string => MIGRATIONS.at(-1)!.name;

const CONNECT_TIMEOUT_MS = 5_000;
/** Limit of each statement before the migrations. */
const STATEMENT_TIMEOUT_MS = 5_000;

/**
 * Brings the schema up to date. Replicas that start together migrate one after another, under an advisory lock.
 * `directUrl` must connect to PostgreSQL itself, not to a pooler that shares backends between connections; `variable`
 * is its name in messages, `log` receives messages about waits. `families`: the functions of the rooms above. Throws
 * DatabaseStartError if the database is not usable.
 */
export async function migrate(
  directUrl: string,
  families: readonly SqlFamily[],
  log: (line: string) => void = () => undefined,
  variable = 'DATABASE_URL',
): Promise<void> {
  const lock = await connect(directUrl).catch((error: Error) => {
    throw new DatabaseStartError(`the database of ${variable} does not answer as it should (${causeOf(error)})`, {
      cause: error,
    });
  });
  try {
    await refuseUnsupportedServer(lock, variable, log);
    await refusePooler(lock, directUrl);
    await beginWithMigrationLock(lock, log);
    await refuseUnknownSchema(lock);
    const orm = await MikroORM.init(ormOptions(directUrl));
    try {
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
    await applySqlFamilies(lock, families);
    await lock.query('commit');
  } finally {
    // Closing the connection rolls back an uncommitted transaction.
    await lock.end();
  }
}

async function refusePooler(client: pg.Client, directUrl: string): Promise<void> {
  if (!(await poolsTransactions(client, () => connect(directUrl)))) return;
  throw new DatabaseStartError(
    'the connection to the database leads through a pooler in transaction mode, which loses notifications and ' +
      'session locks: set DATABASE_DIRECT_URL to the same database past the pooler.',
  );
}

const causeOf = ({ cause, message }: Error): string => (cause instanceof Error && cause.message) || message;

async function connect(url: string): Promise<pg.Client> {
  const client: pg.Client = new DeadlineClient({
    connectionString: url,
    application_name: 'gatehouse-migrate',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    deadlineMs: STATEMENT_TIMEOUT_MS,
    // It is not yet known that this is PostgreSQL itself.
    pooled: true,
  });
  await client.connect();
  return client;
}
