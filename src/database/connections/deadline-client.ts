import { callbackify } from 'node:util';
import pg from 'pg';
import { DatabaseUnavailable } from '../../kernel/errors/database-unavailable.js';
import { asDatabaseFault } from '../database-faults.js';
import { DatabaseHosts, type DatabaseHost } from './database-hosts.js';
import type { DatabaseWatch } from './database-watch.js';
import { withinTimeout } from './within-timeout.js';

const CANCEL_TIMEOUT_MS = 1_000;

/**
 * Up to version 17, PostgreSQL adds 10^10 to the cost of a sequential scan that `enable_seqscan = off` could not avoid.
 * Such a cost is above every threshold of JIT compilation, which can take seconds, longer than the statement.
 */
const NO_JIT = 'set jit = off';
const NO_JIT_IN_TRANSACTION = 'set local jit = off';
const BEGIN = /^(?:begin|start transaction)\b/;
/** SQLSTATE of a write that a standby or a read-only server refused. */
const READ_ONLY = '25006';

export interface DeadlineOptions {
  /** Maximum duration of a statement, in milliseconds; 0 = no limit. */
  readonly deadlineMs?: number;
  readonly watch?: DatabaseWatch;
  /**
   * Whether a pooler may share the connection's backend with other connections between transactions. Settings are then
   * made in each transaction, because other connections would also get settings of the session.
   */
  readonly pooled?: boolean;
}

/** A statement that may have its own timeout, instead of the client's. */
export interface LimitedStatement extends pg.QueryConfig {
  readonly deadlineMs: number | undefined;
}

type Done = (error: Error | undefined, result?: pg.QueryResult) => void;

/**
 * A connection whose statements have a timeout. On a timeout the statement is cancelled at the server and the
 * connection is destroyed, because a late response would be read as the response to the next statement. (pg's own
 * `query_timeout` keeps the connection.) Transient failures are thrown as DatabaseUnavailable. JIT compilation is off.
 * If an address has several hosts, DatabaseHosts chooses the host.
 */
export class DeadlineClient extends pg.Client {
  readonly #connectTimeoutMs: number;
  readonly #deadlineMs: number;
  readonly #watch: DatabaseWatch | undefined;
  readonly #pooled: boolean;
  readonly #hosts: DatabaseHosts | undefined;
  #host: DatabaseHost | undefined;
  /** When the next statement began to wait for this connection, by performance.now(); 0 = it did not wait. */
  #waitedSince = 0;

  constructor(options: pg.ClientConfig & DeadlineOptions = {}) {
    const hosts = DatabaseHosts.of(options.connectionString);
    super(hosts ? { ...options, connectionString: hosts.anyUrl } : options);
    this.#hosts = hosts;
    // A broken connection also fails the current statement, including connect(). Without a listener the error event
    // would end the process.
    this.on('error', () => hosts?.lost(this.#host));
    this.#connectTimeoutMs = options.connectionTimeoutMillis || Infinity;
    this.#deadlineMs = options.deadlineMs ?? 0;
    this.#watch = options.watch;
    this.#pooled = options.pooled ?? false;
  }

  /** Subtracts the wait for this connection from the timeout of the next statement. */
  noteWaitedSince(at: number): void {
    this.#waitedSince = at;
  }

  /** Same signature as pg's: takes a callback, or returns a promise. */
  override connect(callback?: unknown): never {
    const connect = (): Promise<void> => this.#connect();
    return (callback ? callbackify(connect)(callback as () => void) : connect()) as never;
  }

  async #connect(): Promise<void> {
    try {
      await this.#chooseHost();
      await super.connect();
      if (!this.#pooled) await this.#query(NO_JIT, undefined, undefined);
      if (this.#host) await this.#hosts!.check(this, this.#host);
    } catch (error) {
      this.#hosts?.lost(this.#host);
      this.connection.stream.destroy();
      throw asDatabaseFault(error);
    }
    if (this.#host) this.#watch?.connected(this.#host.name);
  }

  async #chooseHost(): Promise<void> {
    if (!this.#hosts) return;
    const choice = this.#hosts.choose();
    this.#host = await (this.#connectTimeoutMs === Infinity ? choice : withinTimeout(this.#connectTimeoutMs, choice));
    // If choosing a host takes too long, the pool destroys the connection.
    if (this.connection.stream.destroyed) throw new DatabaseUnavailable('the connection was abandoned');
    this.host = this.#host.host;
    this.port = this.#host.port;
  }

  /** Same signature as pg's: a statement or its config, then optional values, then an optional callback. */
  override query(statement: unknown, values?: unknown, callback?: unknown): never {
    return this.#query(statement as string | LimitedStatement | pg.Submittable, values, callback) as never;
  }

  #query(statement: string | LimitedStatement | pg.Submittable, values: unknown, callback: unknown): unknown {
    // Streams (COPY, cursor) have no timeout, because their reader determines the duration.
    if (typeof statement === 'object' && 'submit' in statement) return super.query(statement);
    if (typeof values === 'function') return this.#run(statement, undefined, values as Done);
    if (callback) return this.#run(statement, values as unknown[], callback as Done);
    return new Promise((resolve, reject) => {
      this.#run(statement, values as unknown[], (error, result) => (error ? reject(error) : resolve(result)));
    }).catch((error: Error) => {
      // As pg does: let the stack show the caller instead of the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  #run(statement: string | LimitedStatement, values: unknown[] | undefined, done: Done): void {
    const limit = this.#limitOf(statement);
    const timer = limit > 0 ? setTimeout(() => this.#abort(limit), limit) : undefined;
    const sent = this.#pooled ? withSettings(statement) : statement;
    super.query(sent as string, values as never, (error: Error | undefined, result: pg.QueryResult) => {
      clearTimeout(timer);
      if (!error) {
        this.#watch?.succeeded();
        return done(undefined, result);
      }
      const fault = asDatabaseFault(error);
      if (fault instanceof DatabaseUnavailable) this.#watch?.failed(fault);
      // Another server is now the primary. Destroy the connection, so that the next connection is opened to the
      // primary.
      if (fault instanceof DatabaseUnavailable && fault.code === READ_ONLY) this.connection.stream.destroy();
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
   * Sends a cancel request, for which the protocol requires a separate connection. Without the request, a statement
   * that waits for a lock would continue to wait at the server. A failure to cancel is ignored.
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

/** Adds the settings of a transaction to the statement that begins it. */
function withSettings(statement: string | LimitedStatement): string | LimitedStatement {
  const text = typeof statement === 'string' ? statement : statement.text;
  if (!BEGIN.test(text)) return statement;
  const both = `${text}; ${NO_JIT_IN_TRANSACTION}`;
  return typeof statement === 'string' ? both : { ...statement, text: both };
}

/** Members that @types/pg lacks. */
interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void;
  cancel(processId: number, secretKey: number): void;
}
