import { jest } from '@jest/globals';
import { LatencyTracker } from '../../../src/inference/routing/latency-tracker.js';
import type { CatalogueEndpoint } from '../../../src/catalogue/catalogue-model.js';
import type { ChatScript } from '../../support/vendors/scripted-chat-vendor.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

type Vendor = 'openai' | 'deepinfra' | 'siliconflow';
const FAILS: ChatScript = { status: 500, body: { error: { message: 'scripted' } } };

const priced = (prompt: string, completion: string, more: object = {}): Partial<CatalogueEndpoint> => ({
  tokenPrices: { prompt, completion, ...more },
});
const ENDPOINTS: Readonly<Record<Vendor, CatalogueEndpoint>> = {
  openai: aTextEndpoint('openai', { ...priced('0.000003', '0.000003'), quantization: 'fp8' }),
  deepinfra: aTextEndpoint('deepinfra', { ...priced('0.000001', '0.000002'), zeroDataRetention: true }),
  siliconflow: aTextEndpoint('siliconflow', {
    ...priced('0.000002', '0.000001', { request: '0.01', inputImage: '0.002', inputAudio: '0.000005' }),
    quantization: 'int4',
    supportedParameters: { temperature: { type: 'boolean' }, seed: { type: 'boolean' } },
  }),
};

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage();
  stage.teach('rules/many', Object.values(ENDPOINTS), { supportedParameters: ['temperature', 'tools'] });
  stage.teach('rules/free-to-train', Object.values(ENDPOINTS), { distillable: true });
  const latency = stage.service.app.get(LatencyTracker, { strict: false });
  const measured: Record<Vendor, [latencyMs: number, perSecond: number]> = {
    openai: [300, 10],
    deepinfra: [200, 20],
    siliconflow: [100, 5],
  };
  jest.spyOn(latency, 'latencyMs').mockImplementation(({ provider }) => measured[provider as Vendor][0]);
  jest.spyOn(latency, 'perSecond').mockImplementation(({ provider }) => measured[provider as Vendor][1]);
});
afterAll(() => stage.stop());

/** The vendors in the order of their calls. All calls fail. */
async function orderFor(provider: object, more: object = {}): Promise<string[]> {
  for (const slug of Object.keys(ENDPOINTS) as Vendor[]) stage.vendors[slug].script(FAILS);
  const { status, json } = await stage.chat({ model: 'rules/many', ...more, provider });
  for (const slug of Object.keys(ENDPOINTS) as Vendor[]) stage.vendors[slug].clear();
  if (status !== 502) throw new Error(`${status}: ${JSON.stringify(json)}`);
  const { provider_name: last, previous_errors: previous = [] } = json.error.metadata;
  return [...previous.map((error: { provider: string }) => error.provider), last];
}

