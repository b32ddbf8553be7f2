import pg from 'pg';
import { DatabaseUnavailable } from '../../kernel/errors/database-unavailable.js';
import { asDatabaseFault } from '../database-faults.js';
import type { DatabaseWatch } from './database-watch.js';
import { DeadlineClient, type DeadlineOptions } from './deadline-client.js';

/** The maximum number of statements that wait for a connection of one pool. Further statements fail immediately. */
const MAX_WAITING = 2_000;
/** Connect timeout of a pool without a deadline. */
const CONNECT_TIMEOUT_MS = 10_000;
/** How long connections may take to close before they are destroyed. A hung server never closes them. */
const END_TIMEOUT_MS = 1_000;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/** The options common to all pools. `pooled`: see DeadlineOptions. */
export function deadlineOptions(
  deadlineMs: number,
  watch?: DatabaseWatch,
  pooled = false,
): pg.PoolConfig & DeadlineOptions {
  return {
    Client: DeadlineClient,
    connectionTimeoutMillis: deadlineMs || CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    deadlineMs,
    watch,
    pooled,
  };
}

/**
 * Changes a pool in three ways. The number of statements that wait for a connection is limited, and the wait is
 * subtracted from the timeout of the statement. The process continues when the server closes a connection. The pool can
 * end even if the server hangs. The pool may be created by a library, such as the ORM.
 */
export function keepDeadlines<Pool extends pg.Pool>(pool: Pool, watch?: DatabaseWatch): Pool {
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void clients.add(client));
  pool.on('remove', (client) => void clients.delete(client));
  pool.on('error', () => undefined);
  const connect = pool.connect.bind(pool) as (callback: Connected) => void;
  const end = pool.end.bind(pool);
  const connectInTime = (callback: Connected): void => {
    const since = performance.now();
    const fail = (error: Error): void => {
      const fault = asDatabaseFault(error);
      if (fault instanceof DatabaseUnavailable) watch?.failed(fault);
      callback(fault, undefined, () => undefined);
    };
    if (pool.waitingCount >= MAX_WAITING)
      return fail(new DatabaseUnavailable(`more than ${MAX_WAITING} statements wait for a connection`));
    connect((error, client, release) => {
      if (error) return fail(error);
      (client as unknown as DeadlineClient).noteWaitedSince(since);
      callback(undefined, client, release);
    });
  };
  pool.connect = ((callback?: Connected) => {
    if (callback) return connectInTime(callback);
    return new Promise((resolve, reject) =>
      connectInTime((error, client) => (error ? reject(error) : resolve(releasedWhenLost(client!)))),
    );
  }) as Pool['connect'];
  pool.end = async () => {
    // pool.end() does not wait for idle connections, whose sockets may stay open.
    setTimeout(() => clients.forEach((client) => client.connection.stream.destroy()), END_TIMEOUT_MS).unref();
    await end();
  };
  return pool;
}

/**
 * Releases a connection to the pool when it is lost, even if the caller does not. Kysely does not release a connection
 * if the rollback of a transaction fails (kysely issue 1990), which would exhaust the pool.
 */
function releasedWhenLost(client: pg.PoolClient): pg.PoolClient {
  const releaseClient = client.release.bind(client);
  let isReleased = false;
  const release = (error?: Error | boolean): void => {
    if (isReleased) return;
    isReleased = true;
    client.off('end', onEnd);
    releaseClient(error);
  };
  const onEnd = (): void => release(true);
  client.once('end', onEnd);
  client.release = release;
  return client;
}
