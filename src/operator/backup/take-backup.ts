import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import type { AuditTrail } from '../../audit/audit-trail.js';
import { openSingleConnection } from '../../database/single-connection.js';
import { conflict } from '../../kernel/errors/errors.js';
import { newId } from '../../kernel/ids.js';
import { neededMasterKeys } from '../../secrets/master-key-place.js';
import { daysOfPartitions } from '../../usage/partitions.js';
import { END_OF_ROWS, FORMAT, FORMAT_VERSION, type BackupHeader, type BackupTrailer } from './backup-format.js';
import { refuseExisting, writeBackupFile } from './backup-file.js';
import { columnsOf, quoted, readMigrations, readSequences, readTables, useOneNotation } from './database-shape.js';

/** The maximum time to wait until a standby has replayed the log that the primary had written when the backup began. */
const REPLAY_TIMEOUT_MS = 60_000;
const POLL_MS = 100;

interface BackupRequest {
  /** The URL of the database, or of a standby of it. */
  readonly databaseUrl: string;
  readonly file: string;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
  readonly audit: AuditTrail;
  /** Returns the position (LSN) up to which the primary has written its log. */
  readonly position: () => Promise<string>;
  /** Receives progress, one line at a time. */
  readonly log: (line: string) => void;
}

interface BackupOutcome {
  readonly id: string;
  readonly tables: number;
  readonly rows: number;
  /** Ids of the master keys with which the sealed data can be opened. */
  readonly masterKeys: readonly string[];
}

/**
 * Writes a consistent snapshot of the whole database to a file. The service continues to run and does not wait for the
 * backup.
 */
export async function takeBackup(request: BackupRequest): Promise<BackupOutcome> {
  if (!request.force) refuseExisting(request.file);
  const client = await openSingleConnection(request.databaseUrl, 'gatehouse-backup');
  try {
    if (!(await readMigrations(client)))
      throw conflict('There is no Gatehouse database here to back up: check DATA_DIR or DATABASE_URL');
    const id = newId();
    // Write the audit row before the copy, so that the copy contains the row.
    await request.audit.record({ by: 'operator', action: 'backup', kind: 'database', id });
    await untilReplayed(client, await request.position());
    await client.query('begin isolation level repeatable read read only');
    await useOneNotation(client);
    const header = await readHeader(client, id);
    const counts: Record<string, number> = {};
    await writeBackupFile(request.file, content(client, header, counts, request.log), request.force);
    await client.query('commit');
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { id, tables: header.tables.length, rows, masterKeys: header.masterKeys };
  } finally {
    await client.end();
  }
}

/** Waits until a standby has replayed the log up to a position. Returns at once on a primary. */
async function untilReplayed(client: Client, position: string): Promise<void> {
  const until = performance.now() + REPLAY_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ isThere: boolean }>(
      `select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as "isThere"`,
      [position],
    );
    if (rows[0]!.isThere) return;
    if (performance.now() > until)
      throw conflict(
        `The standby of DATABASE_READ_URL is more than ${REPLAY_TIMEOUT_MS / 1_000} s behind the primary: wait ` +
          'for it, or run the backup without DATABASE_READ_URL',
      );
    await sleep(POLL_MS);
  }
}

async function readHeader(client: Client, id: string): Promise<Required<BackupHeader>> {
  // The first statement takes the snapshot. `now()` is the time at which the transaction began.
  const { rows } = await client.query<{ at: Date }>('select now() as at');
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    id,
    takenAt: rows[0]!.at.toISOString(),
    migrations: (await readMigrations(client)) ?? [],
    tables: await readTables(client),
    days: await daysOfPartitions(async (text) => (await client.query<{ name: string }>(text)).rows),
    masterKeys: await neededMasterKeys(async (text) => (await client.query<{ id: string }>(text)).rows),
  };
}

async function* content(
  client: Client,
  header: BackupHeader,
  counts: Record<string, number>,
  log: (line: string) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (bytes: Buffer): Buffer => {
    hash.update(bytes);
    return bytes;
  };
  yield hashed(line(header));
  for (const table of header.tables) {
    yield hashed(line({ table: table.name }));
    // Use a query, because COPY does not accept the name of a partitioned table.
    const rows: CopyToStreamQuery = client.query(
      copyTo(`copy (select ${columnsOf(table)} from ${quoted(table.name)}) to stdout with (encoding 'UTF8')`),
    );
    for await (const chunk of rows) yield hashed(chunk as Buffer);
    yield hashed(Buffer.from(END_OF_ROWS));
    // The row count arrives after the last row. It is known once another statement has returned.
    await client.query('select');
    counts[table.name] = rows.rowCount;
    log(`${table.name}: ${rows.rowCount} rows`);
  }
  // Read the sequences after the rows, so that no number in a row is above its sequence.
  const trailer: BackupTrailer = { rows: counts, sequences: await readSequences(client), sha256: hash.digest('hex') };
  yield line(trailer);
}

const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
