import type { Socket } from 'node:net';

/**
 * Writes messages as JSON arrays, one per line. Messages that are sent in one turn of the event loop become one write.
 */
export class MessageLines<Sent> {
  #queue: Sent[] = [];

  constructor(private readonly socket: Socket) {}

  send(message: Sent): void {
    if (this.#queue.push(message) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const messages = this.#queue;
    this.#queue = [];
    if (this.socket.writable) this.socket.write(`${JSON.stringify(messages)}\n`);
  }
}

/** Calls `onMessage` with each message of a socket. */
export function readMessageLines(socket: Socket, onMessage: (message: unknown) => void): void {
  let pieces: string[] = [];
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      pieces.push(chunk.slice(from, end));
      const line = pieces.join('');
      pieces = [];
      from = end + 1;
      for (const message of JSON.parse(line) as unknown[]) onMessage(message);
    }
    if (from < chunk.length) pieces.push(chunk.slice(from));
  });
}
