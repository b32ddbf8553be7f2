import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { callAtRate } from '../load.js';

const END_OF_HEAD = '\r\n\r\n';

export interface PacedResult {
  /** Until the last response. */
  readonly seconds: number;
  /** By status: milliseconds from the time at which each request was to be sent. */
  readonly times: ReadonlyMap<number, number[]>;
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

/** Connections that are open before the load, as those of a service that has run for a while; more are opened then. */
const OPEN_BEFORE = 1_000;

/** Sends requests at a fixed rate, whatever is received. Waits for all responses. */
export async function pacedLoad(
  origin: URL,
  request: Buffer,
  perSecond: number,
  seconds: number,
): Promise<PacedResult> {
  const free = Array.from({ length: OPEN_BEFORE }, () => new StatusCaller(origin));
  for (const caller of free) await caller.open();
  const byStatus = new Map<number, number[]>();
  const startedAt = performance.now();
  await callAtRate(perSecond, seconds, async (start) => {
    const caller = free.pop() ?? new StatusCaller(origin);
    const status = await caller.call(request);
    const times = byStatus.get(status) ?? [];
    times.push(performance.now() - start);
    byStatus.set(status, times);
    free.push(caller);
  });
  const result = { seconds: (performance.now() - startedAt) / 1000, times: byStatus };
  for (const caller of free) caller.close();
  return result;
}
