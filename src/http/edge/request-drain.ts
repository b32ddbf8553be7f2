import type { Server } from 'node:http';
import type { AddressInfo, Server as Listener } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { CallerConnections } from '../connections/caller-connections.js';
import { listen, stopListening, type ListenAddress } from './listening.js';

/** A turn of the event loop that takes at most this time is a short turn. */
const SHORT_TURN_MS = 0.2;
/** After this time, the remaining listeners are closed without waiting for short turns. */
const MAX_CLOSE_MS = 1_000;

/** Opens a server, and shuts it down without losing a request. */
export class RequestDrain {
  #additional: Listener[] = [];

  constructor(
    private readonly server: Server,
    private readonly connections: CallerConnections,
  ) {}

  /** Returns the port. */
  async listen(address: ListenAddress): Promise<number> {
    this.#additional = await listen(this.server, address);
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Continues to accept connections for `delayMs`, with `Connection: close` in every response. Then stops accepting
   * connections and waits for open requests. Returns the number of requests that are still open after the timeout.
   * Closes a connection only after `delayMs` without a request. The head of a stream that began before the drain has no
   * `Connection: close`, so a proxy may reuse the connection.
   */
  async drain(delayMs: number, timeoutMs: number): Promise<number> {
    this.connections.closeAfterResponses();
    await sleep(delayMs);
    this.connections.limitStalls();
    await this.#closeListeners();
    const until = performance.now() + timeoutMs;
    while (this.connections.closeIdle(delayMs) + this.connections.underWay > 0 && performance.now() < until)
      await sleep(10);
    const left = this.connections.underWay;
    this.connections.stop();
    // Node treats a connection without any request as busy, which would delay the close by a minute.
    this.server.closeAllConnections();
    return left;
  }

  /**
   * Closes the listeners one by one, each after a short turn of the event loop. When a listener is closed, the kernel
   * resets the connections that wait in its queue. After a short turn there are few of them, because the turn has
   * accepted the connections that waited at its beginning.
   */
  async #closeListeners(): Promise<void> {
    const until = performance.now() + MAX_CLOSE_MS;
    for (const listener of [...this.#additional, this.server]) {
      for (let turnMs = Infinity; turnMs > SHORT_TURN_MS && performance.now() < until;) {
        const since = performance.now();
        await setImmediate();
        turnMs = performance.now() - since;
      }
      stopListening(listener);
    }
  }

  /** Stops accepting connections. */
  close(): void {
    this.server.close();
    for (const listener of this.#additional) listener.close();
  }
}
