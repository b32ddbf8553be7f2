import type pg from 'pg';
import { DatabaseStartError } from '../database-start.error.js';

/** The major versions of PostgreSQL that Gatehouse is tested with. */
const MIN_VERSION = 15;
const MAX_VERSION = 18;

/**
 * Throws if the server is older than the supported versions, or if the database does not store text as UTF-8. Without
 * UTF-8, every request that contains a name in another script would fail. For a newer server, only logs a line.
 */
export async function refuseUnsupportedServer(
  client: Pick<pg.Client, 'query'>,
  variable: string,
  log: (line: string) => void,
): Promise<void> {
  const { rows } = await client.query<{ encoding: string; version: string; number: number }>(
    `select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
       current_setting('server_version_num')::int as number`,
  );
  const { encoding, version, number } = rows[0]!;
  const major = Math.floor(number / 10_000);
  const supported = `versions ${MIN_VERSION} to ${MAX_VERSION} are supported`;
  if (major < MIN_VERSION)
    throw new DatabaseStartError(`the server of ${variable} is PostgreSQL ${version}, and ${supported}: upgrade it.`);
  if (major > MAX_VERSION) log(`The server of ${variable} is PostgreSQL ${version}, and ${supported}.`);
  if (encoding === 'UTF8') return;
  throw new DatabaseStartError(
    `the database of ${variable} has the encoding ${encoding}, and Gatehouse needs UTF8: create another one by ` +
      `"create database gatehouse template template0 encoding 'UTF8'", and copy the data into it with pg_dump.`,
  );
}
