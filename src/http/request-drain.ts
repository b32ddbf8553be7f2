import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Knows the requests under way, and ends a server without losing one. */
export class RequestDrain {
  #underWay = 0;
  #draining = false;

  constructor(private readonly server: Server) {
    const ended = (): void => void this.#underWay--;
    const watch = (_request: IncomingMessage, response: ServerResponse): void => {
      this.#underWay++;
      if (this.#draining) response.setHeader('connection', 'close');
      response.on('close', ended);
    };
    server.prependListener('request', watch);
  }

  /** Accepts no more connections, waits for the requests under way, at most so long; answers how many were left. */
  async drain(timeoutMs: number): Promise<number> {
    this.#draining = true;
    this.server.close();
    this.server.closeIdleConnections();
    const until = performance.now() + timeoutMs;
    while (this.#underWay > 0 && performance.now() < until) {
      await sleep(10);
      this.server.closeIdleConnections();
    }
    const left = this.#underWay;
    // A connection that never sent a request counts as busy to Node and would keep the server from closing for a minute.
    this.server.closeAllConnections();
    return left;
  }
}
