import { readdirSync, readFileSync } from 'node:fs';
import { Catalogue } from '../catalogue.js';
import { composeCatalogue } from '../entries/compose-catalogue.js';
import { formatModels, formatProviders } from '../../../test/support/catalogue/data-form.js';
import type { ModelEntry, ProviderEntry } from '../entries/entry.js';
import { shippedData } from './shipped.js';

const FOLDER = new URL('./', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');
const files = ['models', 'own'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, FOLDER)).map((name) => `${folder}/${name}`),
);

describe('The shipped catalogue', () => {
  const catalogue = new Catalogue();

  it.each(files)('%s is sorted and formatted for readable diffs', (name) => {
    expect(read(name)).toBe(formatModels(JSON.parse(read(name)) as ModelEntry[]));
  });

  it.each(['providers.json', 'own-providers.json'])('%s is sorted and has one provider per line', (name) => {
    expect(read(name)).toBe(formatProviders(JSON.parse(read(name)) as ProviderEntry[]));
  });

  it.each(readdirSync(new URL('models/', FOLDER)))(
    'models/%s contains only models of the author in the name of the file',
    (name) => {
      const ids = (JSON.parse(read(`models/${name}`)) as ModelEntry[]).map((model) => model.id);
      expect(ids.filter((id) => !id.startsWith(`${name.replace('.json', '')}/`))).toEqual([]);
    },
  );

  it('has 231 models and 147 providers from the imported facts, and the built-in models', () => {
    const facts = readdirSync(new URL('models/', FOLDER)).flatMap(
      (name) => JSON.parse(read(`models/${name}`)) as ModelEntry[],
    );
    expect(facts).toHaveLength(231);
    expect(JSON.parse(read('providers.json'))).toHaveLength(147);
    expect(catalogue.find('builtin/flite')?.endpoints[0]).toMatchObject({
      adapter: 'builtin-flite',
      capability: 'speech',
      needsCredential: false,
      pricing: [{ billable: 'input_text', unit: 'character', costUsd: '0.000001' }],
    });
    expect(catalogue.find('builtin/poster')?.pricing).toEqual({
      prompt: '0',
      completion: '0',
      image: '0.0001',
      request: '0',
    });
  });

  it('has categories, distillation, retention and regions only if a page or the code states them', () => {
    const byHand = readdirSync(new URL('own/', FOLDER)).flatMap(
      (name) => JSON.parse(read(`own/${name}`)) as ModelEntry[],
    );
    const told = byHand.filter((model) => model.distillable !== undefined || model.categories !== undefined);
    expect(told.map((model) => [model.id, model.source, model.read].every(Boolean))).toEqual(told.map(() => true));
    const retained = byHand.flatMap((model) =>
      (model.endpoints ?? []).filter((endpoint) => endpoint.zdr !== undefined || endpoint.regions !== undefined),
    );
    expect(retained.filter((endpoint) => endpoint.provider !== 'builtin' && !endpoint.source)).toEqual([]);
    expect(catalogue.find('deepseek/deepseek-r1')?.distillable).toBe(true);
  });

  it('gives adapters to text endpoints by the rules of their providers', () => {
    const { adapters } = shippedData().rules.text;
    expect(new Set(adapters.map(({ provider }) => provider)).size).toBe(adapters.length);
    const known = new Set(catalogue.providers().map(({ slug }) => slug));
    expect(adapters.filter(({ provider }) => !known.has(provider))).toEqual([]);
    const endpoint = (id: string, provider: string): unknown =>
      catalogue.find(id)!.endpoints.find((candidate) => candidate.provider === provider);
    expect(endpoint('openai/gpt-5.4', 'openai')).toMatchObject({ adapter: 'openai-compatible', capability: 'chat' });
    expect(endpoint('anthropic/claude-sonnet-4-5', 'anthropic')).toMatchObject({
      adapter: 'ai-sdk',
      package: '@ai-sdk/anthropic',
      textLimits: { frameTokens: 1000, cachesByItself: false, contextLength: 200_000 },
    });
    // The vendor serves these models only by /responses.
    for (const id of ['openai/o1-pro', 'openai/gpt-5-codex'])
      expect(endpoint(id, 'openai')).toMatchObject({ adapter: 'openai-compatible', capability: 'chat' });
    // This model runs the vendor's tools, which have prices of their own.
    expect(endpoint('openai/o3-deep-research', 'openai')).toMatchObject({ adapter: null });
    const local = adapters.filter((rule) => rule.local).map(({ provider }) => provider);
    expect(local).toEqual(['llama.cpp', 'lmstudio', 'ollama', 'sglang', 'vllm'].toSorted());
    const callable = catalogue.all().flatMap((model) => model.endpoints.filter(({ adapter }) => adapter !== null));
    expect(callable.filter(({ provider }) => local.includes(provider))).toEqual([]);
  });

  it('has a source, a note or a provider for every limit of text', () => {
    const { limits } = shippedData().rules.text;
    expect(limits.filter(({ source, read: day, note, provider }) => !(source && day) && !note && !provider)).toEqual(
      [],
    );
  });

  it('states the price of long prompts by tiers', () => {
    const tiered = catalogue.all().flatMap((model) => model.endpoints.filter(({ tokenPrices }) => tokenPrices?.tiers));
    expect(tiered.length).toBeGreaterThan(150);
    const google = catalogue.find('google/gemini-2.5-pro')!.endpoints.find(({ provider }) => provider === 'google');
    expect(google!.tokenPrices).toMatchObject({
      prompt: '0.00000125',
      completion: '0.00001',
      tiers: [{ minPromptTokens: 200_001, prompt: '0.0000025', completion: '0.000015' }],
    });
  });

  it.each([
    ['openai/text-embedding-3-small', 'openai', '0.00000002', ['embeddings']],
    ['openai/text-embedding-3-large', 'openai', '0.00000013', ['embeddings']],
    ['google/gemini-embedding-001', 'google', '0.00000015', ['embeddings']],
    ['builtin/lexical-embedding', 'builtin', '0', ['embeddings', 'rerank']],
  ])('lists %s as a model of embeddings', (id, provider, prompt, outputModalities) => {
    const model = catalogue.find(id)!;
    expect(model).toMatchObject({ outputModalities, pricing: { prompt, completion: '0' } });
    expect(model.endpoints[0]).toMatchObject({ provider, capability: 'embeddings', adapter: expect.any(String) });
  });

  it('states that the built-in models of text are not language models', () => {
    for (const id of ['builtin/eliza', 'builtin/lexical-embedding']) {
      const model = catalogue.find(id)!;
      expect(model.description).toContain('no language model');
      expect(model.endpoints[0]).toMatchObject({ needsCredential: false, tokenPrices: { prompt: '0' } });
    }
    expect(catalogue.find('builtin/eliza')!.supportedParameters).toEqual(
      expect.arrayContaining(['max_tokens', 'response_format', 'stop', 'tool_choice', 'tools']),
    );
  });

  it('states the exact price of one token, computed from the price per million', () => {
    expect(catalogue.find('openai/gpt-5.4')?.pricing).toMatchObject({ prompt: '0.0000025', completion: '0.000015' });
  });

  it('offers no model and no endpoint with an unknown price', () => {
    const { layers, rules } = shippedData();
    const unpriced = composeCatalogue(layers, rules).models.filter(({ pricing }) => pricing.prompt === '-1');
    expect(unpriced.length).toBeGreaterThan(0);
    expect(unpriced.filter(({ id }) => catalogue.find(id))).toEqual([]);
    for (const { pricing } of catalogue.all())
      for (const price of Object.values(pricing)) expect(price).toMatch(/^\d+(\.\d+)?$/);
    expect(
      catalogue
        .all()
        .flatMap((model) => model.endpoints)
        .filter((endpoint) => endpoint.pricing.length === 0),
    ).toEqual([]);
  });

  it('gives a price to every endpoint that has an adapter', () => {
    const adapted = catalogue
      .all()
      .flatMap((model) => model.endpoints)
      .filter((endpoint) => endpoint.adapter !== null);
    expect(adapted.filter((endpoint) => endpoint.pricing.length === 0)).toEqual([]);
  });

  it('names the page and the day for every price that was added by hand', () => {
    const byHand = readdirSync(new URL('own/', FOLDER)).flatMap(
      (name) => JSON.parse(read(`own/${name}`)) as ModelEntry[],
    );
    const unsourced = byHand.flatMap((model) =>
      (model.endpoints ?? [])
        .filter(
          (endpoint) => endpoint.provider !== 'builtin' && endpoint.pricing && !(endpoint.source && endpoint.read),
        )
        .map((endpoint) => `${model.id} at ${endpoint.provider}`),
    );
    expect(unsourced).toEqual([]);
  });

  it.each([
    ['openai/whisper-1', 'openai', 'input_audio', 'second', '0.0001'],
    ['openai/gpt-4o-transcribe', 'openai', 'input_audio', 'token', '0.000006'],
    ['openai/gpt-4o-mini-transcribe', 'openai', 'input_audio', 'token', '0.000003'],
    ['openai/whisper-large-v3', 'groq', 'input_audio', 'second', '0.00003083333333333333334'],
    ['openai/whisper-large-v3-turbo', 'groq', 'input_audio', 'second', '0.00001111111111111111112'],
    ['cohere/rerank-v3.5', 'cohere', 'input_text', 'search_unit', '0.002'],
    ['cohere/rerank-v4-fast', 'cohere', 'input_text', 'search_unit', '0.002'],
    ['cohere/rerank-v4-pro', 'cohere', 'input_text', 'search_unit', '0.0025'],
  ])('has a price for %s at the provider %s: %s per %s', (id, provider, billable, unit, costUsd) => {
    const { endpoints, outputModalities } = catalogue.find(id)!;
    const capability = billable === 'input_audio' ? 'transcription' : 'rerank';
    expect(outputModalities).toEqual([capability]);
    expect(endpoints[0]).toMatchObject({ provider, capability, adapter: expect.any(String) });
    expect(endpoints[0]!.pricing).toContainEqual({ billable, unit, costUsd });
  });
});
