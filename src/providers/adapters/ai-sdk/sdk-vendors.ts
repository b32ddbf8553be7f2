import type { ImageModelV4, SpeechModelV4 } from '@ai-sdk/provider';

/** The settings that these packages share; each ignores those that it does not know. */
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
}

/** One provider package. What tells them apart stands here and nowhere else. */
export interface SdkVendor {
  readonly load: () => Promise<(settings: SdkSettings) => SdkProvider>;
  /** Where the vendor lives unless `<SLUG>_BASE_URL` says otherwise, as the package has it; null: always configured. */
  readonly usualBaseUrl: string | null;
  /** Whether the package takes a base URL; the others are redirected on their way out. */
  readonly takesBaseUrl: boolean;
  /** Under which name it looks for passthrough options. */
  readonly optionsKey: string;
  /** Its names of our speech formats, where they differ. PCM is always 24 kHz (wire-notes section 4). */
  readonly formats?: Readonly<Partial<Record<'mp3' | 'pcm', string>>>;
  /** Sent with every call unless the caller's options say otherwise. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A package is loaded when it is first called; which ones may be is this table and never a name out of the catalogue. */
export const SDK_VENDORS: Readonly<Record<string, SdkVendor>> = {
  '@ai-sdk/azure': {
    load: async () => (await import('@ai-sdk/azure')).createAzure as never,
    usualBaseUrl: null,
    takesBaseUrl: true,
    optionsKey: 'openai',
  },
  '@ai-sdk/black-forest-labs': {
    load: async () => (await import('@ai-sdk/black-forest-labs')).createBlackForestLabs,
    usualBaseUrl: 'https://api.bfl.ai/v1',
    takesBaseUrl: true,
    optionsKey: 'blackForestLabs',
  },
  '@ai-sdk/deepgram': {
    load: async () => (await import('@ai-sdk/deepgram')).createDeepgram as never,
    usualBaseUrl: 'https://api.deepgram.com',
    takesBaseUrl: false,
    optionsKey: 'deepgram',
  },
  '@ai-sdk/elevenlabs': {
    load: async () => (await import('@ai-sdk/elevenlabs')).createElevenLabs as never,
    usualBaseUrl: 'https://api.elevenlabs.io',
    takesBaseUrl: false,
    optionsKey: 'elevenlabs',
    formats: { pcm: 'pcm_24000' },
  },
  '@ai-sdk/fal': {
    load: async () => (await import('@ai-sdk/fal')).createFal,
    usualBaseUrl: 'https://fal.run',
    takesBaseUrl: true,
    optionsKey: 'fal',
  },
  '@ai-sdk/google': {
    load: async () => (await import('@ai-sdk/google')).createGoogle as never,
    usualBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    takesBaseUrl: true,
    optionsKey: 'google',
  },
  '@ai-sdk/hume': {
    load: async () => (await import('@ai-sdk/hume')).createHume,
    usualBaseUrl: 'https://api.hume.ai',
    takesBaseUrl: false,
    optionsKey: 'hume',
  },
  '@ai-sdk/lmnt': {
    load: async () => (await import('@ai-sdk/lmnt')).createLMNT,
    usualBaseUrl: 'https://api.lmnt.com',
    takesBaseUrl: false,
    optionsKey: 'lmnt',
  },
  '@ai-sdk/luma': {
    load: async () => (await import('@ai-sdk/luma')).createLuma,
    usualBaseUrl: 'https://api.lumalabs.ai',
    takesBaseUrl: true,
    optionsKey: 'luma',
  },
  '@ai-sdk/replicate': {
    load: async () => (await import('@ai-sdk/replicate')).createReplicate as never,
    usualBaseUrl: 'https://api.replicate.com/v1',
    takesBaseUrl: true,
    optionsKey: 'replicate',
  },
  '@ai-sdk/xai': {
    load: async () => (await import('@ai-sdk/xai')).createXai as never,
    usualBaseUrl: 'https://api.x.ai/v1',
    takesBaseUrl: true,
    optionsKey: 'xai',
    options: { sampleRate: 24_000 },
  },
};
