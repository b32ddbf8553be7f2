import { Client } from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;

/** The database accepts no connection. The message is one line and contains no password. */
export class DatabaseUnreachableError extends Error {
  override name = 'DatabaseUnreachableError';
}

/** `host:port/database` of a connection string, for messages. */
export function databaseName(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`;
}

/**
 * Connects once; returns whether the database has our schema. Throws DatabaseUnreachableError if the connection fails.
 */
export async function holdsOurSchema(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A broken connection also fails the current call. Without a listener the error event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect().catch((cause: NodeJS.ErrnoException) => {
      throw new DatabaseUnreachableError(describe(url, cause), { cause });
    });
    const { rows } = await client.query<{ found: boolean }>(
      `select to_regclass('public.migration') is not null as found`,
    );
    return rows[0]!.found;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function describe(url: string, { code, message }: NodeJS.ErrnoException): string {
  const database = `The database at ${databaseName(url)}`;
  if (code === undefined && /timeout/i.test(message)) {
    return (
      `${database} does not answer within ${CONNECT_TIMEOUT_MS / 1000} s: check DATABASE_URL, and the network on ` +
      'the way to it'
    );
  }
  const reason =
    code !== undefined && /^E[A-Z_]+$/.test(code)
      ? code
      : `${message.replaceAll(/\s+/g, ' ')}${code === undefined ? '' : `, ${code}`}`;
  return `${database} does not accept connections (${reason}): start it, or check DATABASE_URL`;
}
