import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_KEY, type Scenario } from './scenarios.js';

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds, ascending. */
  readonly latencies: Float64Array;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const END_OF_CHUNKS = Buffer.from('0\r\n\r\n');

/** One keep-alive connection that sends one request at a time; it reads only as much of an answer as finds its end. */
class Caller {
  readonly #socket: Socket;
  #done: ((error?: Error) => void) | undefined;
  #head: Buffer | undefined;
  /** Bytes of the body still to come; -1 = chunked. */
  #left = 0;
  #tail: Buffer = Buffer.alloc(0);

  constructor(
    origin: URL,
    private readonly request: Buffer,
  ) {
    this.#socket = connect({ host: origin.hostname, port: Number(origin.port), noDelay: true });
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', (error) => this.#done?.(error));
    this.#socket.on('close', () => this.#done?.(new Error('the connection was closed')));
  }

  call(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#done = (error) => {
        this.#done = undefined;
        if (error) reject(error);
        else resolve();
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
      if (!head.startsWith('HTTP/1.1 200')) return this.#done?.(new Error(`answered ${head.slice(0, 40)} ${seen.toString('utf8', end, end + 300)}`));
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      this.#left = length === undefined ? -1 : Number(length);
      body = seen.subarray(end + 4);
    }
    if (this.#left < 0) {
      this.#tail = body.length >= END_OF_CHUNKS.length ? body.subarray(-END_OF_CHUNKS.length) : Buffer.concat([this.#tail, body]).subarray(-END_OF_CHUNKS.length);
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

function requestOf(origin: URL, scenario: Scenario): Buffer {
  const body = JSON.stringify(scenario.body);
  return Buffer.from(`POST ${scenario.path} HTTP/1.1\r\nhost: ${origin.host}\r\nauthorization: Bearer ${API_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** So many connections, each asking again as soon as it is answered. Every request that was begun is waited for. */
export async function closedLoop(target: string, scenario: Scenario, connections: number, seconds: number): Promise<LoadResult> {
  const origin = new URL(target);
  const request = requestOf(origin, scenario);
  const latencies: number[] = [];
  const begun = performance.now();
  const until = begun + seconds * 1000;
  const callers = Array.from({ length: connections }, () => new Caller(origin, request));
  await Promise.all(
    callers.map(async (caller) => {
      while (performance.now() < until) {
        const start = performance.now();
        await caller.call();
        latencies.push(performance.now() - start);
      }
    }),
  );
  const result = { requests: latencies.length, seconds: (performance.now() - begun) / 1000, latencies: Float64Array.from(latencies).sort() };
  for (const caller of callers) caller.close();
  return result;
}

/** So many requests a second whether or not the earlier ones are answered; a latency counts from when its request was due. */
export async function openLoop(target: string, scenario: Scenario, perSecond: number, seconds: number): Promise<LoadResult> {
  const origin = new URL(target);
  const request = requestOf(origin, scenario);
  const free: Caller[] = [];
  const latencies: number[] = [];
  const calls: Promise<void>[] = [];
  const begun = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * perSecond));
    for (; sent < due; sent++) {
      const start = begun + (sent / perSecond) * 1000;
      const caller = free.pop() ?? new Caller(origin, request);
      calls.push(
        caller.call().then(() => {
          latencies.push(performance.now() - start);
          free.push(caller);
        }),
      );
    }
    await sleep(1);
  }
  await Promise.all(calls);
  for (const caller of free) caller.close();
  return { requests: total, seconds: (performance.now() - begun) / 1000, latencies: Float64Array.from(latencies).sort() };
}

export const quantile = (sorted: Float64Array, share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
