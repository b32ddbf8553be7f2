import { SpeechAdapter, type SpeechResponse } from '../../../src/providers/ports/speech-adapter.port.js';

/** Replaces the built-in speech: delays every call until it is released, then returns two bytes. */
export class HeldSpeech extends SpeechAdapter {
  readonly name = 'builtin-flite';
  readonly #held = new Set<() => void>();
  #holding = false;

  /** The number of waiting calls. */
  get waiting(): number {
    return this.#held.size;
  }

  hold(): void {
    this.#holding = true;
  }

  letGo(): void {
    this.#holding = false;
    for (const go of this.#held) go();
    this.#held.clear();
  }

  async speak(): Promise<SpeechResponse> {
    if (this.#holding) await new Promise<void>((go) => this.#held.add(go));
    return {
      audio: (async function* () {
        yield Buffer.from('ok');
      })(),
      usage: () => undefined,
    };
  }
}
