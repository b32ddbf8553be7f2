/** One kind of request, and how its answer ends. */
export interface Scenario {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  /** CPU of the service beside the bare proxy at 32 connections that must not be passed. */
  readonly most: number;
}

const image = (mark: string): object => ({
  model: 'openai/gpt-image-1',
  prompt: `${mark} a lighthouse above a stormy sea at night`,
  quality: 'low',
  size: '1024x1024',
});

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'speech-32k',
    path: '/api/v1/audio/speech',
    body: {
      model: 'openai/tts-1',
      input: 'bench-speech-32k Good morning, this is a test of speech.',
      voice: 'alloy',
      response_format: 'pcm',
    },
    most: 2,
  },
  { name: 'image-64k', path: '/api/v1/images', body: image('bench-image-64k'), most: 2 },
  { name: 'image-1m', path: '/api/v1/images', body: image('bench-image-1m'), most: 1.2 },
  { name: 'stream-20', path: '/api/v1/images', body: { ...image('bench-stream'), stream: true }, most: 1.3 },
];

/** Made at the service's first start. */
export const API_KEY = 'bench-standard-key-0123456789abcdef0123456789';
export const MANAGEMENT_KEY = 'bench-management-key-0123456789abcdef01234567';
