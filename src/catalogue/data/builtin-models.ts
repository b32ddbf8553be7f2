import type { CatalogueEndpoint, CatalogueModel } from '../catalogue-model.js';

const ASPECT_RATIOS = ['1:1', '1:2', '1:4', '1:8', '2:1', '2:3', '3:2', '3:4', '4:1', '4:3', '4:5', '5:4', '8:1', '9:16', '16:9', '9:19.5', '19.5:9', '9:20', '20:9', '9:21', '21:9', 'auto'];
const VOICES = ['slt', 'rms', 'awb', 'kal16', 'alloy', 'ash', 'ballad', 'cedar', 'coral', 'echo', 'fable', 'marin', 'nova', 'onyx', 'sage', 'shimmer', 'verse'];

const BUILTIN: Pick<CatalogueEndpoint, 'provider' | 'providerName' | 'tag' | 'needsCredential' | 'allowedPassthroughParameters'> = {
  provider: 'builtin',
  providerName: 'Gatehouse built-in',
  tag: 'builtin',
  needsCredential: false,
  allowedPassthroughParameters: [],
};

const COMMON = {
  created: 1_795_132_800,
  contextLength: 0,
  tokenizer: 'Other',
  instructType: null,
  maxCompletionTokens: null,
  isModerated: false,
  knowledgeCutoff: null,
  expirationDate: null,
};

/** The models that need no network. Their prices are nominal, so that billing can be seen. */
export const BUILTIN_MODELS: readonly CatalogueModel[] = [
  {
    ...COMMON,
    id: 'builtin/flite',
    canonicalSlug: 'builtin/flite',
    name: 'Built-in: Flite',
    description: 'CMU Flite, a small English speech synthesiser, run inside this service: no network, no vendor. Voices slt, rms, awb and kal16; the usual voice names are mapped onto them.',
    inputModalities: ['text'],
    outputModalities: ['audio'],
    supportedParameters: ['response_format', 'speed', 'voice'],
    supportedVoices: VOICES,
    pricing: { prompt: '0', completion: '0', image: '0', request: '0' },
    endpoints: [
      {
        ...BUILTIN,
        capability: 'speech',
        adapter: 'builtin-flite',
        upstreamModel: 'flite',
        supportsStreaming: true,
        supportedParameters: { response_format: { type: 'enum', values: ['mp3', 'pcm'] }, speed: { type: 'range', min: 0.25, max: 4 }, voice: { type: 'enum', values: VOICES } },
        pricing: [{ billable: 'input_text', unit: 'character', costUsd: '0.000001' }],
        maxInputCharacters: 20_000,
        voices: VOICES,
      },
    ],
  },
  {
    ...COMMON,
    id: 'builtin/poster',
    canonicalSlug: 'builtin/poster',
    name: 'Built-in: Poster',
    description: 'Draws a poster procedurally from the prompt and the seed, inside this service. It is no AI model: composition, palette and lettering follow the prompt by rules.',
    inputModalities: ['text', 'image'],
    outputModalities: ['image'],
    supportedParameters: ['aspect_ratio', 'background', 'input_references', 'n', 'output_compression', 'output_format', 'quality', 'resolution', 'seed', 'size', 'stream'],
    supportedVoices: null,
    pricing: { prompt: '0', completion: '0', image: '0', request: '0' },
    endpoints: [
      {
        ...BUILTIN,
        capability: 'image',
        adapter: 'builtin-poster',
        upstreamModel: 'poster',
        supportsStreaming: true,
        supportedParameters: {
          aspect_ratio: { type: 'enum', values: ASPECT_RATIOS },
          background: { type: 'enum', values: ['auto', 'transparent', 'opaque'] },
          input_references: { type: 'range', min: 0, max: 16 },
          n: { type: 'range', min: 1, max: 10 },
          output_compression: { type: 'range', min: 0, max: 100 },
          output_format: { type: 'enum', values: ['png', 'jpeg', 'webp', 'svg'] },
          quality: { type: 'enum', values: ['auto', 'low', 'medium', 'high'] },
          resolution: { type: 'enum', values: ['512', '1K', '2K', '4K'] },
          seed: { type: 'boolean' },
          stream: { type: 'boolean' },
        },
        pricing: [{ billable: 'output_image', unit: 'image', costUsd: '0.0001' }],
        pixelBounds: { min: 64, max: 4096 },
      },
    ],
  },
];
