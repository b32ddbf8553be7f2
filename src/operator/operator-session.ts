import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { stat } from 'node:fs/promises';
import { LEDGER_SQL } from '../billing/ledger-sql.js';
import { Config } from '../config/config.js';
import { DatabaseUrls } from '../database/database-urls.js';
import { databaseName, hasMigrationTable } from '../database/database-probe.js';
import { connectEmbeddedPostgres, holdsDatabase } from '../database/embedded-postgres.js';
import { migrate, prepareSchema } from '../database/migrate.js';
import { commandLogger } from '../http/log/service-log.js';
import { notFound, type GatewayError } from '../kernel/errors/errors.js';
import { OperatorModule } from './operator.module.js';
import { log } from './output.js';

/**
 * Runs one command's work on the installation: on the database of the running service, or on a database that is started
 * for the command.
 */
export type OpenOperator = <T>(work: (rooms: INestApplicationContext) => Promise<T>) => Promise<T>;

export interface OpenedDatabase {
  readonly config: Config;
  readonly urls: DatabaseUrls;
}

/**
 * Runs one command's work on the database without starting the modules, because they would write to a new database.
 * `beside others` does not migrate the schema, and throws if there is no schema. `unmigrated` does not migrate the
 * schema either, but accepts a DATABASE_URL without a schema. `alone` migrates the schema, and throws if a service runs
 * on the data folder. `precheck` can throw before any database is started or created.
 */
export type OpenDatabase = <T>(
  how: 'alone' | 'beside others' | 'unmigrated',
  work: (database: OpenedDatabase) => Promise<T>,
  precheck?: (config: Config) => Promise<void>,
) => Promise<T>;

/** Returns a function that opens the database of a configuration. */
export function databaseOpener(configuration: () => Config): OpenDatabase {
  return async (how, work, precheck) => {
    const config = configuration();
    await precheck?.(config);
    const { DATABASE_URL, DATA_DIR } = config.values;
    const alone = how === 'alone';
    if (!DATABASE_URL) await checkDataFolder(DATA_DIR, alone);
    const embedded = DATABASE_URL ? undefined : await connectEmbeddedPostgres({ dataDir: DATA_DIR, log, alone });
    try {
      const urls = DatabaseUrls.of(config.values, embedded?.url);
      if (how === 'beside others' && !(await hasMigrationTable(urls.directUrl)))
        throw noDatabase(`at ${databaseName(urls.directUrl)}`, 'DATABASE_URL');
      if (alone) await migrate(urls.directUrl, LEDGER_SQL, log, urls.directName);
      return await work({ config, urls });
    } finally {
      await embedded?.stop();
    }
  };
}

/**
 * Throws if the data folder has no database; with `alone`, only if the folder does not exist. Commands do not create
 * the folder, so that a mistyped name is noticed.
 */
async function checkDataFolder(dataDir: string, alone: boolean): Promise<void> {
  if (await holdsDatabase(dataDir)) return;
  if (!alone) throw noDatabase(`in ${dataDir}`, 'DATA_DIR');
  const found = await stat(dataDir).catch(() => undefined);
  if (!found?.isDirectory())
    throw notFound(`There is no folder ${dataDir}: check DATA_DIR, or create the folder first; nothing was changed`);
}

const noDatabase = (where: string, variable: string): GatewayError =>
  notFound(
    `There is no Gatehouse database ${where}: check ${variable}. The first start of the service creates ` +
      'one; nothing was changed',
  );

/** Returns a function that starts the modules on the database, for commands that use them. */
export function operatorOpener(openDatabase: OpenDatabase): OpenOperator {
  return (work) =>
    openDatabase('beside others', async ({ config, urls }) => {
      await prepareSchema(config.values.MIGRATE, urls.directUrl, LEDGER_SQL, log, urls.directName);
      const rooms = await NestFactory.createApplicationContext(OperatorModule.register(config, urls), {
        logger: commandLogger(),
        abortOnError: false,
      });
      try {
        return await work(rooms);
      } finally {
        await rooms.close();
      }
    });
}
