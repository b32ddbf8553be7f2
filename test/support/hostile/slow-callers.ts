import { connect, type Socket } from 'node:net';

/**
 * Callers with slow connections: readers of speech that read a few bytes at a time, and writers that send a body byte
 * by byte. Their calls may fail, but must not affect other calls.
 */
export class SlowCallers {
  readonly #sockets = new Set<Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The number of bytes that the readers received. */
  read = 0;

  constructor(
    private readonly origin: () => string,
    private readonly key: string,
    each: number,
  ) {
    for (let index = 0; index < each; index++) {
      this.#readSlowly();
      this.#writeSlowly();
    }
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  #readSlowly(): void {
    const body = JSON.stringify({
      model: 'builtin/flite',
      voice: 'kal16',
      response_format: 'pcm',
      input: 'A long text that is read slowly. '.repeat(20),
    });
    const socket = this.#open();
    socket.write(`${this.#head(body.length)}${body}`);
    socket.pause();
    this.#every(100, socket, () => {
      const piece = socket.read(4_096) as Buffer | null;
      this.read += piece?.length ?? 0;
    });
  }

  #writeSlowly(): void {
    const body = JSON.stringify({ model: 'builtin/flite', voice: 'kal16', response_format: 'pcm', input: 'slow' });
    const socket = this.#open();
    socket.write(this.#head(body.length));
    let sent = 0;
    this.#every(50, socket, () => {
      if (sent < body.length) socket.write(body[sent++]!);
    });
    socket.resume();
  }

  #open(): Socket {
    const { hostname, port } = new URL(this.origin());
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    this.#sockets.add(socket);
    return socket;
  }

  #every(ms: number, socket: Socket, work: () => void): void {
    const timer = setInterval(work, ms);
    this.#timers.add(timer);
    socket.once('close', () => clearInterval(timer));
  }

  #head(length: number): string {
    return (
      `POST /api/v1/audio/speech HTTP/1.1\r\nhost: gatehouse\r\nauthorization: Bearer ${this.key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
    );
  }
}
