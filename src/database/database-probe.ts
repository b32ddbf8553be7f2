import { readDatabaseAddress } from '../kernel/addresses/database-address.js';
import { isMarkedUnavailable } from '../kernel/errors/database-unavailable.js';
import { openSingleConnection } from './single-connection.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** Thrown if the database accepts no connection. The message is one line and contains no password. */
export class DatabaseUnreachableError extends Error {
  override name = 'DatabaseUnreachableError';
}

/** `host:port/database` of a connection string, for messages; several hosts are separated by commas. */
export function databaseName(url: string): string {
  const parts = (readDatabaseAddress(url)?.urls ?? [url]).map((each) => new URL(each));
  const { pathname, searchParams } = parts[0]!;
  return `${parts.map(({ host }) => host || searchParams.get('host') || 'localhost').join(',')}${pathname}`;
}

/**
 * Connects once, and returns whether the database has the schema of Gatehouse. Throws DatabaseUnreachableError if the
 * connection fails.
 */
export async function hasMigrationTable(url: string): Promise<boolean> {
  const client = await openSingleConnection(url, 'gatehouse-probe').catch((cause: Error) => {
    throw new DatabaseUnreachableError(describe(url, originalOf(cause)), { cause });
  });
  try {
    const { rows } = await client.query<{ found: boolean }>(
      `select to_regclass('public.migration') is not null as found`,
    );
    return rows[0]!.found;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The driver's own error. Several hosts have no such error; the message contains the response of each host. */
const originalOf = (error: Error): NodeJS.ErrnoException =>
  isMarkedUnavailable(error) ? ((error.cause as Error | undefined) ?? new Error(error.message)) : error;

function describe(url: string, { code, message }: NodeJS.ErrnoException): string {
  const database = `The database at ${databaseName(url)}`;
  if (code === undefined && /timeout/i.test(message)) {
    return `${database} does not respond within ${CONNECT_TIMEOUT_MS / 1000} s: check DATABASE_URL and the network`;
  }
  const reason =
    code !== undefined && /^E[A-Z_]+$/.test(code)
      ? code
      : `${message.replaceAll(/\s+/g, ' ')}${code === undefined ? '' : `, ${code}`}`;
  return `${database} does not accept connections (${reason}): start it, or check DATABASE_URL`;
}
