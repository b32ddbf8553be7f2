import { connect, type Socket } from 'node:net';
import { MessageLines, readMessageLines } from './message-lines.js';

const CHECK_EVERY_MS = 100;

/** The other process does not run, or did not respond in time. */
export class LocalServerUnavailable extends Error {
  override name = 'LocalServerUnavailable';
}

export interface LocalRequest {
  readonly n: number;
  readonly request: unknown;
}

export interface LocalResponse {
  readonly n: number;
  readonly response: unknown;
}

interface OpenRequest extends PromiseWithResolvers<unknown> {
  /** When the request times out, on the clock of performance.now(). */
  readonly until: number;
}

interface Connection {
  readonly socket: Socket;
  readonly lines: MessageLines<LocalRequest>;
}

/** Client of a LocalServer. Connects at the first request, and reconnects after the connection was lost. */
export class LocalClient {
  readonly #open = new Map<number, OpenRequest>();
  #connection: Connection | undefined;
  #last = 0;
  #checks: NodeJS.Timeout | undefined;

  constructor(private readonly path: string) {}

  /**
   * Rejects with LocalServerUnavailable if the connection is lost or no response arrives in time. The server may still
   * carry out the request.
   */
  request(request: unknown, timeoutMs: number): Promise<unknown> {
    const n = ++this.#last;
    const open = { ...Promise.withResolvers<unknown>(), until: performance.now() + timeoutMs };
    this.#open.set(n, open);
    this.#checks ??= setInterval(() => this.#rejectLate(), CHECK_EVERY_MS);
    (this.#connection ??= this.#connect()).lines.send({ n, request });
    return open.promise;
  }

  /** Resolves when no request is open. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open.values()].map(({ promise }) => promise));
  }

  close(): void {
    this.#connection?.socket.destroy();
  }

  #connect(): Connection {
    const socket = connect(this.path);
    const connection = { socket, lines: new MessageLines<LocalRequest>(socket) };
    readMessageLines(socket, (message) => {
      const { n, response } = message as LocalResponse;
      // Undefined if the request has timed out.
      this.#take(n)?.resolve(response);
    });
    // The event `close` follows.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#connection === connection) this.#connection = undefined;
      for (const n of this.#open.keys()) this.#take(n)!.reject(new LocalServerUnavailable('the connection was lost'));
    });
    return connection;
  }

  #rejectLate(): void {
    const now = performance.now();
    for (const [n, { until }] of this.#open)
      if (now >= until) this.#take(n)!.reject(new LocalServerUnavailable('no response in time'));
  }

  #take(n: number): OpenRequest | undefined {
    const open = this.#open.get(n);
    this.#open.delete(n);
    if (this.#open.size === 0) {
      clearInterval(this.#checks);
      this.#checks = undefined;
    }
    return open;
  }
}
