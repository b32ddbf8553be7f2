import type pg from 'pg';
import { DeadlineClient } from './connections/deadline-client.js';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens a separate connection. `name`: the name of the connection in pg_stat_activity. `timeoutMs`: the timeout of the
 * connect and of each statement; absent = statements have no timeout.
 */
export async function openSingleConnection(url: string, name: string, timeoutMs?: number): Promise<pg.Client> {
  const client: pg.Client = new DeadlineClient({
    connectionString: url,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs ?? CONNECT_TIMEOUT_MS,
    deadlineMs: timeoutMs,
    // The URL may connect through a pooler.
    pooled: true,
  });
  await client.connect();
  return client;
}
