import { OpenRouter } from '@openrouter/sdk';
import { anImageEndpoint, teach } from '../../../support/catalogue/test-catalogue.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../../support/services/test-service.js';

const inOrder = (a: string, b: string): number => (a < b ? -1 : 1);
const SORTS_OF_SDK = [
  'most-popular',
  'newest',
  'top-weekly',
  'pricing-low-to-high',
  'pricing-high-to-low',
  'context-high-to-low',
  'throughput-high-to-low',
  'latency-low-to-high',
  'intelligence-high-to-low',
  'coding-high-to-low',
  'agentic-high-to-low',
  'design-arena-elo-high-to-low',
] as const;

describe('the published SDK under WIRE_DIALECT=openrouter', () => {
  let service: TestService;
  let client: OpenRouter;
  beforeAll(async () => {
    service = await startTestService({ env: { WIRE_DIALECT: 'openrouter', RATE_LIMIT_BENCHMARKS: 'off' } });
    client = new OpenRouter({ apiKey: TEST_API_KEY, serverURL: `${service.origin}/api/v1` });
  });
  afterAll(() => service.stop());

  it('parses the model list, page by page to its end', async () => {
    const found: string[] = [];
    for await (const page of await client.models.list({ outputModalities: 'all', limit: 100 })) {
      expect(page.result.totalCount).toBeGreaterThan(200);
      found.push(...page.result.data.map((model) => model.id));
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBe((await client.models.count({ outputModalities: 'all' })).data.count);
  });

  it('parses a filtered and sorted list', async () => {
    const page = await client.models.list({
      sort: 'design-arena-elo-high-to-low',
      supportedParameters: 'tools',
      maxPrice: 20,
      limit: 3,
    });
    expect(page.result.data.map((model) => model.id)[0]).toBe('anthropic/claude-opus-4-7');
  });

  it('parses the price tiers of a model in the list and in its record', async () => {
    const override = { minPromptTokens: 200_001, prompt: '0.0000025', completion: '0.000015' };
    const page = await client.models.list({ q: 'google/gemini-2.5-pro' });
    const listed = page.result.data.find(({ id }) => id === 'google/gemini-2.5-pro')!;
    expect(listed.pricing.overrides).toEqual([expect.objectContaining(override)]);
    const { data } = await client.models.get({ author: 'google', slug: 'gemini-2.5-pro' });
    expect(data.pricing).toEqual(listed.pricing);
  });

  it('parses the endpoints of every model, and the record of one model', async () => {
    const { json } = await service.standard.get('/models?output_modalities=all');
    const parsed = await Promise.all(
      json.data.map(async ({ id }: { id: string }) => {
        const [author, slug] = id.split('/') as [string, string];
        const answer = await client.endpoints.list({ author, slug });
        return answer.data.id;
      }),
    );
    expect(parsed).toEqual(json.data.map(({ id }: { id: string }) => id));
    expect((await client.models.get({ author: 'builtin', slug: 'poster' })).data.name).toBe('Built-in: Poster');
  });

  it("parses the caller's own list of models, page by page", async () => {
    const found: string[] = [];
    for await (const page of await client.models.listForUser(
      { bearer: TEST_API_KEY },
      { outputModalities: 'all', limit: 1 },
    ))
      found.push(...page.result.data.map((model) => model.id));
    // Only the models that need no credential, because this service has none.
    expect(found).toEqual(['builtin/eliza', 'builtin/lexical-embedding', 'builtin/flite', 'builtin/poster']);
  });

  it('parses the endpoints of zero data retention', async () => {
    // Built-in models retain no data.
    expect((await client.endpoints.listZdrEndpoints()).data.map(({ modelId }) => modelId).toSorted(inOrder)).toEqual([
      'builtin/eliza',
      'builtin/flite',
      // One endpoint for embeddings and one for rerank.
      'builtin/lexical-embedding',
      'builtin/lexical-embedding',
      'builtin/poster',
    ]);
    teach(service, {
      'zdr/model': [
        anImageEndpoint('openai', { zeroDataRetention: true }),
        anImageEndpoint('groq', { zeroDataRetention: false }),
        anImageEndpoint('azure'),
      ],
    });
    expect(
      (await client.endpoints.listZdrEndpoints()).data
        .filter(({ modelId }) => modelId === 'zdr/model')
        .map(({ tag }) => tag),
    ).toEqual(['openai']);
  });

  it.each([...SORTS_OF_SDK])('parses the list sorted by %s', async (sort) => {
    const page = await client.models.list({ sort, outputModalities: 'all' });
    expect(page.result.data.length).toBeGreaterThan(200);
  });

  it('parses the providers', async () => {
    expect((await client.providers.list()).data.map((provider) => provider.slug)).toContain('builtin');
  });

  it('parses the benchmarks of each source and of all sources', async () => {
    const index = await client.benchmarks.getBenchmarks({ source: 'artificial-analysis', taskType: 'coding' });
    expect(index.meta.source).toBe('artificial-analysis');
    expect(index.data.length).toBeGreaterThan(0);
    const arena = await client.benchmarks.getBenchmarks({ source: 'design-arena', arena: 'agents', maxResults: 5 });
    expect(arena.data).toHaveLength(5);
    expect((await client.benchmarks.getBenchmarks({})).data.length).toBeGreaterThan(arena.data.length);
  });

  it('parses image models and their endpoints', async () => {
    const models = await client.images.listModels();
    expect(models.data.map((model) => model.id)).toContain('builtin/poster');
    const endpoints = await client.images.listModelEndpoints({ author: 'builtin', slug: 'poster' });
    expect(endpoints.endpoints[0]?.providerSlug).toBe('builtin');
  });
});
