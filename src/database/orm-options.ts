import { Migrator } from '@mikro-orm/migrations';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { readDatabaseAddress } from '../kernel/addresses/database-address.js';
import type { DatabaseWatch } from './connections/database-watch.js';
import { deadlineOptions, keepDeadlines } from './connections/deadline-pool.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { ENTITIES, SQL_TABLES } from './tables.js';

/**
 * MikroORM's options for the service, the operator's command line and the ORM's own CLI. `deadlineMs` = timeout of a
 * statement in milliseconds, including the wait for a connection; 0 = no limit, for migrations. `pooled`: see
 * DeadlineOptions.
 */
export function ormOptions(url: string, deadlineMs = 0, watch?: DatabaseWatch, pooled = false): Options {
  return defineConfig({
    clientUrl: readDatabaseAddress(url)?.urls[0] ?? url,
    entities: [...ENTITIES],
    metadataProvider: ReflectMetadataProvider,
    extensions: [Migrator],
    forceUtcTimezone: true,
    schemaGenerator: { skipTables: [...SQL_TABLES, /^generation_/] },
    migrations: {
      migrationsList: [...MIGRATIONS],
      snapshot: false,
      tableName: 'migration',
      transactional: true,
      allOrNothing: true,
      silent: true,
    },
    pool: { min: 0, max: 10 },
    driverOptions: {
      ...deadlineOptions(deadlineMs, watch, pooled),
      // The ORM cannot read an address with several hosts, but DeadlineClient can.
      connectionString: url,
      onPoolCreated: (pool: pg.Pool) => void keepDeadlines(pool, watch),
    },
  });
}
