import type pg from 'pg';
import { DeadlineClient } from './connections/deadline-client.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** Opens a separate connection, whose statements have no timeout. `name`: in pg_stat_activity. */
export async function openSingleConnection(url: string, name: string): Promise<pg.Client> {
  const client: pg.Client = new DeadlineClient({
    connectionString: url,
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The URL may connect through a pooler.
    pooled: true,
  });
  await client.connect();
  return client;
}
