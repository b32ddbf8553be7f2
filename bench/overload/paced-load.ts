import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { callAtRate } from '../load.js';

const END_OF_HEAD = '\r\n\r\n';

export interface PacedCall {
  /** The scheduled start of the call, in milliseconds since the load began. */
  readonly at: number;
  /** 0 if the connection broke. */
  readonly status: number;
  /** From `at` to the end of the response. */
  readonly ms: number;
}

/** A keep-alive connection that sends one request at a time and reads responses with a Content-Length. */
class StatusCaller {
  #socket: Socket | undefined;
  #text = '';
  #done: ((status: number) => void) | undefined;

  constructor(private readonly origin: URL) {}

  /** Connects before the first call. */
  async open(): Promise<void> {
    this.#socket = this.#connect();
    await once(this.#socket, 'connect');
  }

  /** 0 if the connection broke. */
  call(request: Buffer): Promise<number> {
    return new Promise((resolve) => {
      this.#done = (status) => {
        this.#done = undefined;
        resolve(status);
      };
      this.#socket ??= this.#connect();
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Socket {
    const socket = connect({ host: this.origin.hostname, port: Number(this.origin.port), noDelay: true });
    socket.setEncoding('latin1').on('data', (text) => this.#read(String(text)));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#socket = undefined;
      this.#text = '';
      this.#done?.(0);
    });
    return socket;
  }

  #read(text: string): void {
    this.#text += text;
    const end = this.#text.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1]);
    if (this.#text.length < end + END_OF_HEAD.length + length) return;
    const status = Number(this.#text.slice(9, 12));
    this.#text = '';
    this.#done?.(status);
  }
}

/** Connections that are opened before the load, as in a service that has run for a while. Later calls may open more. */
const OPEN_BEFORE = 1_000;

/**
 * Sends requests at a fixed rate, independent of the responses. Waits for all responses; returns the calls in the order
 * in which they ended.
 */
export async function pacedLoad(
  origin: URL,
  request: Buffer,
  perSecond: number,
  seconds: number,
): Promise<PacedCall[]> {
  const free = Array.from({ length: OPEN_BEFORE }, () => new StatusCaller(origin));
  for (const caller of free) await caller.open();
  const calls: PacedCall[] = [];
  const startedAt = performance.now();
  await callAtRate(perSecond, seconds, async (start) => {
    const caller = free.pop() ?? new StatusCaller(origin);
    const status = await caller.call(request);
    calls.push({ at: start - startedAt, status, ms: performance.now() - start });
    free.push(caller);
  });
  for (const caller of free) caller.close();
  return calls;
}
