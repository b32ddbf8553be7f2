import pg from 'pg';
import { DatabaseUnavailable } from '../kernel/database-unavailable.js';
import { asDatabaseFault } from './database-faults.js';
import type { DatabaseWatch } from './database-watch.js';

const CANCEL_TIMEOUT_MS = 1_000;

export interface DeadlineOptions {
  /** The most that a statement may take, in milliseconds; 0 = no limit. */
  readonly deadlineMs?: number;
  readonly watch?: DatabaseWatch;
}

/** A statement with a limit of its own, instead of the client's. */
export interface LimitedStatement extends pg.QueryConfig {
  readonly deadlineMs: number;
}

type Done = (error: Error | undefined, result?: pg.QueryResult) => void;

/**
 * A connection whose statements have a timeout. On a timeout the statement is cancelled at the server and the
 * connection is destroyed, because a late response would be taken for that of the next statement. (pg's own
 * `query_timeout` keeps the connection.) Transient failures are thrown as DatabaseUnavailable.
 */
export class DeadlineClient extends pg.Client {
  readonly #deadlineMs: number;
  readonly #watch: DatabaseWatch | undefined;
  /** When the first statement began to wait for this connection; 0 = already counted. */
  #waitedSince = 0;

  constructor(options: pg.ClientConfig & DeadlineOptions = {}) {
    super(options);
    this.#deadlineMs = options.deadlineMs ?? 0;
    this.#watch = options.watch;
  }

  /** Subtracts the wait for this connection from the timeout of the next statement. */
  noteWaitedSince(at: number): void {
    this.#waitedSince = at;
  }

  /** Same signature as pg's: takes a callback, or returns a promise. */
  override connect(callback?: unknown): never {
    if (callback)
      return super.connect((error: Error | null) =>
        (callback as (error: unknown) => void)(error && asDatabaseFault(error)),
      ) as never;
    return super.connect().catch((error: Error) => {
      throw asDatabaseFault(error);
    }) as never;
  }

  /** Same signature as pg's: a statement or its config, then optional values, then an optional callback. */
  override query(statement: unknown, values?: unknown, callback?: unknown): never {
    return this.#query(statement as string | LimitedStatement | pg.Submittable, values, callback) as never;
  }

  #query(statement: string | LimitedStatement | pg.Submittable, values: unknown, callback: unknown): unknown {
    // No timeout for streams (COPY, cursor): their reader determines the duration.
    if (typeof statement === 'object' && 'submit' in statement) return super.query(statement);
    if (typeof values === 'function') return this.#run(statement, undefined, values as Done);
    if (callback) return this.#run(statement, values as unknown[], callback as Done);
    return new Promise((resolve, reject) => {
      this.#run(statement, values as unknown[], (error, result) => (error ? reject(error) : resolve(result)));
    }).catch((error: Error) => {
      // As pg does: make the stack show the caller instead of the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  #run(statement: string | LimitedStatement, values: unknown[] | undefined, done: Done): void {
    const limit = this.#limitOf(statement);
    const timer = limit > 0 ? setTimeout(() => this.#abort(limit), limit) : undefined;
    super.query(statement as string, values as never, (error: Error | undefined, result: pg.QueryResult) => {
      clearTimeout(timer);
      if (!error) {
        this.#watch?.succeeded();
        return done(undefined, result);
      }
      const fault = asDatabaseFault(error);
      if (fault instanceof DatabaseUnavailable) this.#watch?.failed(fault);
      done(fault);
    });
  }

  #limitOf(statement: string | LimitedStatement): number {
    const since = this.#waitedSince;
    this.#waitedSince = 0;
    if (typeof statement === 'object' && statement.deadlineMs !== undefined) return statement.deadlineMs;
    return since === 0 || this.#deadlineMs === 0
      ? this.#deadlineMs
      : Math.max(1, this.#deadlineMs - (performance.now() - since));
  }

  #abort(limit: number): void {
    this.#cancel();
    this.connection.stream.destroy(
      new DatabaseUnavailable(`the database did not respond within ${Math.round(limit)} ms`),
    );
  }

  /**
   * Sends a cancel request, for which the protocol requires a separate connection. Otherwise a statement that waits for
   * a lock would continue to wait at the server. A failure to cancel is ignored.
   */
  #cancel(): void {
    const { processID, secretKey } = this as unknown as { processID?: number; secretKey?: number };
    if (processID === undefined || secretKey === undefined) return;
    const connection = new pg.Connection({ ssl: false }) as unknown as CancelConnection;
    const end = (): void => void connection.stream.destroy();
    connection.on('error', end);
    connection.once('connect', () => connection.cancel(processID, secretKey));
    setTimeout(end, CANCEL_TIMEOUT_MS).unref();
    if (this.host.startsWith('/')) connection.connect(`${this.host}/.s.PGSQL.${this.port}`);
    else connection.connect(this.port, this.host);
  }
}

/** Members that @types/pg lacks. */
interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void;
  cancel(processId: number, secretKey: number): void;
}
