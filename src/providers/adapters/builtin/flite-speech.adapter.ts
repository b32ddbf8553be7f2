import { type SpokenPiece, toSpokenPieces } from '@gatehouse/builtin-models';
import { SpeechAdapter, type SpeechResponse, type SpeechCall } from '../../ports/speech-adapter.port.js';
import { checkInput, fliteSpeed, fliteVoice, type FliteVoice } from './flite-voices.js';
import { checkDuration } from './spoken-seconds.js';
import { SpeechThreads, type SpeechThreadsOptions } from './speech-threads.js';
import { KeyedSemaphore } from './keyed-semaphore.js';
import { abortError } from '../../../kernel/scheduling/worker-pool.js';

/** The largest chunk of PCM yielded at once, so that backpressure works within a sentence. */
const CHUNK_BYTES = 64 * 1024;

interface Utterance {
  /** Undefined = the work is not limited per key. */
  readonly callerKey: string | undefined;
  readonly pieces: readonly SpokenPiece[];
  readonly voice: FliteVoice;
  readonly speed: number;
}

/**
 * The built-in speech model: CMU Flite in WebAssembly. It speaks only English, and needs no network and no credential.
 *
 * `speak` resolves when the first sentence is synthesised. At most one sentence is synthesised ahead of the reader.
 * Each call therefore has at most one job in the queue, and concurrent calls alternate sentence by sentence. A key has
 * one job at a time, so that one key cannot occupy all threads. A speed outside 0.25 to 4 is clamped. Throws
 * invalid_request for an unknown voice, and for an input that is empty, has more than FLITE_MAX_CHARACTERS characters
 * or would last longer than MAX_SPOKEN_SECONDS seconds. A text without anything pronounceable yields a short silence.
 */
export class FliteSpeechAdapter extends SpeechAdapter {
  readonly name = 'builtin-flite';
  override readonly clampsSpeed = true;
  private readonly threads: SpeechThreads;
  private readonly ofKey = new KeyedSemaphore();
  private sessions = 0;

  constructor(options: SpeechThreadsOptions = {}) {
    super();
    this.threads = new SpeechThreads(options);
  }

  async speak(call: SpeechCall): Promise<SpeechResponse> {
    checkInput(call.input);
    const speed = fliteSpeed(call.speed);
    const pieces = toSpokenPieces(call.input);
    checkDuration(pieces, speed);
    const utterance = { callerKey: call.callerKey, pieces, voice: fliteVoice(call.voice), speed };
    const first = await this.synthesise(utterance, 0, call.signal);
    const sentences = this.sentences(utterance, first, call.signal);
    return {
      audio: call.format === 'mp3' ? this.mp3(sentences, utterance.pieces.length, call.signal) : chunked(sentences),
      usage: () => undefined,
    };
  }

  /** Stops the threads; running calls fail with unavailable. */
  close(): Promise<void> {
    return this.threads.close();
  }

  private async *sentences(utterance: Utterance, first: Uint8Array, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const left = new AbortController();
    const stop = AbortSignal.any([signal, left.signal]);
    try {
      let next: Promise<Uint8Array> | undefined = Promise.resolve(first);
      for (let at = 1; next; at++) {
        const pcm: Uint8Array = await next;
        next = at < utterance.pieces.length ? this.synthesise(utterance, at, stop) : undefined;
        // The failure is thrown when `next` is awaited. If the reader stops, `next` is never awaited, so mark the
        // failure as handled.
        next?.catch(() => undefined);
        yield pcm;
        if (signal.aborted) throw abortError(signal);
      }
    } finally {
      left.abort();
    }
  }

  private async *mp3(
    sentences: AsyncGenerator<Uint8Array>,
    count: number,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const session = this.sessions++;
    let encoded = 0;
    try {
      for await (const pcm of sentences) {
        encoded++;
        const frames = await this.threads.mp3.run({ kind: 'encode', session, pcm, last: encoded === count }, signal);
        if (frames.length > 0) yield frames;
      }
    } finally {
      if (encoded < count || signal.aborted) {
        this.threads.mp3.run({ kind: 'discard', session }, new AbortController().signal).catch(() => undefined);
      }
    }
  }

  private synthesise(
    { callerKey, pieces, voice, speed }: Utterance,
    at: number,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const piece = pieces[at]!;
    const request = {
      text: piece.text,
      voice: voice.name,
      gain: voice.gain,
      speed,
      trimStart: !piece.startsSentence,
      trimEnd: !piece.endsSentence,
    };
    const run = (): Promise<Uint8Array> => this.threads.synthesis.run(request, signal);
    return callerKey === undefined ? run() : this.ofKey.run(callerKey, signal, run);
  }
}

async function* chunked(sentences: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const pcm of sentences) {
    for (let at = 0; at < pcm.length; at += CHUNK_BYTES) yield pcm.subarray(at, at + CHUNK_BYTES);
  }
}
