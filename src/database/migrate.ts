import { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { DatabaseStartError } from './database-start.error.js';
import { ormOptions } from './orm-options.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { openSingleConnection } from './single-connection.js';
import { applySqlFamilies, outdatedFamilies, type SqlFamily } from './sql-family.js';
import { assertReplicated, type Durability } from './starting/durability.js';
import { refuseUnknownSchema } from './starting/known-schema.js';
import { beginWithMigrationLock } from './starting/migration-lock.js';
import { refuseUnsupportedServer } from './starting/supported-server.js';
import { poolsTransactions } from './starting/transaction-pooling.js';

/** The newest migration of this version. */
export const schemaVersion = (): string => MIGRATIONS.at(-1)!.name;

/** Timeout of the connect, and of each statement that runs before the migrations. */
const TIMEOUT_MS = 5_000;

/** The changes of a run; both lists are empty if there was nothing to do. */
export interface MigrationRun {
  /** Names of the migrations that were applied, in order. */
  readonly migrations: readonly string[];
  /** Names of the families of functions that were replaced. */
  readonly functions: readonly string[];
}

/** `on` = migrate, `off` = throw DatabaseStartError if something is pending. */
export type MigrateMode = 'on' | 'off';

/**
 * Brings the schema up to date. Replicas that start together migrate one after another, under an advisory lock.
 * `directUrl` must connect to PostgreSQL itself, not to a pooler that shares backends between connections; `variable`
 * is the name of the variable with this URL, for messages. `log` receives messages about waits. `progress` receives the
 * name of each migration before it runs. `families`: the SQL functions that other folders of src define. Throws
 * DatabaseStartError if the database is not usable.
 */
export function migrate(
  directUrl: string,
  families: readonly SqlFamily[],
  log: (line: string) => void = () => undefined,
  variable = 'DATABASE_URL',
  progress: (migration: string) => void = () => undefined,
): Promise<MigrationRun> {
  return withMigrationLock(directUrl, log, variable, async (lock, pending) => {
    const orm = await MikroORM.init(ormOptions(directUrl));
    try {
      orm.migrator.on('migrating', ({ name }) => progress(name));
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
    return { migrations: pending, functions: await applySqlFamilies(lock, families) };
  });
}

/**
 * Migrates the database. With the mode `off`, changes nothing and throws DatabaseStartError if something is pending. In
 * both modes, first throws DatabaseStartError if the database does not have the required durability. The other
 * parameters are as in `migrate`.
 */
export async function prepareSchema(
  mode: MigrateMode,
  directUrl: string,
  families: readonly SqlFamily[],
  log: (line: string) => void,
  variable: string,
  durability: Durability = 'local',
): Promise<void> {
  if (durability === 'replica') await demandReplica(directUrl, variable);
  if (mode === 'on') {
    await migrate(directUrl, families, log, variable);
    return;
  }
  await withMigrationLock(directUrl, log, variable, async (lock, pending) => {
    const outdated = await outdatedFamilies(lock, families);
    if (pending.length === 0 && outdated.length === 0) return;
    const lacks = pending.length > 0 ? `lacks ${migrationsIn(pending)}` : 'has functions of an earlier version';
    throw new DatabaseStartError(
      `MIGRATE is off, and the database ${lacks}: run \`operator migrate\` of this version first.`,
    );
  });
}

/** For messages; `names` is not empty. */
export const migrationsIn = (names: readonly string[]): string =>
  names.length === 1 ? `migration ${names[0]}` : `${names.length} migrations (${names[0]} to ${names.at(-1)})`;

/** `pending`: names of the migrations that the database lacks. */
async function withMigrationLock<T>(
  directUrl: string,
  log: (line: string) => void,
  variable: string,
  work: (lock: pg.Client, pending: readonly string[]) => Promise<T>,
): Promise<T> {
  const lock = await connectAtStart(directUrl, variable);
  try {
    await refuseUnsupportedServer(lock, variable, log);
    await refusePooler(lock, directUrl);
    await beginWithMigrationLock(lock, log);
    const result = await work(lock, await refuseUnknownSchema(lock));
    await lock.query('commit');
    return result;
  } finally {
    // Closing the connection rolls back an uncommitted transaction.
    await lock.end();
  }
}

/**
 * Call it before the migrations, because their commit would wait forever if it had to reach a standby that is missing.
 */
async function demandReplica(directUrl: string, variable: string): Promise<void> {
  const client = await connectAtStart(directUrl, variable);
  try {
    await assertReplicated(async (text) => (await client.query<object>(text)).rows);
  } finally {
    await client.end();
  }
}

const connectAtStart = (directUrl: string, variable: string): Promise<pg.Client> =>
  connect(directUrl).catch((error: Error) => {
    throw new DatabaseStartError(`the database of ${variable} cannot be used (${causeOf(error)})`, {
      cause: error,
    });
  });

async function refusePooler(client: pg.Client, directUrl: string): Promise<void> {
  if (!(await poolsTransactions(client, () => connect(directUrl)))) return;
  throw new DatabaseStartError(
    'the connection to the database uses a pooler in transaction mode, which loses notifications ' +
      'and session locks: set DATABASE_DIRECT_URL to the same database without the pooler.',
  );
}

const causeOf = ({ cause, message }: Error): string => (cause instanceof Error && cause.message) || message;

const connect = (url: string): Promise<pg.Client> => openSingleConnection(url, 'gatehouse-migrate', TIMEOUT_MS);
