import { notOf, type Row } from './rule-rows.js';

/**
 * One row per rule. `says` quotes a line of the specification's request table, or names a section of docs/api-rules.md,
 * and may add the case that the row tests.
 */
export const SPEECH_RULES: readonly Row[] = [
  { says: 'input | required', fields: { input: undefined }, refused: 'input' },
  { says: 'input | string', fields: { input: 7 }, refused: 'input' },
  ...notOf('input', [['x'], {}]),
  { says: 'input | text, not none', fields: { input: '' }, refused: 'input' },
  { says: 'input | Text to synthesize', fields: {}, asked: { input: 'Hello' } },
  { says: 'model | required', fields: { model: undefined }, refused: 'model' },
  { says: 'model | TTS model identifier', fields: {}, asked: { model: 'voices' } },
  ...notOf('model', [7, []]),
  ...notOf('voice', [7, [], {}]),
  { says: 'voice | required', fields: { voice: undefined }, refused: 'voice' },
  { says: 'voice | provider-specific', fields: { voice: 'anything' }, asked: { voice: 'anything' } },
  {
    says: 'voice | decided from the endpoint: not this one',
    model: 'rules/reader',
    fields: { voice: 'nobody' },
    refused: 'voice',
  },
  ...notOf('provider', ['openai', [], 7]),
  {
    says: 'provider | api-rules 4: options as for images',
    fields: { provider: { options: { openai: { instructions: 'Softly', other: 1 }, groq: { instructions: 'x' } } } },
    asked: { instructions: 'Softly', other: undefined },
  },
  { says: 'response_format | default pcm', fields: {}, asked: { response_format: 'pcm' } },
  { says: 'response_format | mp3', fields: { response_format: 'mp3' }, asked: { response_format: 'mp3' } },
  { says: 'response_format | pcm', fields: { response_format: 'pcm' }, asked: { response_format: 'pcm' } },
  ...notOf('response_format', ['', 'MP3', 'opus', 'flac', 1]),
  { says: 'response_format | one of mp3, pcm', fields: { response_format: 'wav' }, refused: 'response_format' },
  {
    says: 'response_format | decided from supported_parameters: not this one',
    model: 'rules/reader',
    fields: { voice: 'somebody', response_format: 'pcm' },
    refused: 'response_format',
  },
  ...notOf('speed', ['1', true, [1]]),
  ...[0.25, 1, 4].map((speed) => ({
    says: `speed | a double that the model supports: ${speed}`,
    fields: { speed },
    asked: { speed },
  })),
  ...[0, 0.2499, 4.001, -1].map((speed) => ({
    says: `speed | outside of what the model supports: ${speed}`,
    fields: { speed },
    refused: 'speed',
  })),
  { says: 'speed | number', fields: { speed: 'fast' }, refused: 'speed' },
  { says: 'speed | used by models that support it', fields: { speed: 1.5 }, asked: { speed: 1.5 } },
  {
    says: 'speed | ignored otherwise',
    model: 'rules/reader',
    fields: { voice: 'somebody', response_format: 'mp3', speed: 1.5 },
    asked: { speed: undefined },
  },
  ...[-1, 0, 0.2499, 4.001, 1e300].map((speed) => ({
    says: `speed | ignored by models without it, whatever the number: ${speed}`,
    model: 'rules/reader',
    fields: { voice: 'somebody', response_format: 'mp3', speed },
    asked: { speed: undefined },
  })),
];
