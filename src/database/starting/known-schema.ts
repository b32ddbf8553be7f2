import type pg from 'pg';
import { DatabaseStartError } from '../database-start.error.js';
import { MIGRATIONS } from '../migrations/migrations.js';

/**
 * Returns the names of the migrations that the database lacks. Throws a DatabaseStartError if the database has a
 * migration that this version does not contain.
 */
export async function refuseUnknownSchema(client: pg.Client): Promise<string[]> {
  const applied = await appliedMigrations(client);
  const known = MIGRATIONS.map(({ name }) => name);
  if (applied.length > 0 && !applied.includes(known[0]!)) {
    throw new DatabaseStartError(
      'the database was created by an earlier version of Gatehouse (its last migration is ' +
        `${applied.at(-1)}), and this version cannot bring it up to date: take a backup with \`operator ` +
        'backup` of the version that created it, and restore that with `operator restore` of this version ' +
        'into a new database.',
    );
  }
  const unknown = applied.findLast((name) => !known.includes(name));
  if (unknown === undefined) return known.filter((name) => !applied.includes(name));
  throw new DatabaseStartError(
    `the database was migrated by a newer version of Gatehouse: it has migration ${unknown}, and this ` +
      `version knows none after ${known.at(-1)}. Start that version or a later one, or restore a backup that ` +
      'was taken before the migration.',
  );
}

async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `select to_regclass('public.migration') is not null as found`,
  );
  if (!found[0]!.found) return [];
  const { rows } = await client.query<{ name: string }>('select name from migration order by id');
  return rows.map(({ name }) => name);
}
