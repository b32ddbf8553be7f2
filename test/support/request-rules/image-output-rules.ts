import { accepted, notOf, type Row } from './rule-rows.js';

/** The output and its provider: n, compression, format and provider. */
export const IMAGE_OUTPUT_RULES: readonly Row[] = [
  { says: 'n | at least 1', fields: { n: 0 }, refused: 'n ' },
  { says: 'n | at most 10', fields: { n: 11 }, refused: 'n ' },
  { says: 'n | integer', fields: { n: 1.5 }, refused: 'n ' },
  ...notOf('n', ['2', -1, true, [1]]),
  { says: 'n | 1', fields: { n: 1 }, asked: { n: 1 } },
  {
    says: 'n | 1 of a provider that only does single-image generation',
    model: 'rules/few-knobs-single',
    fields: { n: 1 },
    asked: { n: 1 },
  },
  { says: 'n | 10', fields: { n: 10 }, asked: { n: 10 } },
  {
    says: 'n | Providers that only do single-image generation reject n greater than 1',
    model: 'rules/few-knobs-single',
    fields: { n: 2 },
    refused: 'one image at a time',
  },
  { says: 'output_compression | at least 0', fields: { output_compression: -1 }, refused: 'output_compression' },
  { says: 'output_compression | at most 100', fields: { output_compression: 101 }, refused: 'output_compression' },
  ...notOf('output_compression', ['40', 40.5, true]),
  {
    says: 'output_compression | 100',
    fields: { output_format: 'webp', output_compression: 100 },
    asked: { output_compression: 100 },
  },
  {
    says: 'output_compression | not without a format that has it',
    fields: { output_compression: 40 },
    asked: { output_compression: undefined },
  },
  {
    says: 'output_compression | of its range, for png too',
    fields: { output_format: 'png', output_compression: 101 },
    refused: 'output_compression',
  },
  {
    says: 'output_compression | for webp',
    fields: { output_format: 'webp', output_compression: 40 },
    asked: { output_compression: 40 },
  },
  {
    says: 'output_compression | for jpeg',
    fields: { output_format: 'jpeg', output_compression: 0 },
    asked: { output_compression: 0 },
  },
  {
    says: 'output_compression | ignored for png',
    fields: { output_format: 'png', output_compression: 40 },
    asked: { output_compression: undefined, output_format: 'png' },
  },
  {
    says: 'output_compression | ignored by providers without the knob',
    model: 'rules/few-knobs',
    fields: { output_format: 'webp', output_compression: 40 },
    asked: { output_compression: undefined, output_format: 'webp' },
  },
  ...accepted('output_format', ['png', 'jpeg', 'webp', 'svg']),
  ...notOf('output_format', ['', 'PNG', 'jpg', 'image/png', 1]),
  { says: 'output_format | one of png, jpeg, webp, svg', fields: { output_format: 'gif' }, refused: 'output_format' },
  {
    says: 'output_format | SVG is for vectorization models',
    model: 'rules/nothing',
    fields: { output_format: 'svg' },
    refused: 'svg',
  },
  {
    says: 'output_format | decided from supported_parameters: not this one',
    model: 'rules/choosy',
    fields: { output_format: 'webp' },
    refused: 'output_format',
  },
  ...notOf('provider', [[], 7, true]),
  { says: 'provider | object', fields: { provider: 'openai' }, refused: 'provider' },
  { says: 'provider | object, an empty one too', fields: { provider: {} } },
  ...(['order', 'only', 'ignore'] as const).flatMap((list) =>
    ['openai', {}, [7], [null]].map((value) => ({
      says: `provider | api-rules 3: ${list} is a list of slugs, not ${JSON.stringify(value)}`,
      fields: { provider: { [list]: value } },
      refused: `provider.${list}`,
    })),
  ),
  ...['no', 0].map((allow_fallbacks) => ({
    says: `provider | api-rules 3: allow_fallbacks, not ${JSON.stringify(allow_fallbacks)}`,
    fields: { provider: { allow_fallbacks } },
    refused: 'provider.allow_fallbacks',
  })),
  ...[[], 'x', { openai: 'x' }, { openai: [] }, { openai: null }].map((options) => ({
    says: `provider | api-rules 3: options by slug, not ${JSON.stringify(options)}`,
    fields: { provider: { options } },
    refused: 'provider.options',
  })),
  ...['price', 'throughput', 'latency', { by: 'price' }].map((sort) => ({
    says: `provider | api-rules 3: sort by ${JSON.stringify(sort)}`,
    fields: { provider: { sort } },
  })),
  ...['', { by: 'beauty' }, 7, ['price']].map((sort) => ({
    says: `provider | api-rules 3: sort, not ${JSON.stringify(sort)}`,
    fields: { provider: { sort } },
    refused: 'provider.sort',
  })),
  {
    says: 'provider | api-rules 3: only',
    fields: { provider: { only: ['openai'], order: ['openai', 'nobody'], ignore: ['groq'], allow_fallbacks: false } },
  },
  {
    says: 'provider | api-rules 3: only allowed options of the chosen provider',
    fields: { provider: { options: { openai: { moderation: 'low', other: 1 }, groq: { moderation: 'x' } } } },
    asked: { moderation: 'low', other: undefined },
  },
  { says: 'provider | api-rules 3: sort', fields: { provider: { sort: 'beauty' } }, refused: 'provider.sort' },
];
