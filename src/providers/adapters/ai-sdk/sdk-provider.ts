import type { EmbeddingModelV4, ImageModelV4, LanguageModelV4, SpeechModelV4 } from '@ai-sdk/provider';

/**
 * The settings that all packages share. The settings of the credential are added to them. Packages ignore unknown
 * settings.
 */
export interface SdkSettings {
  readonly apiKey: string;
  readonly apiToken: string;
  readonly baseURL?: string;
  readonly fetch: typeof globalThis.fetch;
}

/** The part of a package's provider object that is used. */
export interface SdkProvider {
  image?(model: string): ImageModelV4;
  speech?(model: string): SpeechModelV4;
  languageModel?(model: string): LanguageModelV4;
  /** A model that calls `/chat/completions`, in packages whose `languageModel` calls `/responses`. */
  chat?(model: string): LanguageModelV4;
  embeddingModel?(model: string): EmbeddingModelV4;
}
