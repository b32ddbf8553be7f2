import type { ImageAdapter } from '../providers/spec/image-adapter.port.js';
import type { ReferenceSource } from '../providers/spec/reference-source.port.js';
import type { SpeechAdapter } from '../providers/spec/speech-adapter.port.js';

/** The adapters that are live, as explicit arrays given by the composition. */
export class AdapterRegistry {
  readonly #speech: ReadonlyMap<string, SpeechAdapter>;
  readonly #image: ReadonlyMap<string, ImageAdapter>;

  /** `references`: where pictures by URL are fetched; without it they are refused. */
  constructor(
    speech: readonly SpeechAdapter[],
    image: readonly ImageAdapter[],
    readonly references?: ReferenceSource,
  ) {
    this.#speech = new Map(speech.map((adapter) => [adapter.name, adapter]));
    this.#image = new Map(image.map((adapter) => [adapter.name, adapter]));
  }

  speech(name: string): SpeechAdapter | undefined {
    return this.#speech.get(name);
  }

  image(name: string): ImageAdapter | undefined {
    return this.#image.get(name);
  }
}
