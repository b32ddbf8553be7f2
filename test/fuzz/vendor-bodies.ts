import { HOSTILE_VALUES, many, MAX_OBJECTS } from './requests/hostile-json.js';
import type { Place } from './requests/hostile-values.js';

/** Bodies of the inference routes that lead to a vendor call, and the members that the vendor receives completely. */
export const VENDOR_BODIES: Readonly<Record<string, readonly [body: object, places: readonly Place[]]>> = {
  '/api/v1/images': [
    { model: 'openai/gpt-image-1', prompt: 'x' },
    [['prompt'], ['provider', 'options', 'openai', 'moderation'], ['input_references', 0, 'image_url', 'url']],
  ],
  '/api/v1/audio/speech': [
    { model: 'openai/gpt-4o-mini-tts', input: 'x', voice: 'alloy' },
    [['input'], ['voice'], ['provider', 'options', 'openai', 'instructions']],
  ],
  '/api/v1/chat/completions': [
    { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'x' }], max_tokens: 10 },
    [
      ['messages', 0, 'content'],
      ['messages', 0, 'content', 0, 'text'],
      ['messages', 0, 'name'],
      ['tools', 0, 'function', 'parameters'],
      ['response_format', 'json_schema', 'schema'],
      ['prediction'],
    ],
  ],
  '/api/v1/messages': [
    { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'x' }], max_tokens: 16 },
    [
      ['messages', 0, 'content'],
      ['messages', 0, 'content', 0, 'text'],
      ['system'],
      ['tools', 0, 'input_schema'],
      ['thinking'],
      ['output_config', 'format', 'schema'],
    ],
  ],
  '/api/v1/responses': [
    { model: 'openai/gpt-4o-mini', input: [{ role: 'user', content: 'x' }], max_output_tokens: 16 },
    [
      ['input', 0, 'content'],
      ['input', 0, 'content', 0, 'text'],
      ['instructions'],
      ['tools', 0, 'parameters'],
      ['text', 'format', 'schema'],
      ['reasoning'],
    ],
  ],
  '/api/v1/embeddings': [
    { model: 'openai/text-embedding-3-small', input: 'x' },
    [['input'], ['input', 0], ['input_type']],
  ],
  '/api/v1/completions': [
    { model: 'builtin/eliza', prompt: 'x', max_tokens: 10 },
    [['prompt'], ['prompt', 0], ['suffix'], ['logit_bias']],
  ],
  '/api/v1/rerank': [
    { model: 'cohere/rerank-v4-pro', query: 'x', documents: ['x'] },
    [['query'], ['documents', 0], ['documents', 0, 'text']],
  ],
  '/api/v1/audio/transcriptions': [
    { model: 'openai/whisper-1', input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' } },
    [['language'], ['input_audio', 'data']],
  ],
};

const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');
/** Texts and values that are sent to a vendor, including a picture of which only the start is valid. */
export const VENDOR_VALUES: Readonly<Record<string, (size: number) => string>> = {
  ...HOSTILE_VALUES,
  'a list of parts of text, each of another shape': (size) =>
    `[${many(size, (index) => `{"type":"text","text":"x","k${index}":1}`, MAX_OBJECTS)}]`,
  'a picture': (size) =>
    `"data:image/png;base64,${Buffer.concat([PNG, Buffer.alloc(Math.floor(size * 0.74))]).toString('base64')}"`,
};
