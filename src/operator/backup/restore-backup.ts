import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { AuditTrail } from '../../audit/audit-trail.js';
import { ADMIT_EARLIER_ROWS, isBeforeBaseline, UPGRADE_RESTORED_ROWS } from '../../database/before-baseline.js';
import { openSingleConnection } from '../../database/single-connection.js';
import type { SqlSession } from '../../database/sql.js';
import { conflict, invalidRequest } from '../../kernel/errors/errors.js';
import { neededMasterKeys, type MasterKeyPlace } from '../../secrets/master-key-place.js';
import { makingPartitionsOf } from '../../usage/partitions.js';
import type { BackupHeader, BackupTrailer, TableShape } from './backup-format.js';
import { readBackup } from './backup-reader.js';
import { checkMasterKeys } from './master-keys-of-backup.js';
import { columnsOf, quoted, readMigrations, readTables, useOneNotation } from './database-shape.js';

interface RestoreRequest {
  /** A migrated database without rows. */
  readonly databaseUrl: string;
  readonly file: string;
  readonly audit: AuditTrail;
  /** The master keys of this installation; null = restore even if the backup needs others. */
  readonly masterKeys: MasterKeyPlace | null;
  /** Receives progress, one line at a time. */
  readonly log: (line: string) => void;
}

interface RestoreOutcome {
  readonly id: string;
  readonly takenAt: string;
  readonly tables: number;
  readonly rows: number;
}

/** Restores a backup into an empty database in one transaction, so that an invalid file changes no rows. */
export async function restoreBackup(request: RestoreRequest): Promise<RestoreOutcome> {
  const client = await openSingleConnection(request.databaseUrl, 'gatehouse-restore');
  try {
    await client.query('begin');
    await useOneNotation(client);
    const tables = await readTables(client);
    await checkEmpty(client, tables);
    // Disables the triggers, which would send notifications and create balances. The statement also takes an exclusive
    // lock on each table.
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
    await checkEmpty(client, tables);
    const outcome = await load(client, tables, request);
    // Read the ids from the rows, because headers of earlier versions lack them.
    if (request.masterKeys)
      checkMasterKeys(request.file, await neededMasterKeys((text) => rowsOf(client, text)), request.masterKeys);
    for (const { name } of tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
    await request.audit.record(
      { by: 'operator', action: 'restore', kind: 'database', id: outcome.id },
      sessionOf(client),
    );
    await client.query('commit');
    return outcome;
  } finally {
    // Closing the connection rolls back an uncommitted transaction.
    await client.end();
  }
}

const rowsOf = async <Row extends object>(client: Client, text: string): Promise<Row[]> =>
  (await client.query<Row>(text)).rows;

async function load(
  client: Client,
  tables: readonly TableShape[],
  { file, log }: RestoreRequest,
): Promise<RestoreOutcome> {
  const loaded: Record<string, number> = {};
  const { header, trailer } = await readBackup(file, {
    header: async (found) => {
      checkKnownSchema(file, found, (await readMigrations(client)) ?? [], tables);
      for (const day of found.days)
        for (const statement of makingPartitionsOf(dayOf(file, day))) await client.query(statement);
      if (isBeforeBaseline(found.migrations)) await client.query(ADMIT_EARLIER_ROWS);
    },
    table: async (table, rows) => {
      const copy = client.query(
        copyFrom(`copy ${quoted(table.name)} (${columnsOf(table)}) from stdin with (encoding 'UTF8')`),
      );
      await pipeline(rows, copy);
      loaded[table.name] = copy.rowCount;
      log(`${table.name}: ${copy.rowCount} rows`);
    },
  });
  for (const { name } of header.tables) {
    if (loaded[name] !== trailer.rows[name])
      throw invalidRequest(
        `${file} should contain ${trailer.rows[name]} rows of ${name}, but contains ${loaded[name]}: use ` +
          'another backup; nothing was changed',
      );
  }
  if (isBeforeBaseline(header.migrations)) await client.query(UPGRADE_RESTORED_ROWS);
  await setSequences(client, trailer);
  return {
    id: header.id,
    takenAt: header.takenAt,
    tables: header.tables.length,
    rows: Object.values(loaded).reduce((sum, count) => sum + count, 0),
  };
}

/** Throws a conflict if the database contains rows, because a backup is never merged with existing rows. */
async function checkEmpty(client: Client, tables: readonly TableShape[]): Promise<void> {
  for (const name of ['account', ...tables.map((table) => table.name)]) {
    const { rows } = await client.query<{ found: boolean }>(`select exists (select from ${quoted(name)}) as found`);
    if (rows[0]?.found) {
      const what = name === 'account' ? 'holds accounts' : `is not new (table ${name} has rows)`;
      throw conflict(
        `This database ${what}, and a backup is restored into a new one only: set DATA_DIR to a new folder, or ` +
          'DATABASE_URL to an empty database',
      );
    }
  }
}

/**
 * Throws if the schema of the backup differs from the schema of the database. A backup from before the baseline may
 * lack tables and columns. Call this before any name from the file is used.
 */
function checkKnownSchema(
  file: string,
  header: BackupHeader,
  here: readonly string[],
  tables: readonly TableShape[],
): void {
  if (isBeforeBaseline(header.migrations)) return checkTablesAmong(file, header, tables);
  const unknown = header.migrations.find((name) => !here.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(
      `${file} was written by a newer Gatehouse (its database has ${unknown}): install that version or a ` +
        'later one, and restore with it; nothing was changed',
    );
  const missing = here.find((name) => !header.migrations.includes(name));
  if (missing !== undefined) {
    throw invalidRequest(
      `${file} was written by an older Gatehouse (before ${missing}): restore it with the version that ` +
        'wrote it, into a new database, then start this version, which migrates the database; nothing was ' +
        'changed',
    );
  }
  const shapes = (all: readonly TableShape[]): string =>
    JSON.stringify(all.map(({ name, columns }) => [name, ...[...columns].sort()].join()).sort());
  if (shapes(header.tables) !== shapes(tables)) throw otherTables(file);
}

/**
 * Throws if the backup has tables or columns that the database lacks. For backups from before the baseline, which may
 * lack tables and columns of the database.
 */
function checkTablesAmong(file: string, header: BackupHeader, tables: readonly TableShape[]): void {
  const known = new Map(tables.map(({ name, columns }) => [name, new Set(columns)]));
  if (!header.tables.every(({ name, columns }) => columns.every((column) => known.get(name)?.has(column))))
    throw otherTables(file);
}

const otherTables = (file: string): Error =>
  invalidRequest(`${file} does not have the tables and columns of this database; nothing was changed`);

function dayOf(file: string, text: string): Date {
  const day = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(day.getTime()))
    throw invalidRequest(`${file} contains an invalid date; nothing was changed`);
  return day;
}

/** Call this after all rows have been checked, because a rollback does not reset a sequence. */
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