describe('provider preferences of a chat', () => {
  it.each<[string, object, Vendor[], object?]>([
    ['sort by price', { sort: 'price' }, ['deepinfra', 'openai', 'siliconflow'], { max_tokens: 1_000 }],
    ['sort by throughput', { sort: 'throughput' }, ['deepinfra', 'openai', 'siliconflow']],
    ['sort by latency', { sort: 'latency' }, ['siliconflow', 'deepinfra', 'openai']],
    ['sort by an object', { sort: { by: 'latency', partition: 'model' } }, ['siliconflow', 'deepinfra', 'openai']],
    [
      'order, then the others',
      { order: ['openai', 'siliconflow'], sort: 'price' },
      ['openai', 'siliconflow', 'deepinfra'],
    ],
    [
      'order with unknown names',
      { order: ['nobody', 'openai'], sort: 'latency' },
      ['openai', 'siliconflow', 'deepinfra'],
    ],
    ['only', { only: ['siliconflow', 'openai'], sort: 'latency' }, ['siliconflow', 'openai']],
    ['ignore', { ignore: ['siliconflow'], sort: 'latency' }, ['deepinfra', 'openai']],
    ['no fallback', { allow_fallbacks: false, sort: 'latency' }, ['siliconflow']],
    ['no fallback from the first of order', { allow_fallbacks: false, order: ['openai', 'deepinfra'] }, ['openai']],
    ['no data retention', { zdr: true }, ['deepinfra']],
    ['no data collection', { data_collection: 'deny' }, ['deepinfra']],
    ['data collection', { data_collection: 'allow', sort: 'latency' }, ['siliconflow', 'deepinfra', 'openai']],
    ['quantizations', { quantizations: ['fp8', 'int4'], sort: 'latency' }, ['siliconflow', 'openai']],
    ['an unknown quantization', { quantizations: ['unknown'] }, ['deepinfra']],
    ['a prompt price as a number', { max_price: { prompt: 1 } }, ['deepinfra']],
    ['a prompt price as a string', { max_price: { prompt: '2.00' }, sort: 'latency' }, ['siliconflow', 'deepinfra']],
    ['a price just under', { max_price: { prompt: '1.999999' } }, ['deepinfra']],
    ['a price of completions', { max_price: { completion: 1 } }, ['siliconflow']],
    ['a price of requests', { max_price: { request: '0.0099' }, sort: 'latency' }, ['deepinfra', 'openai']],
    ['a price of requests that is met', { max_price: { request: 0.01 }, only: ['siliconflow'] }, ['siliconflow']],
    ['a price of pictures', { max_price: { image: '0.0019' }, sort: 'latency' }, ['deepinfra', 'openai']],
    ['a price of audio', { max_price: { audio: '4.9' }, sort: 'latency' }, ['deepinfra', 'openai']],
    [
      'a throughput as a preference',
      { preferred_min_throughput: 6, sort: 'latency' },
      ['deepinfra', 'openai', 'siliconflow'],
    ],
    [
      'a throughput that is met',
      { preferred_min_throughput: 5, sort: 'latency' },
      ['siliconflow', 'deepinfra', 'openai'],
    ],
    [
      'a throughput by percentile',
      { preferred_min_throughput: { p90: 11 }, sort: 'latency' },
      ['deepinfra', 'siliconflow', 'openai'],
    ],
    [
      'a latency in seconds',
      { preferred_max_latency: 0.25, sort: 'throughput' },
      ['deepinfra', 'siliconflow', 'openai'],
    ],
    [
      'a latency by percentile',
      { preferred_max_latency: { p50: 0.15 }, sort: 'throughput' },
      ['siliconflow', 'deepinfra', 'openai'],
    ],
    [
      'required parameters',
      { require_parameters: true, sort: 'latency' },
      ['siliconflow', 'deepinfra', 'openai'],
      { temperature: 1 },
    ],
    ['parameters of the model', { require_parameters: true, sort: 'latency' }, ['deepinfra', 'openai'], { tools: [] }],
    ['parameters of only one endpoint', { require_parameters: true }, ['siliconflow'], { seed: 1 }],
    [
      'parameters that are not required',
      { require_parameters: false, sort: 'latency' },
      ['siliconflow', 'deepinfra', 'openai'],
      { seed: 1 },
    ],
  ])('(%s) %j select the endpoints %j in this order', async (_, provider, expected, more = {}) => {
    expect(await orderFor(provider, more)).toEqual(expected);
  });

  it('select the first endpoint at random, weighted by price, if neither order nor sort is given', async () => {
    const firsts = new Set<string>();
    for (let call = 0; call < 40 && firsts.size < 2; call++)
      firsts.add((await stage.chat({ model: 'rules/many', provider: { ignore: ['siliconflow'] } })).json.provider);
    expect(firsts).toEqual(new Set(['openai', 'deepinfra']));
  });

  it.each<[string, object, object?]>([
    ['excluded by provider.only ["nobody"].', { only: ['nobody'] }],
    ['excluded by provider.ignore ["openai","deepinfra","siliconflow"].', { ignore: Object.keys(ENDPOINTS) }],
    ['excluded by provider.zdr true.', { zdr: true, only: ['openai'] }],
    ['excluded by provider.data_collection "deny".', { data_collection: 'deny', only: ['openai'] }],
    ['excluded by provider.quantizations ["fp4"].', { quantizations: ['fp4'] }],
    ['excluded by provider.max_price.prompt "0.99".', { max_price: { prompt: '0.99' } }],
    ['excluded by provider.max_price.completion "1.5".', { max_price: { prompt: 1, completion: 1.5 } }],
    ['top_a, and provider.require_parameters is true', { require_parameters: true }, { top_a: 0.5 }],
    ['reasoning, and provider.require_parameters is true', { require_parameters: true }, { reasoning_effort: 'low' }],
    ['provider.enforce_distillable_text requires', { enforce_distillable_text: true }],
  ])('that leave no endpoint lead to a 404 that names the preference: %s', async (named, provider, more = {}) => {
    const { status, json } = await stage.chat({ model: 'rules/many', ...more, provider });
    expect([status, json.error.metadata]).toEqual([
      404,
      { error_type: 'not_found', availability: { code: 'constraint_filtered', retryable: false } },
    ]);
    expect(json.error.message).toContain(named);
  });

  it('with enforce_distillable_text keep a model whose text may be used for distillation', async () => {
    const provider = { enforce_distillable_text: true };
    expect((await stage.chat({ model: 'rules/free-to-train', provider })).status).toBe(200);
  });

  it.each<[string, unknown]>([
    ['order', 'openai'],
    ['only', [7]],
    ['ignore', {}],
    ['allow_fallbacks', 'no'],
    ['require_parameters', 1],
    ['data_collection', 'maybe'],
    ['zdr', 'yes'],
    ['enforce_distillable_text', 1],
    ['quantizations', 'fp8'],
    ['sort', 'beauty'],
    ['sort', { by: 'beauty' }],
    ['sort', { by: 'price', partition: 'half' }],
    ['max_price', 1],
    ['max_price', { prompt: -1 }],
    ['max_price', { completion: 'cheap' }],
    ['preferred_min_throughput', '9'],
    ['preferred_min_throughput', { p50: 1, p99: 'x' }],
    ['preferred_max_latency', -1],
    ['options', []],
  ])('with an invalid value are refused with 400: %s %j', async (name, value) => {
    const { status, json } = await stage.chat({ model: 'rules/many', provider: { [name]: value } });
    expect([status, json.error.metadata]).toEqual([400, { error_type: 'invalid_request' }]);
    expect(json.error.message).toContain(`provider.${name}`);
  });

  it('may be null, and may have members that are not known', async () => {
    for (const provider of [null, {}, { order: null, sort: null, zdr: null, max_price: null }, { new_one: 1 }])
      expect((await stage.chat({ model: 'rules/many', provider })).status).toBe(200);
  });
});

describe('a suffix of a model', () => {
  it.each<[string, Vendor[], object?]>([
    ['rules/many:nitro', ['deepinfra', 'openai', 'siliconflow']],
    ['rules/many:floor', ['deepinfra', 'openai', 'siliconflow'], { max_tokens: 1_000 }],
  ])('sorts the endpoints: %s', async (model, expected, more = {}) => {
    expect(await orderFor({}, { model, ...more })).toEqual(expected);
  });

  it('does not override provider.sort, and is not part of the model in the response', async () => {
    const { json } = await stage.chat({ model: 'rules/many:nitro', provider: { sort: 'latency' } });
    expect([json.model, json.provider]).toEqual(['rules/many', 'siliconflow']);
  });

  it('that the gateway does not know is part of the id', async () => {
    for (const suffix of ['free', 'online', 'extended', 'thinking', 'exacto']) {
      const { status, json } = await stage.chat({ model: `rules/many:${suffix}` });
      expect([status, json.error.metadata.availability.code]).toEqual([404, 'model_not_found']);
    }
    stage.teach('rules/many:free', [ENDPOINTS.openai]);
    expect((await stage.chat({ model: 'rules/many:free' })).json.model).toBe('rules/many:free');
  });
});
