import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import { planSql } from '../../query/plan-sql.js';
import { wordRows, type StoreColumns } from '../../query/word-rows.js';
import { UsageReader } from '../../usage-reader.port.js';
import type { Sql } from '../../../database/sql.js';
import { POSTGRES } from './postgres.dialect.js';

/**
 * Reads the records where they lie. Right at once and without upkeep, but slow over millions of them: the reference for
 * the other drivers, and what answers while they cannot.
 */
export class PostgresUsageReader extends UsageReader {
  /** `sql` is a pool of its own: a long read must not keep the ledger waiting for a connection. */
  constructor(private readonly sql: Sql) {
    super();
  }

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    signal.throwIfAborted();
    const { text, values } = planSql(plan, POSTGRES);
    return this.sql.transaction(async (session) => {
      const [backend] = await session.query<{ pid: number }>(
        `select pg_backend_pid() as pid, set_config('jit', 'off', true), set_config('transaction_read_only', 'on', true)`,
      );
      const cancel = new Cancellation(this.sql, backend!.pid);
      signal.addEventListener('abort', cancel.send, { once: true });
      try {
        signal.throwIfAborted();
        const rows = await session.query<Record<string, unknown>>(text, values);
        return wordRows(plan, columnsOf(rows), rows.length);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', cancel.send);
        // The connection goes back only when no cancellation for it is under way: it would hit the next query.
        await cancel.sent;
      }
    });
  }
}

const columnsOf = (rows: readonly Record<string, unknown>[]): StoreColumns =>
  Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, rows.map((row) => row[name])]));

/** Ends whatever a connection is doing, from another one. */
class Cancellation {
  sent: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly sql: Sql,
    private readonly pid: number,
  ) {}

  readonly send = (): void => {
    this.sent = this.sql.query('select pg_cancel_backend($1)', [this.pid]).catch(() => undefined);
  };
}
