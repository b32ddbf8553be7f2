import { FliteSpeechAdapter } from './adapters/builtin/flite/flite-speech.adapter.js';
import { PosterImageAdapter } from './adapters/builtin/poster/poster-image.adapter.js';
import type { ImageAdapter } from './spec/image-adapter.port.js';
import type { SpeechAdapter } from './spec/speech-adapter.port.js';

/** Adapters by capability, and how to free what they hold. */
export interface AdapterSet {
  readonly speech: readonly SpeechAdapter[];
  readonly image: readonly ImageAdapter[];
  close(): Promise<void>;
}

/** The adapters that need no network. */
export function builtInAdapters(): AdapterSet {
  const flite = new FliteSpeechAdapter();
  return { speech: [flite], image: [new PosterImageAdapter()], close: () => flite.close() };
}
