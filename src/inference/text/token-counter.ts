import type { OnApplicationShutdown } from '@nestjs/common';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkerPool } from '../../kernel/scheduling/worker-pool.js';
import { bytesOf, bytesOfRest, nextPiece, type PiecePosition } from '../../formats/text-pieces.js';

export interface TokenCounterOptions {
  /** Maximum CPU time of a piece, in milliseconds. If a piece takes longer, the thread is terminated. */
  readonly budgetMs?: number;
  /** The thread ends after this time without work, in milliseconds, because its vocabulary uses 60 MB. */
  readonly idleMs?: number;
  /** Maximum characters in the queue of a lane. Further texts are not counted. */
  readonly maxQueuedCharacters?: number;
  /** Starts a thread that replies to each text, one at a time, with a CountedPiece as the result. */
  readonly start?: () => Worker;
}

/** Bills are counted before estimates, and each lane has its own queue, so that estimates cannot displace bills. */
type CountLane = 'bill' | 'estimate';

interface CountedTokens {
  readonly tokens: number;
  /**
   * Whether a part was not counted. `tokens` then includes the number of UTF-8 bytes of that part, which no count
   * exceeds.
   */
  readonly isBound: boolean;
  /** The thread's CPU time for these texts, in milliseconds. */
  readonly cpuMs: number;
}

/** The result of the thread for one piece. `cpuMs`: its CPU time, in milliseconds. */
interface CountedPiece {
  readonly tokens: number;
  readonly cpuMs: number;
}

const DEFAULT_BUDGET_MS = 20_000;
const DEFAULT_IDLE_MS = 60_000;
const DEFAULT_MAX_QUEUED_CHARACTERS = 64 * 1024 * 1024;

/**
 * Counts tokens if a vendor reports no usage. The count is exact for one family of models, and differs by 10 to 20 %
 * for others. All counting runs in one thread, which is started for the first text, because loading the vocabulary
 * takes 130 ms and 60 MB. Jobs alternate piece by piece, so that a short text does not wait for a long one. Never
 * fails: without the thread, a text counts as its bytes. The limit of a piece is CPU time, so that a count is the same
 * on a busy machine.
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

  /** The total tokens of all texts. */
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

  /** If a thread fails at a piece, that piece and all later ones count as their bytes. */
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

  /** The current state of the counter. */
  state(): { readonly jobs: number; readonly isRunning: boolean } {
    return { jobs: this.#jobs, isRunning: this.#pool.state().threads > 0 };
  }

  /** Ends the thread, after all calls are billed. Queued and later texts count as their bytes. */
  onApplicationShutdown(): Promise<void> {
    this.#closed = true;
    return this.#pool.close();
  }
}

function startWorker(): Worker {
  const script = 'token-counter.worker';
  const url = new URL(`./${script}${extname(import.meta.url)}`, import.meta.url);
  // The thread gets neither the service's flags nor its environment, which contains secrets.
  return new Worker(url, { env: {}, execArgv: ['--no-warnings'], name: script });
}
