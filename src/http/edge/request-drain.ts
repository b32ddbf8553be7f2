import type { Server } from 'node:http';
import type { AddressInfo, Server as Listener } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallerConnections } from '../connections/caller-connections.js';
import { listen, type ListenAddress } from './listening.js';

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
   * Accepts connections for `delayMs` more, with `Connection: close` on every response. Then stops accepting them and
   * waits for the requests under way; returns how many are left after the timeout.
   */
  async drain(delayMs: number, timeoutMs: number): Promise<number> {
    this.connections.closeAfterResponses();
    await sleep(delayMs);
    this.connections.limitStalls();
    this.close();
    this.server.closeIdleConnections();
    const until = performance.now() + timeoutMs;
    while (this.connections.underWay > 0 && performance.now() < until) {
      await sleep(10);
      this.server.closeIdleConnections();
    }
    const left = this.connections.underWay;
    this.connections.stop();
    // Node treats a connection that never sent a request as busy, which would delay the close by a minute.
    this.server.closeAllConnections();
    return left;
  }

  /** Stops accepting connections. */
  close(): void {
    this.server.close();
    for (const listener of this.#beside) listener.close();
  }
}
