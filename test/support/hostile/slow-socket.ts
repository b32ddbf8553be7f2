import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_API_KEY } from '../services/test-service.js';

/** A caller on a plain socket that reads and sends only when the test requests it. */
export class SlowSocket {
  readonly #socket: Socket;
  #text = '';
  readonly closed: Promise<void>;

  constructor(
    origin: string,
    private readonly key = TEST_API_KEY,
  ) {
    const { hostname, port } = new URL(origin);
    this.#socket = connect(Number(port), hostname).pause();
    this.#socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.#socket.once('close', () => resolve()));
  }

  /** The text read so far. */
  get text(): string {
    return this.#text;
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.#text)?.[1] ?? 0);
  }

  /** The body of a JSON response. */
  get json(): unknown {
    return JSON.parse(this.#text.slice(this.#text.indexOf('\r\n\r\n'))) as unknown;
  }

  /** Sends a request with a complete JSON body. */
  post(path: string, body: object): this {
    const text = JSON.stringify(body);
    this.begin('POST', path, Buffer.byteLength(text));
    this.#socket.write(text);
    return this;
  }

  /** Sends the head of a request without its body. */
  begin(method: string, path: string, length: number, contentType = 'application/json'): this {
    this.#socket.write(
      `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${this.key}\r\n` +
        `Content-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    return this;
  }

  send(text: string): void {
    if (!this.#socket.destroyed) this.#socket.write(text);
  }

  /** Sends single bytes until the connection ends. */
  async trickle(everyMs: number): Promise<void> {
    while (!this.#socket.destroyed) {
      this.send(' ');
      await sleep(everyMs);
    }
  }

  /** Reads everything from now on. */
  read(): this {
    this.#socket
      .setEncoding('latin1')
      .on('data', (piece: string) => (this.#text += piece))
      .resume();
    return this;
  }

  /** Reads at most `bytes` per interval until the connection ends. Returns the number of bytes read. */
  async sip(bytes: number, everyMs: number): Promise<number> {
    let read = 0;
    while (!this.#socket.destroyed && !this.#socket.readableEnded) {
      read += (this.#socket.read(Math.min(bytes, this.#socket.readableLength)) as Buffer | null)?.length ?? 0;
      await sleep(everyMs);
    }
    return read;
  }

  /**
   * Whether the connection ends within this time. A socket that is not being read detects the end of the connection
   * only on the next write or read.
   */
  async endsWithin(ms: number): Promise<boolean> {
    const ended = this.closed.then(() => true);
    return Promise.race([ended, sleep(ms, false)]);
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
