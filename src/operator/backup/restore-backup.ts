import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { AuditTrail } from '../../audit/audit-trail.js';
import type { SqlSession } from '../../database/sql.js';
import { conflict, invalidRequest } from '../../kernel/errors.js';
import { makingPartitionOf } from '../../usage/partitions.js';
import type { BackupHeader, BackupTrailer, TableShape } from './backup-format.js';
import { readBackup } from './backup-reader.js';
import { columnsOf, quoted, readMigrations, readTables, useOneNotation } from './database-shape.js';

export interface RestoreRequest {
  /** Of a migrated database without rows. */
  readonly databaseUrl: string;
  readonly file: string;
  readonly audit: AuditTrail;
  /** Takes what goes on, a line each. */
  readonly tell: (line: string) => void;
}

export interface RestoreOutcome {
  readonly id: string;
  readonly takenAt: string;
  readonly tables: number;
  readonly rows: number;
}

/** Puts a backup into an empty database, in one transaction: whatever is wrong with the file changes nothing. */
export async function restoreBackup(request: RestoreRequest): Promise<RestoreOutcome> {
  const client = new Client({
    connectionString: request.databaseUrl,
    application_name: 'gatehouse-restore',
    keepAlive: true,
  });
  // A connection that breaks also fails the call under way; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await useOneNotation(client);
    const tables = await readTables(client);
    await demandEmpty(client, tables);
    // No row may tell anybody of itself, open a balance or be counted again. This also waits for, and then keeps out, everyone else.
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
    await demandEmpty(client, tables);
    const outcome = await load(client, tables, request);
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
    await request.audit.record(
      { by: 'operator', action: 'restore', kind: 'database', id: outcome.id },
      sessionOf(client),
    );
    await client.query('commit');
    return outcome;
  } finally {
    // Ends a transaction that was not committed.
    await client.end();
  }
}

async function load(
  client: Client,
  tables: readonly TableShape[],
  { file, tell }: RestoreRequest,
): Promise<RestoreOutcome> {
  const loaded: Record<string, number> = {};
  const { header, trailer } = await readBackup(file, {
    header: async (found) => {
      demandSameSchema(file, found, (await readMigrations(client)) ?? [], tables);
      for (const day of found.days) await client.query(makingPartitionOf(dayOf(file, day)));
    },
    table: async (table, rows) => {
      const copy = client.query(
        copyFrom(`copy ${quoted(table.name)} (${columnsOf(table)}) from stdin with (encoding 'UTF8')`),
      );
      await pipeline(rows, copy);
      loaded[table.name] = copy.rowCount;
      tell(`${table.name}: ${copy.rowCount} rows`);
    },
  });
  for (const { name } of tables) {
    if (loaded[name] !== trailer.rows[name])
      throw invalidRequest(
        `${file} should hold ${trailer.rows[name]} rows of ${name} and holds ${loaded[name]}: use another backup; nothing was changed`,
      );
  }
  await setSequences(client, trailer);
  return {
    id: header.id,
    takenAt: header.takenAt,
    tables: tables.length,
    rows: Object.values(loaded).reduce((sum, count) => sum + count, 0),
  };
}

/** A restored backup is all there is: it is never mixed with what others made. */
async function demandEmpty(client: Client, tables: readonly TableShape[]): Promise<void> {
  for (const name of ['account', ...tables.map((table) => table.name)]) {
    const { rows } = await client.query<{ found: boolean }>(`select exists (select from ${quoted(name)}) as found`);
    if (rows[0]?.found) {
      const what = name === 'account' ? 'holds accounts' : `is not new (table ${name} has rows)`;
      throw conflict(
        `This database ${what}, and a backup is restored into a new one only: set DATA_DIR to a new folder, or DATABASE_URL to an empty database`,
      );
    }
  }
}

/** Rows are those of one schema. It is checked before any name out of the file is used. */
export function demandSameSchema(
  file: string,
  header: BackupHeader,
  here: readonly string[],
  tables: readonly TableShape[],
): void {
  const unknown = header.migrations.find((name) => !here.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(
      `${file} is of a newer Gatehouse (its database has ${unknown}): install that version or a later one, and restore with it; nothing was changed`,
    );
  const missing = here.find((name) => !header.migrations.includes(name));
  if (missing !== undefined) {
    throw invalidRequest(
      `${file} is of an older Gatehouse (before ${missing}): restore it with the version that wrote it, into a new database, then start this version, which brings that up to date; nothing was changed`,
    );
  }
  const shapes = (all: readonly TableShape[]): string =>
    JSON.stringify(all.map(({ name, columns }) => [name, ...[...columns].sort()].join()).sort());
  if (shapes(header.tables) !== shapes(tables))
    throw invalidRequest(`${file} does not have the tables and columns of this database; nothing was changed`);
}

function dayOf(file: string, text: string): Date {
  const day = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(day.getTime()))
    throw invalidRequest(`${file} names a day that is none; nothing was changed`);
  return day;
}

/** Last of all: a sequence does not go back with its transaction. */
async function setSequences(client: Client, { sequences }: BackupTrailer): Promise<void> {
  const known = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public'`,
  );
  for (const { name } of known.rows) {
    const last = sequences[name];
    if (last !== undefined) await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), last]);
  }
}

const sessionOf = (client: Client): SqlSession => ({
  query: async <Row extends object>(text: string, params: readonly unknown[] = []) =>
    (await client.query<Row>(text, params as unknown[])).rows,
});
