// Runs in a worker thread. Node usually loads the compiled .js from dist. Under Jest, Node loads this file and strips
// its types. This file and its imports may therefore contain erasable syntax only (no parameter properties, no enums).
import { parentPort, workerData } from 'node:worker_threads';
import { FliteProgram } from './flite-program.ts';
import { resample } from './polyphase-resampler.ts';
import type { SynthesisRequest } from './speech-workers.ts';

const OUTPUT_HZ = 24_000;
const SILENCE_SECONDS = 0.2;
/** The silence that is kept where a piece starts or ends within a sentence. Flite itself adds about 0.2 s. */
const KEPT_SILENCE_SECONDS = 0.06;
/** Samples below this fraction of the piece's peak count as silence. */
const SILENCE_LEVEL = 0.01;
const FADE_SAMPLES = OUTPUT_HZ * 0.002;

const flite = new FliteProgram((workerData as { module: WebAssembly.Module }).module);

/** Returns at least one 24 kHz mono 16-bit sample. */
function synthesise(request: SynthesisRequest): Int16Array {
  const { samples, hz } = flite.speak(request.text, request.voice, 1 / request.speed);
  if (samples.length === 0) return new Int16Array(Math.ceil((SILENCE_SECONDS / request.speed) * OUTPUT_HZ));
  const audio = trimSilence(resample(samples, hz, OUTPUT_HZ), request);
  return fadeEdges(quantise(audio, request.gain));
}

function trimSilence(audio: Float32Array, { trimStart, trimEnd, speed }: SynthesisRequest): Float32Array {
  if (!trimStart && !trimEnd) return audio;
  const level = audio.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) * SILENCE_LEVEL;
  const kept = Math.round((KEPT_SILENCE_SECONDS / speed) * OUTPUT_HZ);
  const loud = (sample: number): boolean => Math.abs(sample) > level;
  const start = trimStart ? Math.max(0, audio.findIndex(loud) - kept) : 0;
  const end = trimEnd ? Math.min(audio.length, audio.findLastIndex(loud) + 1 + kept) : audio.length;
  return audio.subarray(start, Math.max(end, start + 1));
}

function quantise(audio: Float32Array, gain: number): Int16Array {
  // A loop, because TypedArray.from with a mapping creates a boxed array of all samples.
  const samples = new Int16Array(audio.length);
  for (let n = 0; n < audio.length; n++) samples[n] = Math.max(-32_768, Math.min(32_767, Math.round(audio[n]! * gain)));
  return samples;
}

/** Fades both edges to zero, because pieces are joined end to end. */
function fadeEdges(samples: Int16Array): Int16Array {
  const length = Math.min(FADE_SAMPLES, samples.length >> 1);
  for (let n = 0; n < length; n++) {
    const gain = n / length;
    const last = samples.length - 1 - n;
    samples[n] = Math.round(samples[n]! * gain);
    samples[last] = Math.round(samples[last]! * gain);
  }
  return samples;
}

parentPort!.on('message', (request: SynthesisRequest) => {
  try {
    const samples = synthesise(request);
    const pcm = new Uint8Array(samples.buffer as ArrayBuffer, samples.byteOffset, samples.byteLength);
    parentPort!.postMessage({ ok: true, result: pcm, isLast: flite.isSpent }, [pcm.buffer]);
  } catch (error) {
    parentPort!.postMessage({ ok: false, message: String(error), isLast: flite.isSpent }, []);
  }
});
