/** One kind of request, and how its response ends. */
export interface Scenario {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The maximum CPU of the service relative to the bare proxy, at 32 connections. */
  readonly most: number;
  /** Whether the open loop measures it. One core is too slow for streams and for responses of 1 MiB. */
  readonly openLoop?: boolean;
}

const image = (mark: string): object => ({
  model: 'openai/gpt-image-1',
  prompt: `${mark} a lighthouse above a stormy sea at night`,
  quality: 'low',
  size: '1024x1024',
});

const chat = (mark: string, members: object = {}): object => ({
  model: 'openai/gpt-4o-mini',
  messages: [
    { role: 'system', content: 'You are a keeper of lighthouses. Answer in a few sentences.' },
    { role: 'user', content: `${mark} Who lights the lamp on a stormy night, and what does it cost?` },
  ],
  max_tokens: 400,
  ...members,
});

const responses = (mark: string, members: object = {}): object => ({
  model: 'openai/gpt-4o-mini',
  instructions: 'You are a keeper of lighthouses. Answer in a few sentences.',
  input: `${mark} Who lights the lamp on a stormy night, and what does it cost?`,
  max_output_tokens: 400,
  ...members,
});

const STREAMED = { stream: true };

const messages = (mark: string, members: object = {}): object => ({
  model: 'anthropic/claude-sonnet-4-5',
  system: 'You are a keeper of lighthouses. Answer in a few sentences.',
  messages: [{ role: 'user', content: `${mark} Who lights the lamp on a stormy night, and what does it cost?` }],
  max_tokens: 400,
  ...members,
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
    openLoop: true,
  },
  { name: 'image-64k', path: '/api/v1/images', body: image('bench-image-64k'), most: 2, openLoop: true },
  { name: 'image-1m', path: '/api/v1/images', body: image('bench-image-1m'), most: 1.2 },
  { name: 'stream-20', path: '/api/v1/images', body: { ...image('bench-stream'), stream: true }, most: 1.3 },
  { name: 'chat-json', path: '/api/v1/chat/completions', body: chat('bench-chat-json'), most: 1.7, openLoop: true },
  // At most half of the limit of `chat-json`: all responses except the first come from the cache.
  {
    name: 'chat-hit',
    path: '/api/v1/chat/completions',
    body: chat('bench-chat-json'),
    headers: { 'x-openrouter-cache': 'true' },
    most: 0.85,
  },
  {
    name: 'chat-20',
    path: '/api/v1/chat/completions',
    body: chat('bench-chat-20', STREAMED),
    most: 1.15,
  },
  {
    name: 'chat-300',
    path: '/api/v1/chat/completions',
    body: chat('bench-chat-300', STREAMED),
    most: 1.15,
  },
  { name: 'responses-json', path: '/api/v1/responses', body: responses('bench-responses-json'), most: 1.7 },
  { name: 'responses-20', path: '/api/v1/responses', body: responses('bench-responses-20', STREAMED), most: 1.15 },
  { name: 'responses-300', path: '/api/v1/responses', body: responses('bench-responses-300', STREAMED), most: 1.15 },
  { name: 'messages-json', path: '/api/v1/messages', body: messages('bench-messages-json'), most: 1.7 },
  { name: 'messages-20', path: '/api/v1/messages', body: messages('bench-messages-20', STREAMED), most: 1.15 },
  { name: 'messages-300', path: '/api/v1/messages', body: messages('bench-messages-300', STREAMED), most: 1.15 },
];

/** The bootstrap keys of the service under test. */
export const API_KEY = 'bench-standard-key-0123456789abcdef0123456789';
export const MANAGEMENT_KEY = 'bench-management-key-0123456789abcdef01234567';
