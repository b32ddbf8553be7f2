import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { createEmptyDatabase, type TestDatabase } from './test-database.js';

/**
 * Both files were made by the code of commit e08d61d, from one database with rows in nearly every table: the statements
 * of its 18 migrations and its rows as SQL, and its backup. Two calls were under way. Keys and master key are those of
 * the test service.
 */
const DATABASE = 'test/fixtures/e08d61d/database.sql.gz';
export const OLD_BACKUP = 'test/fixtures/e08d61d/backup.gz';
/** The day of the last call. */
export const OLD_DAY = '2026-11-19T09:40:00Z';

/** A database as the version of that commit left it. */
export async function createOldChainDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(gunzipSync(await readFile(DATABASE)).toString());
  await client.end();
  return database;
}
