import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Config } from '../config/config.js';
import { DatabaseUrls } from '../database/database-urls.js';
import { borrowEmbeddedPostgres } from '../database/embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import { serviceLogger } from '../http/service-logger.js';
import { OperatorModule } from './operator.module.js';

/** Does one command's work on the installation: beside a running service, or on a database started for the occasion. */
export type OpenOperator = <T>(work: (rooms: INestApplicationContext) => Promise<T>) => Promise<T>;

export interface DatabaseAtHand {
  readonly config: Config;
  readonly urls: DatabaseUrls;
}

/**
 * Does one command's work on the database itself, without the rooms, which on a new one would already write. `beside others` takes it as it
 * is; `alone` refuses a data folder on which a service runs, and brings the schema up to date.
 */
export type OpenDatabase = <T>(
  how: 'alone' | 'beside others',
  work: (database: DatabaseAtHand) => Promise<T>,
) => Promise<T>;

/** How the command line gets at the installation that a configuration describes. */
export function databaseOpener(configuration: () => Config): OpenDatabase {
  return async (how, work) => {
    const config = configuration();
    const { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR } = config.values;
    const alone = how === 'alone';
    // Standard output is the command's answer; what happens on the way goes to standard error.
    const borrowed = DATABASE_URL
      ? undefined
      : await borrowEmbeddedPostgres({ dataDir: DATA_DIR, log: (line) => console.error(line), alone });
    try {
      const url = borrowed?.url ?? DATABASE_URL!;
      const urls = new DatabaseUrls(url, borrowed ? url : (DATABASE_DIRECT_URL ?? url));
      if (alone) await migrate(urls.directUrl);
      return await work({ config, urls });
    } finally {
      await borrowed?.stop();
    }
  };
}

/** Opens the rooms on the database, for everything but the database as a whole. */
export function operatorOpener(openDatabase: OpenDatabase): OpenOperator {
  return (work) =>
    openDatabase('beside others', async ({ config, urls }) => {
      await migrate(urls.directUrl);
      const rooms = await NestFactory.createApplicationContext(OperatorModule.register(config, urls), {
        logger: serviceLogger('error'),
        abortOnError: false,
      });
      try {
        return await work(rooms);
      } finally {
        await rooms.close();
      }
    });
}
