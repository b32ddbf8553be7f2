import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { CallListPlan, ListedCall, StoredCalls } from '../../call-list.js';
import { callListSql } from '../../query/call-list-sql.js';
import { planSql } from '../../query/plan-sql.js';
import { RowsText, type StoreColumns } from '../../query/rows-text.js';
import { UsageReader } from '../../query/usage-reader.port.js';
import type { Sql, SqlSession } from '../../../database/sql.js';
import { POSTGRES } from './postgres.dialect.js';

const FETCH_ROWS = 500;

/**
 * The time up to which the records are complete, in Unix milliseconds. On a standby that has not replayed everything
 * that it received, this is the time of the last replayed transaction. Otherwise it is the current time.
 */
const COMPLETE_TO = `select extract(epoch from
    case when pg_is_in_recovery() and pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
      then coalesce(pg_last_xact_replay_timestamp(), now()) else now() end)::float8 * 1000 as at`;

/**
 * Reads the records directly. The result is always current, but reading millions of records is slow. Tests compare the
 * other drivers with this driver. It also runs the queries that a copy cannot run.
 */
export class PostgresUsageReader extends UsageReader {
  /**
   * `sql` is a separate pool, so that long reads never keep the ledger waiting for a connection. `readTimeoutMs`: 0 =
   * no limit.
   */
  constructor(
    private readonly sql: Sql,
    private readonly readTimeoutMs = 0,
  ) {
    super();
  }

  read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    const { text, values } = planSql(plan, POSTGRES);
    return this.#cancellable(signal, async (session) => {
      await session.query(`declare result no scroll cursor for ${text}`, values, { timeoutMs: this.readTimeoutMs });
      return this.#rowsOf(plan, session, signal);
    });
  }

  list(plan: CallListPlan, signal: AbortSignal): Promise<StoredCalls> {
    const { text, values } = callListSql(plan, POSTGRES);
    return this.#cancellable(signal, async (session) => {
      const [now] = await session.query<{ at: number }>(COMPLETE_TO);
      const rows = await session.query<ListedCall>(text, values, { timeoutMs: this.readTimeoutMs });
      return { rows, asOf: now!.at };
    });
  }

  /** Runs read-only work on one connection. When the signal aborts, cancels the statement over another connection. */
  async #cancellable<T>(signal: AbortSignal, work: (session: SqlSession) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    return this.sql.transaction(async (session) => {
      const [backend] = await session.query<{ pid: number }>(
        `select pg_backend_pid() as pid, set_config('transaction_read_only', 'on', true),
           set_config('cursor_tuple_fraction', '1', true)`,
      );
      let cancelled: Promise<unknown> | undefined;
      const cancel = (): void => {
        cancelled = this.sql.query('select pg_cancel_backend($1)', [backend!.pid]).catch(() => undefined);
      };
      signal.addEventListener('abort', cancel, { once: true });
      try {
        signal.throwIfAborted();
        return await work(session);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', cancel);
        // Release the connection only after the cancellation has ended. Otherwise the cancellation could end the next
        // statement of the connection.
        await cancelled;
      }
    });
  }

  /** Reads in pages, because 100,000 rows as objects take several times the memory of their text. */
  async #rowsOf(plan: AnalyticsPlan, session: SqlSession, signal: AbortSignal): Promise<AnalyticsResult> {
    const text = new RowsText(plan);
    for (;;) {
      const rows = await session.query<Record<string, unknown>>(`fetch ${FETCH_ROWS} from result`, [], {
        timeoutMs: this.readTimeoutMs,
      });
      signal.throwIfAborted();
      text.add(columnsOf(rows), rows.length);
      if (rows.length < FETCH_ROWS) return text.result();
    }
  }
}

const columnsOf = (rows: readonly Record<string, unknown>[]): StoreColumns =>
  Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, rows.map((row) => row[name])]));
