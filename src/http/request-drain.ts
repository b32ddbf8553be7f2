import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallerConnections } from './caller-connections.js';

/** Shuts a server down without losing a request. */
export class RequestDrain {
  constructor(
    private readonly server: Server,
    private readonly connections: CallerConnections,
  ) {}

  /** Stops accepting connections and waits for the requests under way; returns how many are left after the timeout. */
  async drain(timeoutMs: number): Promise<number> {
    this.connections.close();
    this.server.close();
    this.server.closeIdleConnections();
    const until = performance.now() + timeoutMs;
    while (this.connections.underWay > 0 && performance.now() < until) {
      await sleep(10);
      this.server.closeIdleConnections();
    }
    const left = this.connections.underWay;
    // Node treats a connection that never sent a request as busy, which would delay the close by a minute.
    this.server.closeAllConnections();
    return left;
  }
}
