import type { OnApplicationShutdown } from '@nestjs/common';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bytesOf, bytesOfRest, nextPiece, type PiecePosition } from '../../formats/text-pieces.js';

export interface TokenCounterOptions {
  /** A piece that takes more CPU time ends the thread. Milliseconds. */
  readonly budgetMs?: number;
  /** The thread, 60 MB with its vocabulary, ends after so long without work. Milliseconds. */
  readonly idleMs?: number;
  /** Texts beyond this many characters in the queue of a lane are not counted. */
  readonly maxQueuedCharacters?: number;
  /** Starts a thread that replies to each text, one at a time, with a CountReply. */
  readonly start?: () => Worker;
}

/** Bills are counted before estimates, and each lane has its own queue, so that estimates cannot displace bills. */
export type CountLane = 'bill' | 'estimate';

export interface CountedTokens {
  readonly tokens: number;
  /** Whether a part was not counted and is in `tokens` by its UTF-8 bytes, which no count exceeds. */
  readonly isBound: boolean;
  /** The CPU time of the thread for these texts, milliseconds. */
  readonly cpuMs: number;
}

/** `cpuMs`: CPU time of the thread since its start, milliseconds. */
export type CountReply = { readonly cpuMs: number } & (
  { readonly ok: true; readonly tokens: number } | { readonly ok: false }
);

interface Job extends PiecePosition {
  tokens: number;
  /** Bytes of the piece that the thread has. */
  pieceBytes: number;
  isBound: boolean;
  cpuMs: number;
  readonly lane: CountLane;
  readonly characters: number;
  readonly resolve: (counted: CountedTokens) => void;
}

const DEFAULT_BUDGET_MS = 20_000;
const DEFAULT_IDLE_MS = 60_000;
const DEFAULT_MAX_QUEUED_CHARACTERS = 64 * 1024 * 1024;

/**
 * Counts tokens where a vendor reports no usage: exact for one family of models, 10 to 20 % off for others. All of it
 * runs in one thread, started by the first text: loading the vocabulary takes 130 ms and 60 MB. Jobs take turns piece
 * by piece, so a short text does not wait for a long one. Never fails: without the thread a text counts as its bytes.
 * A piece is given up by CPU time, so that a count is the same on a loaded machine.
 */
