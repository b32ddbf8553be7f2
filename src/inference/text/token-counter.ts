import type { OnApplicationShutdown } from '@nestjs/common';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface TokenCounterOptions {
  /** A piece that takes longer ends the thread. Milliseconds. */
  readonly budgetMs?: number;
  /** The thread, 60 MB with its vocabulary, ends after so long without work. Milliseconds. */
  readonly idleMs?: number;
  /** Texts beyond this many characters in the queue are not counted. */
  readonly maxQueuedCharacters?: number;
  /** Starts a thread that replies to each text, one at a time, with a CountReply. */
  readonly start?: () => Worker;
}

/** `isBound` = not counted: the UTF-8 bytes, which no count exceeds. */
export interface CountedTokens {
  readonly tokens: number;
  readonly isBound: boolean;
}

export type CountReply = { readonly ok: true; readonly tokens: number } | { readonly ok: false };

interface Job {
  readonly texts: readonly string[];
  /** The text and the character at which the next piece starts. */
  text: number;
  position: number;
  tokens: number;
  /** Bytes of the piece that the thread has. */
  pieceBytes: number;
  isBound: boolean;
  readonly characters: number;
  readonly resolve: (counted: CountedTokens) => void;
}

const DEFAULT_BUDGET_MS = 20_000;
const DEFAULT_IDLE_MS = 60_000;
const DEFAULT_MAX_QUEUED_CHARACTERS = 64 * 1024 * 1024;
/** What is passed to the thread at once: 0.1 ms of the event loop. A cut adds at most one token. */
const MAX_PIECE_CHARACTERS = 64 * 1024;

/**
 * Counts tokens where a vendor reports no usage: exact for one family of models, 10 to 20 % off for others. All of it
 * runs in one thread, started by the first text: loading the vocabulary takes 130 ms and 60 MB. Jobs take turns piece
 * by piece, so a short text does not wait for a long one. Never fails: without the thread a text counts as its bytes.
 */
export class TokenCounter implements OnApplicationShutdown {
  readonly #options: Required<TokenCounterOptions>;
  readonly #queue: Job[] = [];
  #queuedCharacters = 0;
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
  count(texts: readonly string[]): Promise<CountedTokens> {
    const characters = texts.reduce((total, text) => total + text.length, 0);
    if (characters === 0) return Promise.resolve({ tokens: 0, isBound: false });
    if (this.#closed || this.#queuedCharacters + characters > this.#options.maxQueuedCharacters)
      return Promise.resolve({ tokens: bytesOf(texts), isBound: true });
    this.#queuedCharacters += characters;
    return new Promise((resolve) => {
      this.#queue.push({ texts, text: 0, position: 0, tokens: 0, pieceBytes: 0, isBound: false, characters, resolve });
      this.#pump();
    });
  }

  /** What the counter holds at this moment. */
  state(): { readonly jobs: number; readonly isRunning: boolean } {
    return { jobs: this.#queue.length + (this.#current ? 1 : 0), isRunning: this.#worker !== undefined };
  }

  /** After all calls are billed. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Ends the thread. What is queued, and what comes later, counts as its bytes. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#release();
    for (const job of this.#queue.splice(0)) this.#finishByBytes(job);
    await worker?.terminate();
  }

  #pump(): void {
    if (this.#current) return;
    const job = this.#queue.shift();
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
      this.#budgetTimer = setTimeout(() => void this.#fail(worker)?.terminate(), this.#options.budgetMs);
    } catch {
      this.#fail(this.#worker);
    }
  }

  #start(): Worker {
    const worker = this.#options.start();
    worker.on('message', (reply: CountReply) => this.#receive(worker, reply));
    worker.on('error', () => void this.#fail(worker));
    worker.on('exit', () => void this.#fail(worker));
    return worker;
  }

  #receive(worker: Worker, reply: CountReply): void {
    const job = this.#current;
    if (worker !== this.#worker || !job) return;
    clearTimeout(this.#budgetTimer);
    this.#current = undefined;
    if (!reply.ok) job.isBound = true;
    job.tokens += reply.ok ? Math.min(reply.tokens, job.pieceBytes) : job.pieceBytes;
    if (job.text === job.texts.length) this.#settle(job);
    else this.#queue.push(job);
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
    clearTimeout(this.#budgetTimer);
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    const job = this.#current;
    this.#worker = undefined;
    this.#current = undefined;
    if (job) {
      job.tokens += job.pieceBytes;
      this.#finishByBytes(job);
    }
    return worker;
  }

  #finishByBytes(job: Job): void {
    job.tokens += bytesOf([job.texts[job.text]?.slice(job.position) ?? '', ...job.texts.slice(job.text + 1)]);
    job.isBound = true;
    this.#settle(job);
  }

  #settle(job: Job): void {
    this.#queuedCharacters -= job.characters;
    job.resolve({ tokens: job.tokens, isBound: job.isBound });
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

/** The next characters to count, and moves on; undefined at the end. Short texts go together. */
function nextPiece(job: Job): string | undefined {
  let piece = '';
  while (piece.length < MAX_PIECE_CHARACTERS && job.text < job.texts.length) {
    const text = job.texts[job.text]!;
    let end = Math.min(text.length, job.position + MAX_PIECE_CHARACTERS - piece.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++;
    piece += text.slice(job.position, end);
    job.position = end;
    if (end === text.length) {
      job.text++;
      job.position = 0;
    }
  }
  return piece === '' ? undefined : piece;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const bytesOf = (texts: readonly string[]): number => texts.reduce((total, text) => total + Buffer.byteLength(text), 0);

function startWorker(): Worker {
  const script = 'token-counter.worker';
  const url = new URL(`./${script}${extname(import.meta.url)}`, import.meta.url);
  // No environment, because it holds secrets, and none of the service's flags.
  return new Worker(url, { env: {}, execArgv: ['--no-warnings'], name: script });
}
