import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { ormOptions } from './orm-options.js';

/** Any number that nothing else in the database uses for an advisory lock. */
const MIGRATION_LOCK = 7_246_011;

/**
 * Brings the schema up to date. Replicas that start together take turns under an advisory lock, which needs
 * a session of its own: pass the direct URL where a pooler stands in front.
 */
export async function migrate(directUrl: string): Promise<void> {
  const lock = new pg.Client({ connectionString: directUrl });
  // A server that dies now fails the statement under way; without a listener it would end the process instead.
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const orm = await MikroORM.init(ormOptions(directUrl));
    try {
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
  } finally {
    await lock.end();
  }
}
