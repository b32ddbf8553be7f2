import { composeCatalogue } from './compose-catalogue.js';
import type { EndpointEntry, ModelEntry } from './entry.js';
import { EntryFault } from './entry-fault.js';
import { SHIPPED } from './entry.js';
import { read } from './schema.js';
import type { TextRules } from './text-rules.js';
import type { CatalogueEndpoint, CatalogueModel } from '../catalogue-model.js';

const PRICE = { prompt: '1', completion: '2' };
const RULES: TextRules = {
  adapters: [
    { provider: 'packed', chat: 'ai-sdk', package: '@x/packed' },
    { provider: 'plain', chat: 'plain', embeddings: 'plain', except: ['acme/other'] },
    { provider: 'some', chat: 'plain', only: ['acme/'] },
    { provider: 'local', chat: 'plain', local: true },
  ],
  searchPrices: [
    { provider: 'openai', usd_per_search: '0.01' },
    { provider: 'openai', model: 'openai/searcher', usd_per_search: '0.03' },
  ],
  limits: [
    { caches_by_itself: true },
    { tokenizer: 'Grown', text_growth: 3 },
    { author: 'acme', frame_tokens: 10, tokens_per_image: 100 },
    { provider: 'packed', author: 'acme', tokens_per_image: 200, caches_by_itself: false },
    { model: 'acme/model-b', tokens_per_image: 300 },
  ],
};

const compose = (id: string, endpoints: readonly EndpointEntry[], facts: Partial<ModelEntry> = {}): CatalogueModel =>
  composeCatalogue(
    [
      {
        models: [{ id, name: id, released: '2026-01', input: ['text'], output: ['text'], endpoints, ...facts }],
        providers: [],
      },
    ],
    { tokenizers: {}, text: RULES },
  ).models[0]!;
const endpointOf = (provider: string, rest: object = {}, id = 'acme/model'): CatalogueEndpoint =>
  compose(id, [{ provider, usd_per_million: PRICE, ...rest }]).endpoints[0]!;

