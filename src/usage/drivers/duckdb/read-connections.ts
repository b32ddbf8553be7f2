import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

const INTERRUPT_EVERY_MS = 50;
/** DuckDB's error for a query whose plan uses statistics that a write has made outdated. */
const STALE_STATISTICS = /Perfect hash aggregate/i;

type Work<T> = (connection: DuckDBConnection) => Promise<T>;

/** The reading connections of a store: one for each concurrent read. */
export class ReadConnections {
  readonly #idle: DuckDBConnection[] = [];

  constructor(private readonly instance: DuckDBInstance) {}

  /**
   * Runs the work on a connection. When the signal aborts, interrupts the statement. `inTransaction`: all statements of
   * the work see one snapshot. If statistics are outdated, repeats the whole work on a connection that plans without
   * statistics.
   */
  async run<T>(signal: AbortSignal, inTransaction: boolean, work: Work<T>): Promise<T> {
    signal.throwIfAborted();
    const connection = await this.#take();
    try {
      return await this.#runOn(connection, signal, inTransaction, work);
    } catch (error) {
      if (!(error instanceof Error && STALE_STATISTICS.test(error.message))) throw error;
    } finally {
      await this.#release(connection, inTransaction);
    }
    signal.throwIfAborted();
    const fallback = await this.instance.connect();
    try {
      await fallback.run('set perfect_ht_threshold = 0');
      return await this.#runOn(fallback, signal, inTransaction, work);
    } finally {
      fallback.closeSync();
    }
  }

  async #runOn<T>(
    connection: DuckDBConnection,
    signal: AbortSignal,
    inTransaction: boolean,
    work: Work<T>,
  ): Promise<T> {
    let again: NodeJS.Timeout | undefined;
    // Interrupts are repeated, because an interrupt is lost if the query has not started in its thread.
    const interrupt = (): void => {
      connection.interrupt();
      again = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
    };
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      signal.throwIfAborted();
      if (inTransaction) await connection.run('begin read only');
      return await work(connection);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', interrupt);
      clearInterval(again);
    }
  }

  /** Sets the number of threads for reads that begin from now on. */
  async setThreads(threads: number): Promise<void> {
    const connection = await this.#take();
    try {
      await connection.run(`set threads = ${threads}`);
    } finally {
      this.#idle.push(connection);
    }
  }

  close(): void {
    for (const connection of this.#idle) connection.closeSync();
  }

  async #take(): Promise<DuckDBConnection> {
    return this.#idle.pop() ?? (await this.instance.connect());
  }

  async #release(connection: DuckDBConnection, inTransaction: boolean): Promise<void> {
    try {
      if (inTransaction) await connection.run('rollback');
      this.#idle.push(connection);
    } catch {
      // A late interrupt cancelled the rollback instead of the query.
      connection.closeSync();
    }
  }
}