export class TokenCounter implements OnApplicationShutdown {
  readonly #options: Required<TokenCounterOptions>;
  readonly #queues: Readonly<Record<CountLane, Job[]>> = { bill: [], estimate: [] };
  readonly #queuedCharacters: Record<CountLane, number> = { bill: 0, estimate: 0 };
  /** CPU time of the thread at its last reply, milliseconds. */
  #cpuMs = 0;
  #worker: Worker | undefined;
  #current: Job | undefined;
  #budgetTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: TokenCounterOptions = {}) {
    this.#options = {
      budgetMs: DEFAULT_BUDGET_MS,
      idleMs: DEFAULT_IDLE_MS,
      maxQueuedCharacters: DEFAULT_MAX_QUEUED_CHARACTERS,
      start: startWorker,
      ...options,
    };
  }

  /** The tokens of all texts together. */
  count(texts: readonly string[], lane: CountLane = 'bill'): Promise<CountedTokens> {
    const characters = texts.reduce((total, text) => total + text.length, 0);
    if (characters === 0) return Promise.resolve({ tokens: 0, isBound: false, cpuMs: 0 });
    if (this.#closed || this.#queuedCharacters[lane] + characters > this.#options.maxQueuedCharacters)
      return Promise.resolve({ tokens: bytesOf(texts), isBound: true, cpuMs: 0 });
    this.#queuedCharacters[lane] += characters;
    const start = { text: 0, position: 0, tokens: 0, pieceBytes: 0, isBound: false, cpuMs: 0 };
    return new Promise((resolve) => {
      this.#queues[lane].push({ texts, ...start, lane, characters, resolve });
      this.#pump();
    });
  }

  /** What the counter holds at this moment. */
  state(): { readonly jobs: number; readonly isRunning: boolean } {
    const queued = this.#queues.bill.length + this.#queues.estimate.length;
    return { jobs: queued + (this.#current ? 1 : 0), isRunning: this.#worker !== undefined };
  }

  /** After all calls are billed. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Ends the thread. What is queued, and what comes later, counts as its bytes. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#release();
    for (const queue of Object.values(this.#queues)) for (const job of queue.splice(0)) this.#finishByBytes(job);
    await worker?.terminate();
  }

  #pump(): void {
    if (this.#current) return;
    const job = this.#queues.bill.shift() ?? this.#queues.estimate.shift();
    if (!job) return this.#rest();
    clearTimeout(this.#idleTimer);
    const piece = nextPiece(job);
    if (piece === undefined) {
      this.#settle(job);
      return this.#pump();
    }
    this.#current = job;
    job.pieceBytes = Buffer.byteLength(piece);
    try {
      const worker = (this.#worker ??= this.#start());
      worker.ref();
      worker.postMessage(piece, []);
      this.#limit(worker, this.#options.budgetMs);
    } catch {
      this.#fail(this.#worker);
    }
  }

  /** Ends the thread once its piece has used the budget. It has not before so much time has passed. */
  #limit(worker: Worker, leftMs: number): void {
    this.#budgetTimer = setTimeout(() => void this.#check(worker), leftMs);
  }

  async #check(worker: Worker): Promise<void> {
    const timer = this.#budgetTimer;
    const cpuMs = await cpuMsOf(worker);
    // The piece has been counted meanwhile.
    if (timer !== this.#budgetTimer) return;
    const leftMs = this.#options.budgetMs - (cpuMs - this.#cpuMs);
    if (leftMs >= 1) this.#limit(worker, leftMs);
    else await this.#fail(worker)?.terminate();
  }

  #start(): Worker {
    this.#cpuMs = 0;
    const worker = this.#options.start();
    worker.on('message', (reply: CountReply) => this.#receive(worker, reply));
    worker.on('error', () => void this.#fail(worker));
    worker.on('exit', () => void this.#fail(worker));
    return worker;
  }

  #receive(worker: Worker, reply: CountReply): void {
    const job = this.#current;
    if (worker !== this.#worker || !job) return;
    this.#stopTimer();
    this.#current = undefined;
    job.cpuMs += reply.cpuMs - this.#cpuMs;
    this.#cpuMs = reply.cpuMs;
    if (!reply.ok) job.isBound = true;
    job.tokens += reply.ok ? Math.min(reply.tokens, job.pieceBytes) : job.pieceBytes;
    if (job.text === job.texts.length) this.#settle(job);
    else this.#queues[job.lane].push(job);
    this.#pump();
  }

  /** The thread has ended or hangs: the text it had counts as its bytes; the next job starts another thread. */
  #fail(worker: Worker | undefined): Worker | undefined {
    if (worker !== this.#worker) return undefined;
    const released = this.#release();
    if (!this.#closed) queueMicrotask(() => this.#pump());
    return released;
  }

  #release(): Worker | undefined {
    this.#stopTimer();
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    const job = this.#current;
    this.#worker = undefined;
    this.#current = undefined;
    if (job) {
      job.cpuMs += this.#options.budgetMs;
      job.tokens += job.pieceBytes;
      this.#finishByBytes(job);
    }
    return worker;
  }

  #stopTimer(): void {
    clearTimeout(this.#budgetTimer);
    this.#budgetTimer = undefined;
  }

  #finishByBytes(job: Job): void {
    job.tokens += bytesOfRest(job);
    job.isBound = true;
    this.#settle(job);
  }

  #settle(job: Job): void {
    this.#queuedCharacters[job.lane] -= job.characters;
    job.resolve({ tokens: job.tokens, isBound: job.isBound, cpuMs: job.cpuMs });
  }

  #rest(): void {
    const worker = this.#worker;
    if (!worker) return;
    worker.unref();
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.#fail(worker)?.terminate(), this.#options.idleMs);
    this.#idleTimer.unref();
  }
}

/** Infinite where the thread has ended, and before Node 24.6, where its CPU time cannot be read. */
async function cpuMsOf(worker: Worker): Promise<number> {
  if (!('cpuUsage' in worker)) return Infinity;
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return Infinity;
  }
}

function startWorker(): Worker {
  const script = 'token-counter.worker';
  const url = new URL(`./${script}${extname(import.meta.url)}`, import.meta.url);
  // No environment, because it holds secrets, and none of the service's flags.
  return new Worker(url, { env: {}, execArgv: ['--no-warnings'], name: script });
}
