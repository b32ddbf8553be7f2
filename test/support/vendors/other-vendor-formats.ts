import type { ChatScript } from './scripted-chat-vendor.js';

export const SPOKEN_TEXT = 'Hello world. It rains.';
export const TRANSCRIPT_TOKENS = {
  type: 'tokens',
  input_tokens: 14,
  input_token_details: { text_tokens: 4, audio_tokens: 10 },
  output_tokens: 7,
  total_tokens: 21,
};
/** The duration that the vendor reports. Its decimals are billed too. */
export const SPOKEN_SECONDS = 12.345;
export const SEGMENTS = [
  {
    id: 0,
    seek: 0,
    start: 0,
    end: 6.5,
    text: ' Hello world.',
    tokens: [50_364, 2_425],
    temperature: 0,
    avg_logprob: -0.25,
    compression_ratio: 0.9,
    no_speech_prob: 0.01,
  },
  { id: 1, start: 6.5, end: 12.3, text: ' It rains.', avg_logprob: null, tokens: null },
];
export const WORDS = [
  { word: 'Hello', start: 0, end: 0.5 },
  { word: 'world', start: 0.5, end: 1 },
];

/** The text parts of a form, by name. */
export function formFields(raw: Buffer): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  const part = /name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g;
  for (const [, name, value] of raw.toString('latin1').matchAll(part)) (fields[name!] ??= []).push(value!);
  return fields;
}

/** A response of `/audio/transcriptions`. GPT models report tokens, others report seconds. */
export function goodTranscript(raw: Buffer): object {
  const fields = formFields(raw);
  if (fields['model']?.[0]?.startsWith('gpt-')) return { text: SPOKEN_TEXT, usage: TRANSCRIPT_TOKENS };
  if (fields['response_format']?.[0] !== 'verbose_json') return { text: SPOKEN_TEXT, x_groq: { id: 'req-1' } };
  const hasWords = fields['timestamp_granularities[]']?.includes('word') ?? false;
  return {
    task: 'transcribe',
    language: 'english',
    duration: SPOKEN_SECONDS,
    text: SPOKEN_TEXT,
    segments: SEGMENTS,
    ...(hasWords ? { words: WORDS } : {}),
    x_groq: { id: 'req-1' },
  };
}

/** A response of Cohere's `/rerank`: the last document is first, with one search unit per hundred documents. */
export function goodRanking({ documents, top_n: topN }: { documents: string[]; top_n: number }): object {
  const results = documents.map((_, index) => ({ index, relevance_score: (index + 1) / (documents.length + 1) }));
  return {
    id: 'rerank-1',
    results: results.toReversed().slice(0, topN),
    meta: { api_version: { version: '2' }, billed_units: { search_units: Math.ceil(documents.length / 100) } },
  };
}

const COMPLETION_USAGE = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const completion = (choices: readonly object[], more: object = {}): object => ({
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1_790_000_000,
  model: 'vendor-model',
  choices,
  ...more,
});

/** A response of `/completions`, with the same text for every prompt and choice. */
export function goodCompletions({
  prompt,
  n = 1,
  stream,
}: {
  prompt: unknown;
  n?: number;
  stream?: boolean;
}): ChatScript {
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
  const indexes = Array.from({ length: prompts * n }, (_, index) => index);
  if (!stream) {
    const choices = indexes.map((index) => ({ text: ' a tree', index, logprobs: null, finish_reason: 'stop' }));
    return { body: completion(choices, { usage: COMPLETION_USAGE }) };
  }
  const events = indexes.flatMap((index) => [
    completion([{ text: ' a', index, logprobs: null, finish_reason: null }], { usage: null }),
    completion([{ text: ' tree', index, logprobs: null, finish_reason: null }], { usage: null }),
    completion([{ text: '', index, logprobs: null, finish_reason: 'stop' }], { usage: null }),
  ]);
  return { events: [...events, completion([], { usage: COMPLETION_USAGE }), '[DONE]'] };
}
