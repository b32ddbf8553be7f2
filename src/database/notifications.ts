import pg from 'pg';

type Handler = (payload: string) => void;

const RETRY_MS = 500;

/**
 * One LISTEN connection, kept open for as long as the service runs. `onGap` handlers are told after every
 * reconnect, because what was notified in between is lost.
 */
export class Notifications {
  readonly #handlers = new Map<string, Handler[]>();
  readonly #gapHandlers: (() => void)[] = [];
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    private readonly directUrl: string,
    private readonly listen = true,
  ) {}

  /** Registers before `start()`. `channel` is an identifier of ours, never a caller's text. */
  on(channel: string, handler: Handler): void {
    this.#handlers.set(channel, [...(this.#handlers.get(channel) ?? []), handler]);
    if (this.#client) void this.#client.query(`listen ${channel}`).catch(() => undefined);
  }

  onGap(handler: () => void): void {
    this.#gapHandlers.push(handler);
  }

  async start(): Promise<void> {
    if (!this.listen) return;
    const client = new pg.Client({
      connectionString: this.directUrl,
      application_name: 'gatehouse-listen',
      keepAlive: true,
    });
    client.on('notification', (message) => {
      for (const handler of this.#handlers.get(message.channel) ?? []) handler(message.payload ?? '');
    });
    client.on('error', () => this.#reconnectLater(client));
    client.on('end', () => this.#reconnectLater(client));
    await client.connect();
    for (const channel of this.#handlers.keys()) await client.query(`listen ${channel}`);
    // Closed while it was connecting again: nobody would end this connection later.
    if (this.#closed) return client.end();
    this.#client = client;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }

  #reconnectLater(lost: pg.Client): void {
    if (this.#closed || (this.#client !== lost && this.#client !== undefined)) return;
    this.#client = undefined;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.start().then(
        () => this.#gapHandlers.forEach((handler) => handler()),
        () => this.#reconnectLater(lost),
      );
    }, RETRY_MS);
    this.#retry.unref();
  }
}
