import type { PriceLine } from '../../src/kernel/price.js';
import { derivePixels } from '../../src/providers/spec/image-pixels.js';
import { AUDIO, PIXEL, startScriptedVendor, type ScriptedVendor } from '../support/scripted-vendor.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../support/test-catalogue.js';
import { startTestService, type TestService } from '../support/test-service.js';

const KNOBS = anImageEndpoint('openai').supportedParameters;
const {
  seed: _seed,
  quality: _quality,
  output_compression: _compression,
  background: _background,
  ...FEW_KNOBS
} = KNOBS;
const BARE = { input_references: KNOBS['input_references']! };
const RATIOS = { type: 'enum', values: ['1:1', '3:2', '16:9'] } as const;
const WIDE = derivePixels('1K', '16:9');
const reference = (url = `data:image/png;base64,${PIXEL}`): object => ({ type: 'image_url', image_url: { url } });

const dataUrl = (type: string, base64: string): string => `data:${type};base64,${base64}`;
const accepted = (field: string, values: readonly unknown[], others: object = {}): Row[] =>
  values.map((value) => ({
    says: `${field} | ${JSON.stringify(value)} is one of the enumeration`,
    fields: { ...others, [field]: value },
  }));
/** The specification says "or null" where null may be sent: nowhere in these two tables. */
const notOf = (field: string, values: readonly unknown[]): Row[] =>
  [null, ...values].map((value) => ({
    says: `${field} | of its type, not ${JSON.stringify(value)}`,
    fields: { [field]: value },
    refused: field,
  }));

const priced = (variant: string, costUsd: string): PriceLine => ({
  billable: 'output_image',
  unit: 'image',
  costUsd,
  variant,
});

/** `refused`: 400 with a message that names this, and nothing asked of the vendor. `asked`: members of the vendor's request; undefined = absent there. */
interface Row {
  readonly says: string;
  readonly model?: string;
  readonly fields: object;
  readonly refused?: string;
  readonly asked?: Readonly<Record<string, unknown>>;
}

