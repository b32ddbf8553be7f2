import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { isDatabaseUnavailable } from '../../../database/database-faults.js';
import type { CommitRequest, CommitResponse } from './commit-messages.js';
import type { LedgerCommits } from './ledger-commits.port.js';
import { MessageLines, readMessageLines } from './message-lines.js';

/** Commits the reservations and settlements of several processes in common batches. */
export class CommitServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** By kind and id: an item that is sent again, because its first response was late, has one outcome. */
  readonly #open = new Map<string, Promise<string>>();

  constructor(private readonly commits: LedgerCommits) {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(path: string): Promise<void> {
    this.#server.listen(path);
    await once(this.#server, 'listening');
  }

  /** Resolves when all processes have closed their connections. */
  async ended(): Promise<void> {
    while (this.#sockets.size > 0) await once([...this.#sockets][0]!, 'close');
  }

  /** Accepts nothing more, and waits for what is being committed. */
  async close(): Promise<void> {
    this.#server.close();
    await this.commits.idle();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // A process that dies ends its connection; what it has sent is committed nevertheless.
    socket.on('error', () => socket.destroy());
    const responses = new MessageLines<CommitResponse>(socket);
    readMessageLines(socket, (message) => {
      const request = message as CommitRequest;
      const { n } = request;
      this.#commit(request).then(
        (outcome) => responses.send({ n, outcome }),
        (error: Error) => responses.send({ n, failure: error.message, isUnavailable: isDatabaseUnavailable(error) }),
      );
    });
  }

  #commit(request: CommitRequest): Promise<string> {
    const key = `${request.of} ${request.item.id}`;
    let outcome = this.#open.get(key);
    if (!outcome) {
      outcome = this.#submit(request).finally(() => this.#open.delete(key));
      this.#open.set(key, outcome);
    }
    return outcome;
  }

  #submit(request: CommitRequest): Promise<string> {
    switch (request.of) {
      case 'reserve':
        return this.commits.reserve(request.item, performance.now() + (request.leftMs ?? Infinity));
      case 'finish':
        return this.commits.finish(request.item);
      case 'finishLeased':
        return this.commits.finishLeased(request.item);
      default:
        return Promise.reject(new Error('unknown item'));
    }
  }
}
