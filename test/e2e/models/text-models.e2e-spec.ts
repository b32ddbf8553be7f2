import { MAX_OUTPUT_TOKENS, MAX_TOKEN_IDS } from '@gatehouse/builtin-models';
import { Catalogue } from '../../../src/catalogue/catalogue.js';
import { CatalogueImports } from '../../../src/catalogue/catalogue-imports.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('the models of text', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const pricingOf = async (id: string): Promise<unknown> =>
    (await service.standard.get(`/model/${id}`)).json.data.pricing;

  it('have cache prices, and their endpoints also have price tiers', async () => {
    const pricing = { prompt: '0.00000125', completion: '0.00001', input_cache_read: '0.000000125' };
    const overrides = [
      { min_prompt_tokens: 200_001, prompt: '0.0000025', completion: '0.000015', input_cache_read: '0.00000025' },
    ];
    const model = await pricingOf('google/gemini-2.5-pro');
    expect(model).toMatchObject({ ...pricing, image: '0', request: '0' });
    const { endpoints } = (await service.standard.get('/models/google/gemini-2.5-pro/endpoints')).json.data;
    expect(endpoints[0]).toMatchObject({ tag: 'google', pricing: { ...pricing, overrides } });
    for (const { tag } of endpoints) expect(tag).toMatch(/^[a-z0-9]/);
  });

  it('have only strings in pricing: price tiers are part of the endpoints', async () => {
    const records = [
      ...(await service.standard.get('/models?output_modalities=all')).json.data,
      ...(await service.standard.get('/models?limit=5&q=gemini-2.5-pro')).json.data,
      ...(await service.standard.get('/models/user')).json.data,
      ...(await service.standard.get('/embeddings/models')).json.data,
      (await service.standard.get('/models/google/gemini-2.5-pro')).json,
      (await service.standard.get('/models/google%2Fgemini-2.5-pro')).json,
      (await service.standard.get('/model/google/gemini-2.5-pro')).json.data,
    ];
    for (const { id, pricing } of records)
      for (const [name, price] of Object.entries(pricing))
        expect([id, name, price]).toEqual([id, name, expect.stringMatching(/^\d+(\.\d+)?$/)]);
  });

  it('have the price tiers of an import in both import formats', async () => {
    const imports = service.app.get(CatalogueImports, { strict: false });
    const listed = {
      id: 'acme/tiered',
      name: 'Tiered',
      created: 1_790_000_000,
      architecture: { input_modalities: ['text'], output_modalities: ['text'] },
      pricing: {
        prompt: '1e-6',
        completion: '0.000002',
        input_cache_read: '0.0000001',
        web_search: null,
        discount: 0.1,
        overrides: [
          { min_prompt_tokens: 1000, prompt: '3e-6', unknown: '1' },
          { utc_start: 1630, utc_end: 30, completion: '0.000001' },
        ],
      },
    };
    await imports.import(JSON.stringify({ data: [listed] }));
    await imports.import(
      JSON.stringify({
        models: {
          'acme/dev': { name: 'Dev', release_date: '2026-09', modalities: { input: ['text'], output: ['text'] } },
          'acme/text-embedding-9': {
            name: 'Embedding',
            release_date: '2026-09',
            modalities: { input: ['text'], output: ['text'] },
          },
        },
        providers: {
          acme: {
            models: {
              dev: { cost: { input: 1, output: 2, tiers: [{ input: 4, output: 5, tier: { size: 99 } }] } },
              'text-embedding-9': { cost: { input: 1, output: 0 } },
            },
          },
        },
      }),
    );
    await eventually(async () => expect((await service.standard.get('/model/acme/dev')).status).toBe(200));
    expect(await pricingOf('acme/tiered')).toEqual({
      prompt: '0.000001',
      completion: '0.000002',
      image: '0',
      request: '0',
      input_cache_read: '0.0000001',
    });
    const { tokenPrices } = service.app.get(Catalogue, { strict: false }).find('acme/tiered')!;
    expect(tokenPrices!.tiers).toEqual([
      { minPromptTokens: 1000, prompt: '0.000003' },
      { utcStart: 1630, utcEnd: 30, completion: '0.000001' },
    ]);
    const { endpoints } = (await service.standard.get('/models/acme/dev/endpoints')).json.data;
    expect(endpoints[0].pricing).toMatchObject({
      overrides: [{ min_prompt_tokens: 100, prompt: '0.000004', completion: '0.000005' }],
    });
    const { json } = await service.standard.get('/embeddings/models');
    expect(json.data.map(({ id }: { id: string }) => id)).toContain('acme/text-embedding-9');
  });

  it.each([
    ['cost.tiers without a size', { input: 1, output: 2, tiers: [{ input: 1, output: 1, tier: {} }] }],
    ['a tier below zero', { input: 1, output: 2, tiers: [{ input: -1, output: 1, tier: { size: 1 } }] }],
  ])('are not imported with %s', async (_, cost) => {
    const imports = service.app.get(CatalogueImports, { strict: false });
    const file = { acme: { models: { 'gpt-5.4': { cost } } } };
    await expect(imports.import(JSON.stringify(file, null, 1))).rejects.toThrow(/^Line \d+: /);
  });

  it('are not in GET /embeddings/models, which lists models of embeddings in the form of GET /models', async () => {
    const { json } = await service.standard.get('/embeddings/models');
    const ids = json.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        'builtin/lexical-embedding',
        'google/gemini-embedding-001',
        'openai/text-embedding-3-large',
        'openai/text-embedding-3-small',
      ]),
    );
    expect(json.total_count).toBe(ids.length);
    expect(json.data).toEqual((await service.standard.get('/models?output_modalities=embeddings')).json.data);
    const texts = (await service.standard.get('/models')).json.data.map(({ id }: { id: string }) => id);
    expect(texts.filter((id: string) => ids.includes(id))).toEqual([]);
    const part = await service.standard.get('/embeddings/models?limit=1&offset=1');
    expect([part.json.data, part.json.total_count]).toEqual([[json.data[1]], ids.length]);
    expect((await service.standard.get('/embeddings/models?limit=0')).status).toBe(400);
  });

  it('GET /embeddings/models links the next page with the query of the request, not of an earlier one', async () => {
    const nextOf = async (query: string): Promise<string> =>
      (await service.standard.get(`/embeddings/models?${query}`)).json.links.next;
    expect([await nextOf('limit=1&note=first'), await nextOf('limit=1&note=second')]).toEqual([
      '/api/v1/embeddings/models?limit=1&note=first&offset=1',
      '/api/v1/embeddings/models?limit=1&note=second&offset=1',
    ]);
  });

  it.each([
    {
      id: 'builtin/eliza',
      limits: { context_length: 131_072, top_provider: { max_completion_tokens: MAX_OUTPUT_TOKENS } },
      parameters: ['max_tokens', 'response_format', 'stop', 'structured_outputs', 'tools'],
    },
    {
      id: 'builtin/lexical-embedding',
      limits: { context_length: MAX_TOKEN_IDS },
      parameters: ['dimensions'],
    },
  ])(
    'include $id, with the limits of its implementation, at price 0, described as no language model',
    async ({ id, limits, parameters }) => {
      const { data } = (await service.standard.get(`/model/${id}`)).json;
      expect(data).toMatchObject({
        ...limits,
        description: expect.stringContaining('It is no language model'),
        supported_parameters: expect.arrayContaining(parameters),
        pricing: { prompt: '0', completion: '0' },
      });
    },
  );
});
