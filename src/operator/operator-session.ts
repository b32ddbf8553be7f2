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

export const openOperator: OpenOperator = async (work) => {
  const config = Config.read();
  // Standard output is the command's answer; what happens on the way goes to standard error.
  const borrowed = config.values.DATABASE_URL ? undefined : await borrowEmbeddedPostgres({ dataDir: config.values.DATA_DIR, log: (line) => console.error(line) });
  try {
    const url = borrowed?.url ?? config.values.DATABASE_URL!;
    const urls = new DatabaseUrls(url, borrowed ? url : (config.values.DATABASE_DIRECT_URL ?? url));
    await migrate(urls.directUrl);
    const rooms = await NestFactory.createApplicationContext(OperatorModule.register(config, urls), { logger: serviceLogger('error'), abortOnError: false });
    try {
      return await work(rooms);
    } finally {
      await rooms.close();
    }
  } finally {
    await borrowed?.stop();
  }
};
