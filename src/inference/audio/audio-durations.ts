import type { OnApplicationShutdown } from '@nestjs/common';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkerPool } from '../../kernel/scheduling/worker-pool.js';
import { MAX_AMOUNT } from '../usage-judgement.js';
import { containerOf, longestSeconds } from '../../formats/media/recording-container.js';

export interface AudioDurationsOptions {
  /** A recording that takes longer to read ends the thread. Milliseconds. */
  readonly budgetMs?: number;
  /** A recording is not read if it has not been by then, with the time in the queue. Milliseconds. */
  readonly timeoutMs?: number;
  readonly start?: () => Promise<Worker>;
}

const DEFAULT_BUDGET_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 10_000;
/** Bounds the thread, because a file may claim any size of its parts. */
const MAX_HEAP_MB = 256;

/** The longest that the bytes of a recording last, in seconds, whatever their container says. */
export const longestByBytes = (recording: Uint8Array): number =>
  longestSeconds(recording.length, containerOf(recording));

/**
 * The longest that recordings can last: their frames where each was counted, else their bytes at the least bit rate of
 * the container; the length that the container claims, if that is more. Files are hostile, so they are read in one
 * thread with bounds on its time and memory. Never fails: what cannot be read in time counts by its bytes.
 */
export class AudioDurations implements OnApplicationShutdown {
  readonly #pool: WorkerPool<Uint8Array, unknown>;
  readonly #timeoutMs: number;

  constructor({ budgetMs, timeoutMs, start }: AudioDurationsOptions = {}) {
    this.#timeoutMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#pool = new WorkerPool({
      name: 'audio reader',
      size: 1,
      budgetMs: budgetMs ?? DEFAULT_BUDGET_MS,
      start: start ?? startWorker,
    });
  }

  /** In seconds. Rejects only with the reason of the signal. */
  async of(recording: Uint8Array, signal: AbortSignal): Promise<number> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
    try {
      const seconds = await this.#pool.run(recording, limited);
      const isDuration = typeof seconds === 'number' && seconds > 0 && seconds <= MAX_AMOUNT;
      return isDuration ? seconds : longestByBytes(recording);
    } catch (error) {
      if (signal.aborted) throw error;
      return longestByBytes(recording);
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.#pool.close();
  }
}

function startWorker(): Promise<Worker> {
  const script = 'audio-duration.worker';
  const url = new URL(`./${script}${extname(import.meta.url)}`, import.meta.url);
  // No environment, because it holds secrets, and none of the service's flags.
  const worker = new Worker(url, {
    env: {},
    execArgv: ['--no-warnings'],
    name: script,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  return Promise.resolve(worker);
}
