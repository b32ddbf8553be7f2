import pg from 'pg';
import { asDatabaseFault } from './database-faults.js';
import type { DatabaseWatch } from './connections/database-watch.js';
import type { LimitedStatement } from './connections/deadline-client.js';
import { deadlineOptions, keepDeadlines } from './connections/deadline-pool.js';
import { withinTimeout } from './connections/within-timeout.js';

const INT8_OID = 20;
/** Timeout of the rollback after a failed transaction; on a timeout the connection is destroyed. */
const ROLLBACK_TIMEOUT_MS = 1_000;

const BEGIN_BY_INDEX =
  'begin; set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off';

/** Timeout of one statement in milliseconds, instead of the default; 0 = no limit. */
export interface StatementOptions {
  readonly timeoutMs?: number;
}

export interface TransactionOptions extends StatementOptions {
  /** Makes the planner use indexes, regardless of the table sizes that it assumes. Default: the planner decides. */
  readonly byIndex?: boolean;
}

/** One connection inside a transaction. */
export interface SqlSession {
  query<Row extends object>(text: string, params?: readonly unknown[], options?: StatementOptions): Promise<Row[]>;
}

interface SqlOptions {
  /** Timeout of a statement in milliseconds, including the wait for a connection; 0 = no limit. Default: 0. */
  readonly timeoutMs?: number;
  readonly watch?: DatabaseWatch;
  /** See DeadlineOptions. */
  readonly pooled?: boolean;
}

/**
 * Plain SQL on its own small pool, so that ledger and key lookups never wait for other work. Returns bigint columns as
 * JavaScript bigints. While the database is unavailable, every method throws DatabaseUnavailable within its timeout.
 */
export class Sql implements SqlSession {
  readonly #pool: pg.Pool;
  /** The default timeout of a statement; 0 = none. */
  readonly timeoutMs: number;

  constructor(url: string, connections = 8, { timeoutMs = 0, watch, pooled }: SqlOptions = {}) {
    this.timeoutMs = timeoutMs;
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      // Never close idle connections, because opening one and planning the ledger's functions takes tens of
      // milliseconds.
      idleTimeoutMillis: 0,
      application_name: 'gatehouse',
      types: {
        getTypeParser: ((oid: number, format?: 'text'): unknown =>
          oid === INT8_OID ? BigInt : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
      },
      ...deadlineOptions(timeoutMs, watch, pooled),
    });
    this.#pool = keepDeadlines(pool, watch);
  }

  async query<Row extends object>(
    text: string,
    params: readonly unknown[] = [],
    { timeoutMs }: StatementOptions = {},
  ): Promise<Row[]> {
    try {
      const result = this.#pool.query<Row>(limited(text, params, timeoutMs));
      // A timeout below the default also limits the wait for a connection.
      return (await (this.#isShorter(timeoutMs) ? withinTimeout(timeoutMs, result) : result)).rows;
    } catch (error) {
      // The error event of a client is not converted by DeadlineClient.
      throw asDatabaseFault(error);
    }
  }

  /**
   * `timeoutMs`: the timeout of each statement. If it is below the default, it also limits the wait for a connection.
   */
  async transaction<T>(
    work: (session: SqlSession) => Promise<T>,
    { timeoutMs, byIndex }: TransactionOptions = {},
  ): Promise<T> {
    const client = await this.#connect(timeoutMs);
    let broken: Error | undefined;
    const run = async <Row extends object>(text: string, params: readonly unknown[], limit?: number): Promise<Row[]> =>
      (await client.query<Row>(limited(text, params, limit))).rows;
    try {
      // `begin` has at most the default timeout, because it detects an unavailable database.
      await run(byIndex ? BEGIN_BY_INDEX : 'begin', [], this.#isShorter(timeoutMs) ? timeoutMs : undefined);
      const result = await work({
        query: (text, params = [], options) => run(text, params, options?.timeoutMs ?? timeoutMs),
      });
      await run('commit', [], timeoutMs);
      return result;
    } catch (error) {
      await run('rollback', [], ROLLBACK_TIMEOUT_MS).catch((failure: Error) => (broken = failure));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async #connect(timeoutMs: number | undefined): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect();
    if (!this.#isShorter(timeoutMs)) return connecting;
    try {
      return await withinTimeout(timeoutMs, connecting);
    } catch (error) {
      // Release a connection that arrives after the timeout.
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw error;
    }
  }

  #isShorter(timeoutMs: number | undefined): timeoutMs is number {
    return timeoutMs !== undefined && timeoutMs > 0 && (this.timeoutMs === 0 || timeoutMs < this.timeoutMs);
  }

  async close(): Promise<void> {
    if (!this.#pool.ended && !this.#pool.ending) await this.#pool.end();
  }
}

/** `deadlineMs`: undefined = the default of the pool. */
const limited = (text: string, values: readonly unknown[], deadlineMs: number | undefined): LimitedStatement => ({
  text,
  values: values as unknown[],
  deadlineMs,
});
