import type { EmbeddingModelV4, ImageModelV4, LanguageModelV4, SpeechModelV4 } from '@ai-sdk/provider';

/** The settings that these packages share, and the credential's; each package ignores unknown settings. */
export interface SdkSettings {
  readonly apiKey: string;
  readonly apiToken: string;
  readonly baseURL?: string;
  readonly fetch: typeof globalThis.fetch;
}

/** A package's provider object: what of it is used. */
export interface SdkProvider {
  image?(model: string): ImageModelV4;
  speech?(model: string): SpeechModelV4;
  languageModel?(model: string): LanguageModelV4;
  /** `/chat/completions`, in packages whose language model speaks `/responses`. */
  chat?(model: string): LanguageModelV4;
  embeddingModel?(model: string): EmbeddingModelV4;
}
