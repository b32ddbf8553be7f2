import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import type { AuditTrail } from '../../audit/audit-trail.js';
import { conflict } from '../../kernel/errors.js';
import { newId } from '../../kernel/ids.js';
import { daysOfPartitions } from '../../usage/partitions.js';
import { END_OF_ROWS, FORMAT, FORMAT_VERSION, type BackupHeader, type BackupTrailer } from './backup-format.js';
import { refuseExisting, writeBackupFile } from './backup-file.js';
import { columnsOf, quoted, readMigrations, readSequences, readTables, useOneNotation } from './database-shape.js';

export interface BackupRequest {
  readonly databaseUrl: string;
  readonly file: string;
  /** Whether a file of that name may be replaced. */
  readonly force: boolean;
  readonly audit: AuditTrail;
  /** Takes what goes on, a line each. */
  readonly tell: (line: string) => void;
}

export interface BackupOutcome {
  readonly id: string;
  readonly tables: number;
  readonly rows: number;
}

/** Writes the whole database, as it is at one moment, to a file. The service runs on meanwhile; nothing waits for a backup. */
export async function takeBackup(request: BackupRequest): Promise<BackupOutcome> {
  if (!request.force) await refuseExisting(request.file);
  const client = new Client({
    connectionString: request.databaseUrl,
    application_name: 'gatehouse-backup',
    keepAlive: true,
  });
  // A connection that breaks also fails the call under way; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (!(await readMigrations(client)))
      throw conflict('There is no Gatehouse database here to back up: check DATA_DIR or DATABASE_URL');
    const id = newId();
    // Before the copy is made, which therefore holds this row too.
    await request.audit.record({ by: 'operator', action: 'backup', kind: 'database', id });
    await client.query('begin isolation level repeatable read read only');
    await useOneNotation(client);
    const header = await readHeader(client, id);
    const counts: Record<string, number> = {};
    await writeBackupFile(request.file, content(client, header, counts, request.tell), request.force);
    await client.query('commit');
    return { id, tables: header.tables.length, rows: Object.values(counts).reduce((sum, count) => sum + count, 0) };
  } finally {
    await client.end();
  }
}

async function readHeader(client: Client, id: string): Promise<BackupHeader> {
  // The first statement takes the snapshot, which `now()` stands for.
  const { rows } = await client.query<{ at: Date }>('select now() as at');
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    id,
    takenAt: rows[0]!.at.toISOString(),
    migrations: (await readMigrations(client)) ?? [],
    tables: await readTables(client),
    days: await daysOfPartitions(async (text) => (await client.query<{ name: string }>(text)).rows),
  };
}

async function* content(
  client: Client,
  header: BackupHeader,
  counts: Record<string, number>,
  tell: (line: string) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (bytes: Buffer): Buffer => {
    hash.update(bytes);
    return bytes;
  };
  yield hashed(line(header));
  for (const table of header.tables) {
    yield hashed(line({ table: table.name }));
    // A query and not the table's name, which COPY does not take for a partitioned table.
    const rows: CopyToStreamQuery = client.query(
      copyTo(`copy (select ${columnsOf(table)} from ${quoted(table.name)}) to stdout with (encoding 'UTF8')`),
    );
    for await (const chunk of rows) yield hashed(chunk as Buffer);
    yield hashed(Buffer.from(END_OF_ROWS));
    // The count comes after the last row: whatever is answered next, it is there by then.
    await client.query('select');
    counts[table.name] = rows.rowCount;
    tell(`${table.name}: ${rows.rowCount} rows`);
  }
  // Read after the rows, so that no number in them is above its sequence.
  const trailer: BackupTrailer = { rows: counts, sequences: await readSequences(client), sha256: hash.digest('hex') };
  yield line(trailer);
}

const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
