import { Migrator } from '@mikro-orm/migrations';
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations/migrations.js';

/**
 * Tables that are written as SQL in migrations and have no entity: the ledger, sealed to billing, the partitioned
 * usage records, the last uses of keys, the wrapped keys, sealed to secrets,
 * and the audit record. The schema comparison leaves them alone.
 */
const PLAIN_TABLES = [
  /^reservation$/,
  /^generation(_.*)?$/,
  /^ledger_entry$/,
  /^outbox$/,
  /_balance$/,
  /^usage_(label|feed)$/,
  /^catalogue_/,
  /^(master|data|workspace_data)_key$/,
  /^key_use$/,
  /^audit_entry$/,
];

/** The one place that says how MikroORM runs: used by the service, the operator's command line and the ORM's own CLI. */
export function ormOptions(url: string): Options {
  return defineConfig({
    clientUrl: url,
    entities: [...ENTITIES],
    metadataProvider: ReflectMetadataProvider,
    extensions: [Migrator],
    forceUtcTimezone: true,
    schemaGenerator: { skipTables: PLAIN_TABLES },
    migrations: {
      migrationsList: [...MIGRATIONS],
      snapshot: false,
      tableName: 'migration',
      transactional: true,
      allOrNothing: true,
      silent: true,
    },
    pool: { min: 0, max: 10 },
  });
}
