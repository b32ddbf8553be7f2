// Runs in a worker thread, so the rules in synthesis.worker.ts apply to this file.
import { parentPort, workerData } from 'node:worker_threads';
import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders';
import type { Mp3Request } from './speech-workers.ts';

type Mp3Encoder = WasmMediaEncoder<'audio/mpeg'>;

/** The settings of LAME. At 64 kbit/s, speech without frequencies above 8 kHz sounds like the original. */
const SETTINGS = { sampleRate: 24_000, channels: 1, bitrate: 64 } as const;
/** The maximum number of idle encoders. They are kept because a new instance takes milliseconds and megabytes. */
const MAX_SPARE_ENCODERS = 4;

const lame = (workerData as { module: WebAssembly.Module }).module;
const sessions = new Map<number, Mp3Encoder>();
const spare: Mp3Encoder[] = [];

async function encode(request: Mp3Request): Promise<Uint8Array> {
  if (request.kind === 'discard') {
    release(request.session);
    return new Uint8Array(0);
  }
  const encoder = sessions.get(request.session) ?? (await open(request.session));
  // Copy each part before the next call, because the encoder reuses its output buffer.
  const parts = [encoder.encode([toFloats(request.pcm)]).slice()];
  if (request.last) {
    parts.push(encoder.finalize().slice());
    release(request.session);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function toFloats(pcm: Uint8Array): Float32Array {
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.byteLength / 2);
  const floats = new Float32Array(samples.length);
  for (let n = 0; n < samples.length; n++) floats[n] = samples[n]! / 32_768;
  return floats;
}

async function open(session: number): Promise<Mp3Encoder> {
  const encoder = spare.pop() ?? (await createEncoder('audio/mpeg', lame));
  encoder.configure(SETTINGS);
  sessions.set(session, encoder);
  return encoder;
}

function release(session: number): void {
  const encoder = sessions.get(session);
  sessions.delete(session);
  if (encoder && spare.length < MAX_SPARE_ENCODERS) spare.push(encoder);
}

parentPort!.on('message', (request: Mp3Request) => void respond(request));

async function respond(request: Mp3Request): Promise<void> {
  try {
    const mp3 = await encode(request);
    parentPort!.postMessage({ ok: true, result: mp3 }, [mp3.buffer as ArrayBuffer]);
  } catch (error) {
    // Do not reuse an encoder that failed.
    sessions.delete(request.session);
    parentPort!.postMessage({ ok: false, message: String(error) }, []);
  }
}
