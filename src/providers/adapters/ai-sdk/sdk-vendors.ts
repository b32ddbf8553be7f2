import { AZURE_CREDENTIAL, BEDROCK_CREDENTIAL, VERTEX_CREDENTIAL } from './credentials/sdk-credential-schemas.js';
import type { CredentialSchema } from './credentials/sdk-credentials.js';
import type { SdkProvider, SdkSettings } from './sdk-provider.js';
import { vertexAnthropicFactory, vertexFactory } from './vertex.js';

/** One provider package. All differences between packages are defined here. */
export interface SdkVendor {
  readonly load: () => Promise<(settings: SdkSettings) => SdkProvider>;
  /**
   * The default address of the package, which is used unless `<SLUG>_BASE_URL` is set. Absent = the package has no
   * single default address.
   */
  readonly defaultBaseUrl?: string;
  /** The addresses of all providers that use the package, by slug. They replace the default address. */
  readonly baseUrls?: Readonly<Record<string, string>>;
  /** Absent = the credential is an API key. */
  readonly credential?: CredentialSchema;
  /** Default: true. The requests of a package that accepts no base URL are redirected in `fetch`. */
  readonly acceptsBaseUrl?: boolean;
  /** The name under which the package expects passthrough options. */
  readonly optionsKey: string;
  /** The vendor's names of our speech formats, if they differ. PCM is always 24 kHz (docs/api-rules.md, section 4). */
  readonly formats?: Readonly<Partial<Record<'mp3' | 'pcm', string>>>;
  /** Default options; the caller's options override them. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The packages that may be loaded. Each is loaded with its first call. The catalogue cannot name any other package. */
export const SDK_VENDORS: Readonly<Record<string, SdkVendor>> = {
  '@ai-sdk/amazon-bedrock': {
    load: async () => (await import('@ai-sdk/amazon-bedrock')).createAmazonBedrock,
    credential: BEDROCK_CREDENTIAL,
    optionsKey: 'amazonBedrock',
  },
  '@ai-sdk/anthropic': {
    load: async () => (await import('@ai-sdk/anthropic')).createAnthropic,
    baseUrls: {
      anthropic: 'https://api.anthropic.com/v1',
      'kimi-for-coding': 'https://api.kimi.com/coding/v1',
      minimax: 'https://api.minimax.io/anthropic/v1',
      'minimax-cn': 'https://api.minimaxi.com/anthropic/v1',
      'minimax-coding-plan': 'https://api.minimax.io/anthropic/v1',
      'minimax-cn-coding-plan': 'https://api.minimaxi.com/anthropic/v1',
    },
    optionsKey: 'anthropic',
  },
  '@ai-sdk/azure': {
    load: async () => (await import('@ai-sdk/azure')).createAzure,
    credential: AZURE_CREDENTIAL,
    optionsKey: 'openai',
  },
  '@ai-sdk/black-forest-labs': {
    load: async () => (await import('@ai-sdk/black-forest-labs')).createBlackForestLabs,
    defaultBaseUrl: 'https://api.bfl.ai/v1',
    optionsKey: 'blackForestLabs',
  },
  '@ai-sdk/cohere': {
    load: async () => (await import('@ai-sdk/cohere')).createCohere,
    defaultBaseUrl: 'https://api.cohere.com/v2',
    optionsKey: 'cohere',
  },
  '@ai-sdk/deepgram': {
    load: async () => (await import('@ai-sdk/deepgram')).createDeepgram,
    defaultBaseUrl: 'https://api.deepgram.com',
    acceptsBaseUrl: false,
    optionsKey: 'deepgram',
  },
  '@ai-sdk/elevenlabs': {
    load: async () => (await import('@ai-sdk/elevenlabs')).createElevenLabs,
    defaultBaseUrl: 'https://api.elevenlabs.io',
    acceptsBaseUrl: false,
    optionsKey: 'elevenlabs',
    formats: { pcm: 'pcm_24000' },
  },
  '@ai-sdk/fal': {
    load: async () => (await import('@ai-sdk/fal')).createFal,
    defaultBaseUrl: 'https://fal.run',
    optionsKey: 'fal',
  },
  '@ai-sdk/google': {
    load: async () => (await import('@ai-sdk/google')).createGoogle,
    defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    optionsKey: 'google',
  },
  '@ai-sdk/google-vertex': {
    load: vertexFactory(),
    credential: VERTEX_CREDENTIAL,
    acceptsBaseUrl: false,
    optionsKey: 'googleVertex',
  },
  '@ai-sdk/google-vertex/anthropic': {
    load: vertexAnthropicFactory(),
    credential: VERTEX_CREDENTIAL,
    acceptsBaseUrl: false,
    optionsKey: 'anthropic',
  },
  '@ai-sdk/hume': {
    load: async () => (await import('@ai-sdk/hume')).createHume,
    defaultBaseUrl: 'https://api.hume.ai',
    acceptsBaseUrl: false,
    optionsKey: 'hume',
  },
  '@ai-sdk/lmnt': {
    load: async () => (await import('@ai-sdk/lmnt')).createLMNT,
    defaultBaseUrl: 'https://api.lmnt.com',
    acceptsBaseUrl: false,
    optionsKey: 'lmnt',
  },
  '@ai-sdk/luma': {
    load: async () => (await import('@ai-sdk/luma')).createLuma,
    defaultBaseUrl: 'https://api.lumalabs.ai',
    optionsKey: 'luma',
  },
  '@ai-sdk/mistral': {
    load: async () => (await import('@ai-sdk/mistral')).createMistral,
    defaultBaseUrl: 'https://api.mistral.ai/v1',
    optionsKey: 'mistral',
  },
  '@ai-sdk/replicate': {
    load: async () => (await import('@ai-sdk/replicate')).createReplicate,
    defaultBaseUrl: 'https://api.replicate.com/v1',
    optionsKey: 'replicate',
  },
  '@ai-sdk/xai': {
    load: async () => (await import('@ai-sdk/xai')).createXai,
    defaultBaseUrl: 'https://api.x.ai/v1',
    optionsKey: 'xai',
    options: { sampleRate: 24_000 },
  },
};
