import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_KEY, type Scenario } from './scenarios.js';

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds until the end of the response, ascending. */
  readonly latencies: Float64Array;
  /** Milliseconds until the first byte of the body, ascending. */
  readonly firstBytes: Float64Array;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const END_OF_CHUNKS = Buffer.from('0\r\n\r\n');

/** A keep-alive connection that sends one request at a time. It parses a response only to find its end. */
class Caller {
  readonly #socket: Socket;
  #done: ((error?: Error) => void) | undefined;
  #head: Buffer | undefined;
  /** Remaining bytes of the body; -1 = chunked. */
  #left = 0;
  #tail: Buffer = Buffer.alloc(0);
  #firstByteAt = 0;

  constructor(
    origin: URL,
    private readonly request: Buffer,
  ) {
    this.#socket = connect({ host: origin.hostname, port: Number(origin.port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', (error) => this.#done?.(error));
    this.#socket.on('close', () => this.#done?.(new Error('the connection was closed')));
  }

  /** Resolves at the end of the response with the time of the first byte of its body. */
  call(): Promise<number> {
    this.#firstByteAt = 0;
    return new Promise((resolve, reject) => {
      this.#done = (error) => {
        this.#done = undefined;
        if (error) reject(error);
        else resolve(this.#firstByteAt);
      };
      this.#socket.write(this.request);
    });
  }

  close(): void {
    this.#done = undefined;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    let body = chunk;
    if (this.#left === 0) {
      const seen = this.#head ? Buffer.concat([this.#head, chunk]) : chunk;
      const end = seen.indexOf(END_OF_HEAD);
      if (end < 0) {
        this.#head = seen;
        return;
      }
      this.#head = undefined;
      const head = seen.toString('latin1', 0, end);
      if (!head.startsWith('HTTP/1.1 200'))
        return this.#done?.(new Error(`answered ${head.slice(0, 40)} ${seen.toString('utf8', end, end + 300)}`));
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      this.#left = length === undefined ? -1 : Number(length);
      body = seen.subarray(end + 4);
    }
    if (this.#firstByteAt === 0 && body.length > 0) this.#firstByteAt = performance.now();
    if (this.#left < 0) {
      this.#tail =
        body.length >= END_OF_CHUNKS.length
          ? body.subarray(-END_OF_CHUNKS.length)
          : Buffer.concat([this.#tail, body]).subarray(-END_OF_CHUNKS.length);
      if (!this.#tail.equals(END_OF_CHUNKS)) return;
      this.#left = 0;
      this.#tail = Buffer.alloc(0);
    } else {
      this.#left -= body.length;
      if (this.#left > 0) return;
    }
    this.#done?.();
  }
}

export function requestOf(origin: URL, scenario: Scenario, key = API_KEY): Buffer {
  const body = JSON.stringify(scenario.body);
  const headers = Object.entries(scenario.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `POST ${scenario.path} HTTP/1.1\r\nhost: ${origin.host}\r\nauthorization: Bearer ${key}\r\n` +
      `${headers.join('')}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Collects the times of calls. */
class Stopwatch {
  readonly #latencies: number[] = [];
  readonly #firstBytes: number[] = [];
  readonly #begun = performance.now();

  note(start: number, firstByteAt: number): void {
    this.#latencies.push(performance.now() - start);
    this.#firstBytes.push(firstByteAt - start);
  }

  result(): LoadResult {
    return {
      requests: this.#latencies.length,
      seconds: (performance.now() - this.#begun) / 1000,
      latencies: Float64Array.from(this.#latencies).sort(),
      firstBytes: Float64Array.from(this.#firstBytes).sort(),
    };
  }
}

/**
 * Closed loop: each connection sends the next request after the end of the previous one. With `perSecond`, requests are
 * delayed so that the total rate of all connections does not exceed `perSecond`. The scenarios are assigned to the
 * connections in turn. Waits for every started request.
 */
export async function closedLoop(
  target: string,
  scenarios: readonly Scenario[],
  connections: number,
  seconds: number,
  perSecond = Infinity,
): Promise<LoadResult> {
  const origin = new URL(target);
  const requests = scenarios.map((scenario) => requestOf(origin, scenario));
  const watch = new Stopwatch();
  const until = performance.now() + seconds * 1000;
  const pause = (connections / perSecond) * 1000;
  const callers = Array.from(
    { length: connections },
    (_, index) => new Caller(origin, requests[index % requests.length]!),
  );
  await Promise.all(
    callers.map(async (caller) => {
      if (pause > 0) await sleep(Math.random() * pause);
      while (performance.now() < until) {
        const start = performance.now();
        watch.note(start, await caller.call());
        if (pause > 0) await sleep(Math.max(0, start + pause - performance.now()));
      }
    }),
  );
  const result = watch.result();
  for (const caller of callers) caller.close();
  return result;
}

/**
 * Starts calls at a fixed rate, independent of their progress, and waits for all of them. Each call receives its
 * scheduled start time (performance.now()).
 */
export async function callAtRate(
  perSecond: number,
  seconds: number,
  call: (start: number) => Promise<void>,
): Promise<void> {
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  const total = Math.round(perSecond * seconds);
  while (calls.length < total) {
    // The first call starts immediately.
    const expected = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond) + 1);
    while (calls.length < expected) calls.push(call(startedAt + (calls.length / perSecond) * 1000));
    await sleep(1);
  }
  await Promise.all(calls);
}

/**
 * Open loop: sends requests at a fixed rate, independent of responses. A latency is measured from the time when the
 * request was due.
 */
export async function openLoop(
  target: string,
  scenario: Scenario,
  perSecond: number,
  seconds: number,
): Promise<LoadResult> {
  const origin = new URL(target);
  const request = requestOf(origin, scenario);
  const free: Caller[] = [];
  const watch = new Stopwatch();
  await callAtRate(perSecond, seconds, async (start) => {
    const caller = free.pop() ?? new Caller(origin, request);
    watch.note(start, await caller.call());
    free.push(caller);
  });
  const result = watch.result();
  for (const caller of free) caller.close();
  return result;
}

export const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
