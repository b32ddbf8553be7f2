import type { Server } from 'node:http';
import type { AddressInfo, Server as Listener } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { CallerConnections } from '../connections/caller-connections.js';
import { listen, stopListening, type ListenAddress } from './listening.js';

/** A turn of the event loop that has little to do. */
const SHORT_TURN_MS = 0.2;
/** A busy service closes its listeners after this time without waiting for short turns. */
const MAX_CLOSE_MS = 1_000;

/** Opens a server, and shuts it down without losing a request. */
export class RequestDrain {
  #beside: Listener[] = [];

  constructor(
    private readonly server: Server,
    private readonly connections: CallerConnections,
  ) {}

  /** Returns the port. */
  async listen(address: ListenAddress): Promise<number> {
    this.#beside = await listen(this.server, address);
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Continues to accept connections for `delayMs`, with `Connection: close` on every response. Then stops accepting
   * them and waits for open requests; returns how many are left after the timeout. A connection that had no request for
   * `delayMs` is closed. Not earlier: a stream whose head was sent before has no `Connection: close`, so that a proxy
   * uses its connection again.
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
    // Node treats a connection that never sent a request as busy, which would delay the close by a minute.
    this.server.closeAllConnections();
    return left;
  }

  /**
   * Closes the listeners one by one, each after a short turn of the event loop. The kernel resets the connections that
   * wait to be accepted at a listener; all that waited at the beginning of the turn have been accepted in it.
   */
  async #closeListeners(): Promise<void> {
    const until = performance.now() + MAX_CLOSE_MS;
    for (const listener of [...this.#beside, this.server]) {
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
    for (const listener of this.#beside) listener.close();
  }
}
