import { ElizaTextAdapter } from './adapters/builtin/eliza-text.adapter.js';
import { FliteSpeechAdapter } from './adapters/builtin/flite-speech.adapter.js';
import { LexicalEmbeddingAdapter } from './adapters/builtin/lexical-embedding.adapter.js';
import { LexicalRerankAdapter } from './adapters/builtin/lexical-rerank.adapter.js';
import { PosterImageAdapter } from './adapters/builtin/poster-image.adapter.js';
import type { EmbeddingAdapter } from './ports/embedding-adapter.port.js';
import type { ImageAdapter } from './ports/image-adapter.port.js';
import type { SpeechAdapter } from './ports/speech-adapter.port.js';
import type { RerankAdapter } from './ports/rerank-adapter.port.js';
import type { TextAdapter } from './ports/text-adapter.port.js';
import type { TranscriptionAdapter } from './ports/transcription-adapter.port.js';

/** Adapters by capability; `close` releases their resources. */
export interface AdapterSet {
  readonly speech: readonly SpeechAdapter[];
  readonly image: readonly ImageAdapter[];
  readonly text: readonly TextAdapter[];
  readonly embeddings: readonly EmbeddingAdapter[];
  readonly transcription: readonly TranscriptionAdapter[];
  readonly rerank: readonly RerankAdapter[];
  close(): Promise<void>;
}

/** The adapters that need no network. */
export function builtInAdapters(): AdapterSet {
  const flite = new FliteSpeechAdapter();
  return {
    speech: [flite],
    image: [new PosterImageAdapter()],
    text: [new ElizaTextAdapter()],
    embeddings: [new LexicalEmbeddingAdapter()],
    transcription: [],
    rerank: [new LexicalRerankAdapter()],
    close: () => flite.close(),
  };
}
