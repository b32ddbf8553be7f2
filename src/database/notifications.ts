import { Logger } from '@nestjs/common';
import type pg from 'pg';
import { DeadlineClient } from './connections/deadline-client.js';

type Handler = (payload: string) => void;

/** The name of the connection in pg_stat_activity. */
export const LISTENER_NAME = 'gatehouse-listen';

const RECONNECT_DELAY_MS = 500;
/** A channel may have no notification for hours, so a periodic query detects a broken connection. */
const HEARTBEAT_INTERVAL_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 5_000;

/**
 * One LISTEN connection, kept open while the service runs. `onGap` handlers are called after every reconnect, because
 * notifications are lost while there is no connection.
 */
export class Notifications {
  readonly #log = new Logger('database');
  readonly #handlers = new Map<string, Handler[]>();
  readonly #gapHandlers: (() => void)[] = [];
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #lostAt: number | undefined;
  #closed = false;

  constructor(
    private readonly directUrl: string,
    private readonly listen = true,
    private readonly heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS,
    private readonly responseTimeoutMs = RESPONSE_TIMEOUT_MS,
  ) {}

  /**
   * Adds a handler for the notifications of a channel. `channel` is inserted into SQL, so pass only constant
   * identifiers.
   */
  on(channel: string, handler: Handler): void {
    this.#handlers.set(channel, [...(this.#handlers.get(channel) ?? []), handler]);
    if (this.#client) void this.#client.query(`listen ${channel}`).catch(() => undefined);
  }

  /** Calls the handlers of a channel, as a notification would, for a change that this process has just made. */
  dispatch(channel: string, payload: string): void {
    for (const handler of this.#handlers.get(channel) ?? []) handler(payload);
  }

  /** Whether the LISTEN connection is open. */
  get isListening(): boolean {
    return this.#client !== undefined;
  }

  onGap(handler: () => void): void {
    this.#gapHandlers.push(handler);
  }

  async start(): Promise<void> {
    if (!this.listen || this.#client) return;
    const client: pg.Client = new DeadlineClient({
      connectionString: this.directUrl,
      application_name: LISTENER_NAME,
      keepAlive: true,
      connectionTimeoutMillis: this.responseTimeoutMs,
      deadlineMs: this.responseTimeoutMs,
    });
    client.on('notification', ({ channel, payload }) => this.dispatch(channel, payload ?? ''));
    client.on('error', () => this.#reconnectLater(client));
    client.on('end', () => this.#reconnectLater(client));
    await client.connect();
    try {
      for (const channel of this.#handlers.keys()) await client.query(`listen ${channel}`);
    } catch (error) {
      // LISTEN failed, for example because the server is a standby. Close the connection, because otherwise each retry
      // would leave one open.
      void client.end().catch(() => undefined);
      throw error;
    }
    // close() was called while the client was connecting.
    if (this.#closed) return client.end();
    this.#client = client;
    this.#heartbeat = setInterval(() => this.#checkAlive(client), this.heartbeatIntervalMs);
    this.#heartbeat.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    const client = this.#client;
    // Destroy the connection after a timeout, because a hung server never closes it.
    const late = setTimeout(() => client?.connection.stream.destroy(), this.responseTimeoutMs);
    late.unref();
    await client?.end().catch(() => undefined);
    // The timer would keep every handler, and with them the whole service, in memory.
    clearTimeout(late);
  }

  /** Runs a query. If its timeout destroys the connection, the end event starts a reconnect. */
  #checkAlive(client: pg.Client): void {
    client.query('select 1').catch(() => undefined);
  }

  #reconnectLater(lost: pg.Client): void {
    if (this.#closed || (this.#client !== lost && this.#client !== undefined)) return;
    if (this.#client === lost) {
      this.#lostAt = performance.now();
      this.#log.warn(
        'The connection for notifications was lost: until it is restored, changes of keys may take effect ' +
          'up to 4 s later',
      );
    }
    this.#client = undefined;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.start().then(
        () => this.#onReconnected(),
        () => this.#reconnectLater(lost),
      );
    }, RECONNECT_DELAY_MS);
    this.#retry.unref();
  }

  #onReconnected(): void {
    if (this.#client && this.#lostAt !== undefined) {
      this.#log.log(
        'The connection for notifications is restored (after ' +
          `${Math.round((performance.now() - this.#lostAt) / 1000)} s)`,
      );
      this.#lostAt = undefined;
    }
    this.#gapHandlers.forEach((handler) => handler());
  }
}
