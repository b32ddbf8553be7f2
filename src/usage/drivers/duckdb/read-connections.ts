import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

const INTERRUPT_EVERY_MS = 50;

/** The reading connections of a store: one for each read at a time. */
export class ReadConnections {
  readonly #idle: DuckDBConnection[] = [];

  constructor(private readonly instance: DuckDBInstance) {}

  /**
   * Interrupts the work's statement when the signal aborts. `inTransaction`: all statements of the work see one
   * snapshot.
   */
  async run<T>(
    signal: AbortSignal,
    inTransaction: boolean,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const connection = await this.#take();
    let again: NodeJS.Timeout | undefined;
    // An interrupt before the query has begun in its thread is lost.
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
      await this.#release(connection, inTransaction);
    }
  }

  /** Applies to reads that begin from now on. */
  async setThreads(threads: number): Promise<void> {
    const connection = await this.#take();
    await connection.run(`set threads = ${threads}`);
    this.#idle.push(connection);
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
