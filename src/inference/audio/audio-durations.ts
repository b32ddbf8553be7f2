import type { OnApplicationShutdown } from '@nestjs/common';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkerPool } from '../../kernel/scheduling/worker-pool.js';
import { MAX_AMOUNT } from '../usage-judgement.js';
import { containerOf, maxSeconds } from '../../formats/media/recording-container.js';

interface AudioDurationsOptions {
  /** Maximum time for reading one recording, in milliseconds. If reading takes longer, the thread is terminated. */
  readonly budgetMs?: number;
  /** Maximum time for waiting and reading together, in milliseconds. After this time, the recording is not read. */
  readonly timeoutMs?: number;
  readonly start?: () => Worker;
}

const DEFAULT_BUDGET_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 10_000;
/** Limits the memory of the thread, because a file may declare any size for its parts. */
const MAX_HEAP_MB = 256;

/** The maximum duration of a recording in seconds, computed from its number of bytes, not from its header. */
export const longestByBytes = (recording: Uint8Array): number => maxSeconds(recording.length, containerOf(recording));

/**
 * Computes the maximum duration of recordings. Counts the frames. If that fails, divides the number of bytes by the
 * lowest bit rate of the container. If the header contains a longer duration, that duration is used. Files may be
 * hostile, so a separate thread reads them, with limits on its time and memory. If a recording cannot be read in time,
 * its number of bytes determines the duration.
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

  /** The duration in seconds. Rejects only with the reason of the signal. */
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

function startWorker(): Worker {
  const script = 'audio-duration.worker';
  const url = new URL(`./${script}${extname(import.meta.url)}`, import.meta.url);
  // The thread gets neither the service's flags nor its environment, which contains secrets.
  return new Worker(url, {
    env: {},
    execArgv: ['--no-warnings'],
    name: script,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
}