describe('text endpoints', () => {
  it('get the adapter of their provider, and the package that the adapter calls', () => {
    expect(endpointOf('packed')).toMatchObject({ capability: 'chat', adapter: 'ai-sdk', package: '@x/packed' });
    expect(endpointOf('plain').adapter).toBe('plain');
    expect(endpointOf('unknown').adapter).toBeNull();
  });

  it('keep the adapter that their entry names', () => {
    const { adapter, package: name } = endpointOf('packed', { adapter: 'own' });
    expect([adapter, name]).toEqual(['own', undefined]);
  });

  it('get no adapter for models that the rule excludes, for other capabilities, and on local servers', () => {
    expect(endpointOf('plain', {}, 'acme/other-1').adapter).toBeNull();
    expect([endpointOf('some').adapter, endpointOf('some', {}, 'else/model').adapter]).toEqual(['plain', null]);
    expect(endpointOf('packed', { capability: 'embeddings' }).adapter).toBeNull();
    expect(endpointOf('plain', { capability: 'image' })).toMatchObject({ adapter: null });
    expect(endpointOf('local').adapter).toBeNull();
  });

  it('have the limits of their own entry, else of the model, and the limits of every matching rule', () => {
    const [own, general] = compose(
      'acme/model',
      [
        { provider: 'packed', usd_per_million: PRICE, context: 50, max_input: 40, max_output: 5 },
        { provider: 'plain', usd_per_million: { prompt: '3', completion: '3' } },
      ],
      { context: 100, max_output: 20, tokenizer: 'Grown' },
    ).endpoints;
    expect(own!.textLimits).toEqual({
      contextLength: 50,
      maxPromptTokens: 40,
      maxCompletionTokens: 5,
      frameTokens: 10,
      tokensPerImage: 200,
      textGrowth: 3,
      cachesByItself: false,
    });
    expect(general!.textLimits).toEqual({
      contextLength: 100,
      maxCompletionTokens: 20,
      frameTokens: 10,
      tokensPerImage: 100,
      textGrowth: 3,
      cachesByItself: true,
    });
    expect(endpointOf('plain', {}, 'acme/model-b').textLimits?.tokensPerImage).toBe(300);
    expect(endpointOf('plain', { capability: 'speech' }).textLimits).toBeUndefined();
  });

  it('have tags that begin with the slug of their provider', () => {
    expect(['plain', 'plain/eu', 'eu'].map((tag) => endpointOf('plain', { tag }).tag)).toEqual([
      'plain',
      'plain/eu',
      'plain/eu',
    ]);
  });

  it('are sorted: callable first, then of the author, then by price, with free endpoints last', () => {
    const offers = (...providers: [string, string][]): string[] =>
      compose(
        'packed/model',
        providers.map(([provider, prompt]) => ({ provider, usd_per_million: { prompt, completion: '0' } })),
      ).endpoints.map(({ provider }) => provider);
    expect(offers(['cheap', '1'], ['plain', '2'], ['packed', '3'], ['free', '0'])).toEqual([
      'packed',
      'plain',
      'cheap',
      'free',
    ]);
    expect(offers(['plain', '0'], ['packed', '3'])).toEqual(['packed', 'plain']);
  });

  it('have a price per token for every token class, with tiers and fees', () => {
    const usd_per_million = {
      ...PRICE,
      cache_read: '0.1',
      cache_write: '1.25',
      cache_write_1h: '2',
      reasoning: '3',
      input_audio: '4',
      output_audio: '5',
      output_image: '6',
      tiers: [
        { min_prompt_tokens: 200_001, prompt: '2', cache_write_1h: '4' },
        { utc_start: 1630, utc_end: 30, utc_days: [1], completion: '1' },
      ],
    };
    const fees = { usd_per_image: '0.01', usd_per_request: '0.005', usd_per_search: '0.02' };
    const model = compose('acme/model', [{ provider: 'plain', usd_per_million, ...fees }]);
    expect(model.endpoints[0]!.tokenPrices).toEqual({
      prompt: '0.000001',
      completion: '0.000002',
      cacheRead: '0.0000001',
      cacheWrite: '0.00000125',
      cacheWrite1h: '0.000002',
      reasoning: '0.000003',
      inputAudio: '0.000004',
      outputAudio: '0.000005',
      outputImage: '0.000006',
      inputImage: '0.01',
      request: '0.005',
      webSearch: '0.02',
      tiers: [
        { minPromptTokens: 200_001, prompt: '0.000002', cacheWrite1h: '0.000004' },
        { utcStart: 1630, utcEnd: 30, utcDays: [1], completion: '0.000001' },
      ],
    });
    expect(model.tokenPrices).toBe(model.endpoints[0]!.tokenPrices);
    expect(model.pricing).toMatchObject({ prompt: '0.000001', completion: '0.000002', request: '0.005' });
  });

  it.each<[string, object, RegExp]>([
    ['a tier without a condition', { prompt: '2' }, /lacks a condition/],
    ['a window without an end', { utc_start: 100, prompt: '2' }, /both of "utc_start" and "utc_end"/],
    ['an invalid time of day', { utc_start: 1275, utc_end: 100 }, /HHMM/],
    ['an invalid day of the week', { utc_days: [7] }, /0 \(Sunday\) to 6/],
    ['a negative price', { min_prompt_tokens: 1, prompt: '-2' }, /at least 0/],
    ['an unknown member', { min_prompt_tokens: 1, price: '2' }, /not a known member/],
  ])('are refused with %s', (_, tier, message) => {
    const entry = { id: 'a/b', endpoints: [{ provider: 'x', usd_per_million: { ...PRICE, tiers: [tier] } }] };
    expect(() => read(SHIPPED.model, entry)).toThrow(EntryFault);
    expect(() => read(SHIPPED.model, entry)).toThrow(message);
  });
});

describe('the price of a web search', () => {
  const priced = (id: string, facts: Partial<EndpointEntry> = {}): CatalogueEndpoint =>
    compose(id, [{ provider: 'openai', adapter: 'plain', usd_per_million: PRICE, ...facts }]).endpoints[0]!;

  it('is the price of the last matching rule if the entry of the endpoint names no price', () => {
    expect(priced('openai/model').tokenPrices).toMatchObject({ webSearch: '0.01' });
    expect(priced('openai/searcher-1').tokenPrices).toMatchObject({ webSearch: '0.03' });
    expect(priced('openai/model', { usd_per_search: '0.02' }).tokenPrices).toMatchObject({ webSearch: '0.02' });
    expect(priced('openai/model', { provider: 'plain' }).tokenPrices).not.toHaveProperty('webSearch');
  });
});