/** One row a rule; `says` quotes the specification's request table, line by line, or names the section of the wire notes. */
const IMAGE_RULES: readonly Row[] = [
  { says: 'model | required', fields: { model: undefined }, refused: 'model' },
  { says: 'model | Image generation model slug', fields: {}, asked: { model: 'pictures' } },
  { says: 'prompt | required', fields: { prompt: undefined }, refused: 'prompt' },
  { says: 'prompt | Minimum length 1', fields: { prompt: '' }, refused: 'prompt' },
  { says: 'prompt | Minimum length 1, met by one character', fields: { prompt: 'x' }, asked: { prompt: 'x' } },
  ...notOf('model', [7, [], {}]),
  ...notOf('prompt', [7, ['x'], {}]),
  ...accepted('aspect_ratio', [
    '1:1',
    '1:2',
    '1:4',
    '1:8',
    '2:1',
    '2:3',
    '3:2',
    '3:4',
    '4:1',
    '4:3',
    '4:5',
    '5:4',
    '8:1',
    '9:16',
    '16:9',
    '9:19.5',
    '19.5:9',
    '9:20',
    '20:9',
    '9:21',
    '21:9',
    'auto',
  ]),
  ...notOf('aspect_ratio', ['', '1:3', '16x9', '16:9 ', 1, ['1:1']]),
  { says: 'aspect_ratio | one of the enumeration', fields: { aspect_ratio: '7:5' }, refused: 'aspect_ratio' },
  {
    says: 'aspect_ratio | Providers clamp to their supported subset',
    model: 'rules/ratios',
    fields: { aspect_ratio: '21:9' },
    asked: { size: `${WIDE.width}x${WIDE.height}` },
  },
  {
    says: 'aspect_ratio | auto leaves it to the vendor',
    model: 'rules/ratios',
    fields: { aspect_ratio: 'auto' },
    asked: { size: undefined },
  },
  { says: 'background | one of auto, transparent, opaque', fields: { background: 'glass' }, refused: 'background' },
  ...accepted('background', ['auto', 'opaque']),
  ...notOf('background', ['', 'Transparent', true]),
  {
    says: 'background | transparent is asked for in a format with alpha where none is named',
    fields: { background: 'transparent' },
    asked: { background: 'transparent', output_format: 'png' },
  },
  {
    says: 'background | transparent of an endpoint that makes no format with alpha',
    model: 'rules/opaque-formats',
    fields: { background: 'transparent' },
    refused: 'alpha',
  },
  {
    says: 'background | transparent with png',
    fields: { background: 'transparent', output_format: 'png' },
    asked: { background: 'transparent', output_format: 'png' },
  },
  {
    says: 'background | transparent with webp',
    fields: { background: 'transparent', output_format: 'webp' },
    asked: { background: 'transparent', output_format: 'webp' },
  },
  {
    says: 'background | transparent requires an output_format with alpha, not jpeg',
    fields: { background: 'transparent', output_format: 'jpeg' },
    refused: 'png or webp',
  },
  {
    says: 'background | transparent requires an output_format with alpha, not svg',
    fields: { background: 'transparent', output_format: 'svg' },
    refused: 'png or webp',
  },
  {
    says: 'background | decided from supported_parameters: none',
    model: 'rules/few-knobs',
    fields: { background: 'transparent' },
    refused: 'transparent',
  },
  {
    says: 'background | opaque is ignored without the knob',
    model: 'rules/few-knobs',
    fields: { background: 'opaque' },
    asked: { background: undefined },
  },
  {
    says: 'input_references | At most 16 entries',
    fields: { input_references: Array.from({ length: 17 }, () => reference()) },
    refused: 'input_references',
  },
  {
    says: 'input_references | 16 entries',
    fields: { input_references: Array.from({ length: 16 }, () => reference()) },
  },
  {
    says: 'input_references | base64 data URLs',
    fields: { input_references: [reference('data:text/plain,hello')] },
    refused: 'input_references[0]',
  },
  {
    says: 'input_references | reference images: not what only calls itself one',
    fields: {
      input_references: [reference(`data:image/png;base64,${Buffer.from('<html></html>').toString('base64')}`)],
    },
    refused: 'input_references[0]',
  },
  ...notOf('input_references', [
    {},
    'x',
    ['x'],
    [null],
    [{}],
    [{ type: 'image_url' }],
    [{ type: 'image_url', image_url: 'x' }],
    [{ type: 'image_url', image_url: {} }],
    [{ type: 'image_url', image_url: { url: 7 } }],
    [{ type: 'file', image_url: { url: dataUrl('image/png', PIXEL) } }],
  ]),
  { says: 'input_references | none is no reference', fields: { input_references: [] } },
  {
    says: 'input_references | base64 data URLs, with parameters',
    fields: { input_references: [reference(dataUrl('IMAGE/PNG;name=a.png', PIXEL))] },
  },
  ...[
    '',
    'image.png',
    'ftp://example.com/x.png',
    'file:///etc/passwd',
    dataUrl('image/png', ''),
    dataUrl('image/png', '%%%'),
    dataUrl('text/html', PIXEL),
    `data:image/png,${PIXEL}`,
  ].map((url) => ({
    says: `input_references | as base64 data URLs or HTTP(S) URLs, not ${url.slice(0, 40)}`,
    fields: { input_references: [reference(), reference(url)] },
    refused: 'input_references[1]',
  })),
  ...[
    'http://127.0.0.1/x.png',
    'https://localhost/x.png',
    'http://[::1]/x.png',
    'HTTP://169.254.169.254/x.png',
    'http://10.0.0.1/x.png',
  ].map((url) => ({
    says: `input_references | wire-notes 3: a host that is not public = 400: ${url}`,
    fields: { input_references: [reference(url)] },
    refused: 'input_references[0]',
  })),
  {
    says: 'input_references | decided from supported_parameters: so many',
    model: 'rules/choosy',
    fields: { input_references: [reference(), reference()] },
    refused: 'input_references',
  },
  {
    says: 'input_references | decided from supported_parameters: none',
    model: 'rules/nothing',
    fields: { input_references: [reference()] },
    refused: 'input_references',
  },
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
      says: `provider | wire-notes 3: ${list} is a list of slugs, not ${JSON.stringify(value)}`,
      fields: { provider: { [list]: value } },
      refused: `provider.${list}`,
    })),
  ),
  ...['no', 0].map((allow_fallbacks) => ({
    says: `provider | wire-notes 3: allow_fallbacks, not ${JSON.stringify(allow_fallbacks)}`,
    fields: { provider: { allow_fallbacks } },
    refused: 'provider.allow_fallbacks',
  })),
  ...[[], 'x', { openai: 'x' }, { openai: [] }, { openai: null }].map((options) => ({
    says: `provider | wire-notes 3: options by slug, not ${JSON.stringify(options)}`,
    fields: { provider: { options } },
    refused: 'provider.options',
  })),
  ...['price', 'throughput', 'latency', { by: 'price' }].map((sort) => ({
    says: `provider | wire-notes 3: sort by ${JSON.stringify(sort)}`,
    fields: { provider: { sort } },
  })),
  ...['', { by: 'beauty' }, 7, ['price']].map((sort) => ({
    says: `provider | wire-notes 3: sort, not ${JSON.stringify(sort)}`,
    fields: { provider: { sort } },
    refused: 'provider.sort',
  })),
  {
    says: 'provider | wire-notes 3: only',
    fields: { provider: { only: ['openai'], order: ['openai', 'nobody'], ignore: ['groq'], allow_fallbacks: false } },
  },
  {
    says: 'provider | wire-notes 3: only allowed options of the chosen provider',
    fields: { provider: { options: { openai: { moderation: 'low', other: 1 }, groq: { moderation: 'x' } } } },
    asked: { moderation: 'low', other: undefined },
  },
  { says: 'provider | wire-notes 3: sort', fields: { provider: { sort: 'beauty' } }, refused: 'provider.sort' },
  ...accepted('quality', ['auto', 'low', 'medium', 'high']),
  ...notOf('quality', ['', 'hd', 'standard', 'High', 1]),
  { says: 'quality | one of auto, low, medium, high', fields: { quality: 'best' }, refused: 'quality' },
  { says: 'quality | passed on', fields: { quality: 'high' }, asked: { quality: 'high' } },
  {
    says: 'quality | Ignored by providers without a quality knob',
    model: 'rules/few-knobs',
    fields: { quality: 'high' },
    asked: { quality: undefined },
  },
  {
    says: 'quality | decided from supported_parameters: not this one',
    model: 'rules/choosy',
    fields: { quality: 'medium' },
    refused: 'quality',
  },
  ...accepted('resolution', ['512', '1K', '2K', '4K']),
  ...notOf('resolution', ['', '1k', '1024', 512, 1024]),
  { says: 'resolution | one of 512, 1K, 2K, 4K', fields: { resolution: '8K' }, refused: 'resolution' },
  { says: 'resolution | Pixel dimensions derived', fields: { resolution: '2K' }, asked: { size: '2048x2048' } },
  {
    says: 'resolution | decided from supported_parameters: not this one',
    model: 'rules/choosy',
    fields: { resolution: '4K' },
    refused: 'resolution',
  },
  ...notOf('seed', ['7', true, [7], {}]),
  ...[0, -1, 2_147_483_647].map((seed) => ({ says: `seed | any integer: ${seed}`, fields: { seed }, asked: { seed } })),
  { says: 'seed | integer', fields: { seed: 1.5 }, refused: 'seed' },
  { says: 'seed | Requests deterministic sampling', fields: { seed: 7 }, asked: { seed: 7 } },
  {
    says: 'seed | not of a provider without the knob',
    model: 'rules/few-knobs',
    fields: { seed: 7 },
    asked: { seed: undefined },
  },
  ...notOf('size', [
    1024,
    ['1K'],
    { width: 1 },
    '',
    '1k',
    'auto',
    '1024',
    '1024x',
    'x1024',
    '1024*768',
    '1024X768',
    ' 1024x768',
    '0x64',
    '64x0',
    '-64x64',
    '64.5x64',
    '1024x768x3',
  ]),
  ...(['512', '1K', '2K', '4K'] as const).map((tier, index) => ({
    says: `size | the tier ${tier}`,
    fields: { size: tier },
    asked: { size: [512, 1024, 2048, 4096].map((side) => `${side}x${side}`)[index] },
  })),
  {
    says: 'size | wire-notes 3: a tier with the same resolution beside it',
    fields: { size: '2K', resolution: '2K' },
    asked: { size: '2048x2048' },
  },
  {
    says: 'size | wire-notes 3: both conflicting',
    fields: { size: '1024x1024', resolution: '2K', aspect_ratio: '16:9' },
    refused: 'conflicts',
  },
  {
    says: 'size | wire-notes 3: one agrees, the other conflicts',
    fields: { size: '1024x1024', resolution: '1K', aspect_ratio: '16:9' },
    refused: 'conflicts',
  },
  {
    says: 'size | wire-notes 3: one agrees, the other conflicts, the other way round',
    fields: { size: '1024x1024', resolution: '512', aspect_ratio: '1:1' },
    refused: 'conflicts',
  },
  {
    says: 'size | wire-notes 3: the derived pixels agree with both',
    fields: { size: `${WIDE.width}x${WIDE.height}`, resolution: '1K', aspect_ratio: '16:9' },
    asked: { size: `${WIDE.width}x${WIDE.height}` },
  },
  {
    says: 'size | wire-notes 3: one pixel less does not',
    fields: { size: `${WIDE.width - 1}x${WIDE.height}`, aspect_ratio: '16:9' },
    refused: 'conflicts',
  },
  {
    says: 'size | wire-notes 3: auto agrees, the resolution conflicts',
    fields: { size: '640x480', aspect_ratio: 'auto', resolution: '4K' },
    refused: 'conflicts',
  },
  {
    says: 'size | the least and the most that the endpoint makes',
    fields: { size: '64x4096' },
    asked: { size: '64x4096' },
  },
  { says: 'size | above the bounds of the endpoint', fields: { size: '64x4097' }, refused: 'size' },
  { says: 'size | A tier equals setting resolution', fields: { size: '2K' }, asked: { size: '2048x2048' } },
  {
    says: 'size | A tier combines with aspect_ratio',
    model: 'rules/ratios',
    fields: { size: '1K', aspect_ratio: '16:9' },
    asked: { size: `${WIDE.width}x${WIDE.height}` },
  },
  { says: 'size | explicit pixels', fields: { size: '640x480' }, asked: { size: '640x480' } },
  { says: 'size | neither a tier nor pixels', fields: { size: '640' }, refused: 'size' },
  {
    says: 'size | conflicting resolution is refused with 400',
    fields: { size: '1024x1024', resolution: '2K' },
    refused: 'conflicts',
  },
  {
    says: 'size | conflicting aspect_ratio is refused with 400',
    fields: { size: '1024x1024', aspect_ratio: '16:9' },
    refused: 'conflicts',
  },
  {
    says: 'size | wire-notes 3: an agreeing resolution is not',
    fields: { size: '2048x2048', resolution: '2K' },
    asked: { size: '2048x2048' },
  },
  {
    says: 'size | wire-notes 3: an agreeing aspect_ratio is not',
    fields: { size: '1600x900', aspect_ratio: '16:9' },
    asked: { size: '1600x900' },
  },
  {
    says: 'size | wire-notes 3: both agreeing are not',
    fields: { size: '1024x1024', aspect_ratio: '1:1', resolution: '1K' },
    asked: { size: '1024x1024' },
  },
  {
    says: 'size | wire-notes 3: auto always agrees',
    fields: { size: '640x480', aspect_ratio: 'auto' },
    asked: { size: '640x480' },
  },
  {
    says: 'size | wire-notes 3: a tier with a different resolution = 400',
    fields: { size: '2K', resolution: '1K' },
    refused: 'conflicts',
  },
  {
    says: 'size | explicit pixels are authoritative: an endpoint that cannot make them is not asked',
    model: 'rules/nothing',
    fields: { size: '640x480' },
    refused: 'size',
  },
  { says: 'size | outside the bounds of the endpoint', fields: { size: '63x64' }, refused: 'size' },
  ...notOf('stream', [1, 'true']),
  { says: 'stream | boolean', fields: { stream: 'yes' }, refused: 'stream' },
  { says: 'stream | false is buffered', fields: { stream: false }, asked: { stream: undefined } },
  {
    says: 'stream | others ignore the flag and return a buffered response',
    model: 'rules/nothing',
    fields: { stream: true },
    asked: { stream: undefined },
  },
];

