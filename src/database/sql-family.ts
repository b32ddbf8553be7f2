import type { Client } from 'pg';
import { DatabaseStartError } from './database-start.error.js';

/**
 * Database functions that belong together. This is their only definition. The statements must be repeatable (`create or
 * replace`). Increment the version when the body of a function changes. If its signature changes, a migration must also
 * drop the old function.
 */
export interface SqlFamily {
  readonly name: string;
  /** Increment it with every change of the statements. */
  readonly version: number;
  readonly statements: readonly string[];
}

const TABLE = `create table if not exists sql_family (
    name text primary key,
    version int not null,
    applied_at timestamptz not null default now()
  )`;

/**
 * Applies the families that the database has in an older version, or not at all; returns their names. Throws
 * DatabaseStartError if the database has a newer version of a family. Call it in a transaction that holds the migration
 * lock.
 */
export async function applySqlFamilies(client: Client, families: readonly SqlFamily[]): Promise<string[]> {
  await client.query(TABLE);
  const outdated = await outdatedFamilies(client, families);
  for (const { name, version, statements } of outdated) {
    for (const statement of statements) await client.query(statement);
    await client.query(
      `insert into sql_family (name, version) values ($1, $2)
       on conflict (name) do update set version = excluded.version, applied_at = now()`,
      [name, version],
    );
  }
  return outdated.map(({ name }) => name);
}

/**
 * The families that the database has in an older version, or not at all. Throws DatabaseStartError if the database has
 * a newer version of a family. Changes nothing.
 */
export async function outdatedFamilies(client: Client, families: readonly SqlFamily[]): Promise<SqlFamily[]> {
  const { rows: table } = await client.query<{ found: boolean }>(
    `select to_regclass('public.sql_family') is not null as found`,
  );
  if (!table[0]!.found) return [...families];
  const { rows } = await client.query<{ name: string; version: number }>('select name, version from sql_family');
  const found = new Map(rows.map(({ name, version }) => [name, version]));
  for (const { name, version } of families) {
    if ((found.get(name) ?? 0) <= version) continue;
    throw new DatabaseStartError(
      `the database has version ${found.get(name)} of "${name}", and this service knows version ${version}: ` +
        'start a newer service.',
    );
  }
  return families.filter(({ name, version }) => (found.get(name) ?? 0) < version);
}
