import type pg from 'pg';
import { isDatabaseUnavailable } from '../database-faults.js';

const ATTEMPTS = 3;

/**
 * Whether the connection uses a pooler in transaction mode. Such a pooler runs each transaction on any backend, so
 * session state, such as LISTEN and locks, is lost or seen by other connections. `connect` opens another connection
 * with the settings of `client`. The statements of both connections must have a timeout.
 */
export async function poolsTransactions(client: pg.Client, connect: () => Promise<pg.Client>): Promise<boolean> {
  const backend = await backendOf(client);
  // When a connection opens, PostgreSQL sends the pid of its backend. A pooler sends another number.
  if (backend === (client as unknown as { processID?: number }).processID) return false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const other = await connect();
    try {
      // `other` keeps its backend until its connection ends, so `client` cannot use the same backend.
      await other.query('begin');
      if ((await backendOf(other)) === backend) return true;
      // A timeout means that `client` has no backend of its own.
      if ((await backendOf(client).catch(undefinedOnTimeout)) !== backend) return true;
    } catch (error) {
      // `other` gets no backend while `client` is open, because the pooler gives each connection a backend of its own.
      if (isDatabaseUnavailable(error)) return false;
      throw error;
    } finally {
      await other.end().catch(() => undefined);
    }
  }
  return false;
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

function undefinedOnTimeout(error: unknown): undefined {
  if (!isDatabaseUnavailable(error)) throw error;
}