const SPEECH_RULES: readonly Row[] = [
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
    says: 'provider | wire-notes 4: options as for images',
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
  ...[0, 0.2, 4.1, -1].map((speed) => ({
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
];

describe('every rule of the request tables', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    service = await startTestService({
      env: { OPENAI_API_KEY: 'scripted-credential', OPENAI_BASE_URL: vendor.baseUrl },
    });
    teach(service, {
      'rules/all-knobs': [anImageEndpoint('openai', { allowedPassthroughParameters: ['moderation'] })],
      'rules/ratios': [anImageEndpoint('openai', { supportedParameters: { ...KNOBS, aspect_ratio: RATIOS } })],
      'rules/few-knobs': [anImageEndpoint('openai', { supportedParameters: FEW_KNOBS })],
      'rules/few-knobs-single': [anImageEndpoint('openai', { supportedParameters: BARE })],
      'rules/nothing': [
        anImageEndpoint('openai', { supportedParameters: {}, pixelBounds: undefined, supportsStreaming: false }),
      ],
      'rules/choosy': [
        anImageEndpoint('openai', {
          supportedParameters: {
            ...KNOBS,
            input_references: { type: 'range', min: 0, max: 1 },
            output_format: { type: 'enum', values: ['png', 'jpeg'] },
            quality: { type: 'enum', values: ['low', 'high'] },
            resolution: { type: 'enum', values: ['1K', '2K'] },
          },
        }),
      ],
      'rules/opaque-formats': [
        anImageEndpoint('openai', {
          supportedParameters: { ...KNOBS, output_format: { type: 'enum', values: ['jpeg'] } },
        }),
      ],
      'rules/variants': [
        anImageEndpoint('openai', {
          pricing: [priced('low', '0.01'), priced('high', '0.2'), priced('2048x2048', '0.3')],
        }),
      ],
      'rules/tiers': [
        anImageEndpoint('openai', {
          pixelBounds: undefined,
          supportedParameters: { ...KNOBS, resolution: { type: 'enum', values: ['1K', '2K', '4K'] } },
          pricing: [priced('1K', '0.1'), priced('2K', '0.134'), priced('4K', '0.24')],
        }),
      ],
      'rules/speaker': [
        aSpeechEndpoint('openai', {
          supportedParameters: { speed: { type: 'range', min: 0.25, max: 4 } },
          allowedPassthroughParameters: ['instructions'],
        }),
      ],
      'rules/reader': [
        aSpeechEndpoint('openai', {
          voices: ['somebody'],
          supportedParameters: { response_format: { type: 'enum', values: ['mp3'] } },
        }),
      ],
    });
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });

  const hold = async (path: string, request: object, { fields, refused, asked = {} }: Row): Promise<void> => {
    const calls = vendor.seen.length;
    const answer = await service.standard.post(path, { json: { ...request, ...fields } });
    if (refused !== undefined) {
      expect([answer.status, answer.json.error.code, answer.json.error.message]).toEqual([
        400,
        400,
        expect.stringContaining(refused),
      ]);
      expect(vendor.seen.length).toBe(calls);
      return;
    }
    expect([answer.status, vendor.seen.length]).toEqual([200, calls + 1]);
    const sent = vendor.seen.at(-1)!.json ?? {};
    expect(Object.fromEntries(Object.keys(asked).map((name) => [name, sent[name]]))).toEqual(asked);
    if (path === '/images') expect(answer.json.data[0].b64_json).toBe(PIXEL);
    else expect(Buffer.from(answer.bytes).equals(AUDIO)).toBe(true);
  };

  it.each(IMAGE_RULES.map((row) => [row.says, row] as const))('Image generation request: %s', (_, row) =>
    hold('/images', { model: row.model ?? 'rules/all-knobs', prompt: 'A kite' }, row),
  );

  it.each(SPEECH_RULES.map((row) => [row.says, row] as const))('Speech request: %s', (_, row) =>
    hold('/audio/speech', { model: row.model ?? 'rules/speaker', input: 'Hello', voice: 'alloy' }, row),
  );

  it('Image generation request: stream | When true, events on providers with native streaming', async () => {
    const answer = await service.standard.post('/images', {
      json: { model: 'rules/all-knobs', prompt: 'A kite', stream: true },
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(answer.text.trim().split('\n').at(-1)).toBe('data: [DONE]');
  });

  it('Image generation response: n is an upper bound, a vendor that makes more is cut to it; token counts are 0 where the model is not priced by tokens', async () => {
    vendor.script({
      kind: 'body',
      body: JSON.stringify({
        data: [{ b64_json: PIXEL }, { b64_json: PIXEL }, { b64_json: PIXEL }],
        usage: { input_tokens: 5, output_tokens: 6, total_tokens: 11 },
      }),
    });
    const { json } = await service.standard.post('/images', {
      json: { model: 'rules/all-knobs', prompt: 'A kite', n: 2 },
    });
    expect([json.data.length, json.usage]).toEqual([
      2,
      { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0.02, is_byok: false },
    ]);
  });

  it.each<[string, object, number]>([
    ['its quality', { quality: 'low' }, 0.01],
    ['another quality', { quality: 'high' }, 0.2],
    ['the dearest where the vendor chooses', {}, 0.3],
    ['the dearest where the vendor is to choose', { quality: 'auto' }, 0.3],
    ['the pixels where the catalogue prices them apart', { quality: 'low', size: '2048x2048' }, 0.3],
    ['every image of it', { quality: 'low', n: 3 }, 0.03],
  ])('Price: an image whose variants have prices costs by %s', async (_, fields, cost) => {
    expect(
      (await service.standard.post('/images', { json: { model: 'rules/variants', prompt: 'A kite', ...fields } })).json
        .usage.cost,
    ).toBe(cost);
  });

  it.each<[string, object, number]>([
    ['its tier', { resolution: '4K' }, 0.24],
    ['the tier that size names', { size: '2K' }, 0.134],
    ['1K where nothing is said', {}, 0.1],
  ])('Price: an image whose tiers have prices costs by %s', async (_, fields, cost) => {
    expect(
      (await service.standard.post('/images', { json: { model: 'rules/tiers', prompt: 'A kite', ...fields } })).json
        .usage.cost,
    ).toBe(cost);
  });

  it.each([
    ['/images', 'rules/speaker'],
    ['/images', 'no/such'],
    ['/audio/speech', 'rules/all-knobs'],
    ['/audio/speech', 'no/such'],
  ])('%s answers 404 to the model %s', async (path, model) => {
    expect(
      (await service.standard.post(path, { json: { model, prompt: 'A kite', input: 'Hello', voice: 'alloy' } })).status,
    ).toBe(404);
  });
});
