import type { OnApplicationShutdown } from '@nestjs/common';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkerPool } from '../../kernel/scheduling/worker-pool.js';
import { bytesOf, bytesOfRest, nextPiece, type PiecePosition } from '../../formats/text-pieces.js';

export interface TokenCounterOptions {
  /** A piece that takes more CPU time ends the thread. Milliseconds. */
  readonly budgetMs?: number;
  /** The thread, 60 MB with its vocabulary, ends after so long without work. Milliseconds. */
  readonly idleMs?: number;
  /** Texts beyond this many characters in the queue of a lane are not counted. */
  readonly maxQueuedCharacters?: number;
  /** Starts a thread that replies to each text, one at a time, with a CountedPiece as the result. */
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

/** What the thread counted of one piece. `cpuMs`: its CPU time for it, milliseconds. */
export interface CountedPiece {
  readonly tokens: number;
  readonly cpuMs: number;
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
  readonly #pool: WorkerPool<string, CountedPiece>;
  readonly #budgetMs: number;
  readonly #maxQueuedCharacters: number;
  readonly #queuedCharacters: Record<CountLane, number> = { bill: 0, estimate: 0 };
  #jobs = 0;
  #closed = false;

  constructor({ budgetMs, idleMs, maxQueuedCharacters, start }: TokenCounterOptions = {}) {
    this.#budgetMs = budgetMs ?? DEFAULT_BUDGET_MS;
    this.#maxQueuedCharacters = maxQueuedCharacters ?? DEFAULT_MAX_QUEUED_CHARACTERS;
    this.#pool = new WorkerPool({
      name: 'token counter',
      size: 1,
      budgetMs: this.#budgetMs,
      isCpuBudget: true,
      idleMs: idleMs ?? DEFAULT_IDLE_MS,
      retries: 0,
      start: start ?? startWorker,
    });
  }

  /** The tokens of all texts together. */
  async count(texts: readonly string[], lane: CountLane = 'bill'): Promise<CountedTokens> {
    const characters = texts.reduce((total, text) => total + text.length, 0);
    if (characters === 0) return { tokens: 0, isBound: false, cpuMs: 0 };
    if (this.#closed || this.#queuedCharacters[lane] + characters > this.#maxQueuedCharacters)
      return { tokens: bytesOf(texts), isBound: true, cpuMs: 0 };
    this.#queuedCharacters[lane] += characters;
    this.#jobs++;
    try {
      return await this.#countPieces({ texts, text: 0, position: 0 }, lane);
    } finally {
      this.#queuedCharacters[lane] -= characters;
      this.#jobs--;
    }
  }

  /** The piece that a thread fails at, and the rest, count as their bytes. */
  async #countPieces(at: PiecePosition, lane: CountLane): Promise<CountedTokens> {
    let [tokens, cpuMs] = [0, 0];
    for (let piece = nextPiece(at); piece !== undefined; piece = nextPiece(at)) {
      const bytes = Buffer.byteLength(piece);
      try {
        const counted = await this.#pool.run(piece, undefined, lane === 'bill');
        tokens += Math.min(counted.tokens, bytes);
        cpuMs += counted.cpuMs;
      } catch {
        return { tokens: tokens + bytes + bytesOfRest(at), isBound: true, cpuMs: cpuMs + this.#budgetMs };
      }
    }
    return { tokens, isBound: false, cpuMs };
  }

  /** What the counter holds at this moment. */
  state(): { readonly jobs: number; readonly isRunning: boolean } {
    return { jobs: this.#jobs, isRunning: this.#pool.state().threads > 0 };
  }

  /** After all calls are billed. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Ends the thread. What is queued, and what comes later, counts as its bytes. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#pool.close();
  }
}

function startWorker(): Worker {
  const script = 'token-counter.worker';
  const url = new URL(`./${script}${extname(import.meta.url)}`, import.meta.url);
  // No environment, because it holds secrets, and none of the service's flags.
  return new Worker(url, { env: {}, execArgv: ['--no-warnings'], name: script });
}
