import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { LocalRequest, LocalResponse } from './local-client.driver.js';
import { MessageLines, readMessageLines } from './message-lines.js';

/** Serves the other processes of this service on a Unix socket. */
export class LocalServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /** `respond` returns the response, which is sent as JSON. It must not reject. */
  constructor(private readonly respond: (request: unknown) => Promise<unknown>) {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(path: string): Promise<void> {
    // A killed process leaves its socket file behind.
    await rm(path, { force: true });
    this.#server.listen(path);
    await once(this.#server, 'listening');
  }

  /** Resolves when all processes have closed their connections. */
  async ended(): Promise<void> {
    // once() of node:events would reject if a process was killed, because its socket has an error before it closes.
    while (this.#sockets.size > 0) await new Promise((resolve) => [...this.#sockets][0]!.once('close', resolve));
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // If a process is killed, its connection closes. Its requests are still carried out.
    socket.on('error', () => socket.destroy());
    const responses = new MessageLines<LocalResponse>(socket);
    readMessageLines(socket, (message) => {
      const { n, request } = message as LocalRequest;
      void this.respond(request).then((response) => responses.send({ n, response }));
    });
  }
}
