import { startMp3Encoder, startSynthesiser, type Mp3Request, type SynthesisRequest } from '@gatehouse/builtin-models';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { WorkerPool } from '../../../kernel/scheduling/worker-pool.js';

export interface SpeechThreadsOptions {
  /** Number of synthesis threads, in addition to the one MP3 thread. Default: two, or one on a single core. */
  readonly threads?: number;
  /** Time limit for one job, in milliseconds. The thread of a job that takes longer is replaced. */
  readonly budgetMs?: number;
  readonly startSynthesiser?: () => Promise<Worker>;
}

const DEFAULT_BUDGET_MS = 20_000;

/**
 * The worker threads of the built-in speech. Synthesis keeps no state between jobs, so any thread can take any piece of
 * any call. One MP3 thread keeps an encoder per response, because a stream is seamless only within one encoder. The
 * work would block the main thread: a second of speech takes about 8 ms to synthesise and 3 ms to encode.
 */
export class SpeechThreads {
  readonly synthesis: WorkerPool<SynthesisRequest, Uint8Array>;
  readonly mp3: WorkerPool<Mp3Request, Uint8Array>;

  constructor(options: SpeechThreadsOptions = {}) {
    const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS;
    this.synthesis = new WorkerPool({
      name: 'speech synthesiser',
      size: options.threads ?? Math.min(2, availableParallelism()),
      budgetMs,
      start: options.startSynthesiser ?? startSynthesiser,
    });
    this.mp3 = new WorkerPool({ name: 'MP3 encoder', size: 1, budgetMs, start: startMp3Encoder });
  }

  async close(): Promise<void> {
    await Promise.all([this.synthesis.close(), this.mp3.close()]);
  }
}
