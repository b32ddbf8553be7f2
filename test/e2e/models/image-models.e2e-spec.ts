import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('the API of image models and providers', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('returns the specified record of an image model: its endpoints with prices as numbers', async () => {
    const { status, json } = await service.standard.get('/images/models/builtin/poster/endpoints');
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['id', 'endpoints']);
    expect(json.id).toBe('builtin/poster');
    expect(json.endpoints).toHaveLength(1);
    const [endpoint] = json.endpoints;
    expect(Object.keys(endpoint).toSorted()).toEqual([
      'allowed_passthrough_parameters',
      'pricing',
      'provider_name',
      'provider_slug',
      'provider_tag',
      'supported_parameters',
      'supports_streaming',
    ]);
    expect(endpoint).toMatchObject({
      provider_name: 'Gatehouse built-in',
      provider_slug: 'builtin',
      provider_tag: 'builtin',
      supports_streaming: true,
      allowed_passthrough_parameters: [],
    });
    expect(endpoint.pricing).toEqual([{ billable: 'output_image', cost_usd: 0.0001, unit: 'image' }]);
    expect(endpoint.supported_parameters).toMatchObject({
      output_format: { type: 'enum', values: ['png', 'jpeg', 'webp', 'svg'] },
      n: { type: 'range', min: 1, max: 10, values: [1, 10] },
      seed: { type: 'boolean', values: [true, false] },
    });
  });

  it.each([
    '/images/models/nobody/nothing/endpoints',
    '/images/models/builtin/flite/endpoints',
    '/images/models/openai/gpt-5.4/endpoints',
  ])('returns 404 for %s, which names no image model', async (path) => {
    const { status, json } = await service.standard.get(path);
    expect([status, json.error.code]).toEqual([404, 404]);
  });

  it('lists exactly the models with image output', async () => {
    const { json } = await service.standard.get('/images/models');
    const models = await service.standard.get('/models?output_modalities=image');
    expect(json.data.map((model: { id: string }) => model.id)).toEqual(
      models.json.data.map((model: { id: string }) => model.id),
    );
    for (const model of json.data)
      expect((await service.standard.get(model.endpoints.replace('/api/v1', ''))).status).toBe(200);
  });

  it('gives every supported parameter a type and values, in the list and for each endpoint', async () => {
    const { json } = await service.standard.get('/images/models');
    const rules = json.data.map((model: { supported_parameters: object }) => model.supported_parameters);
    for (const model of json.data) {
      const { endpoints } = (await service.standard.get(model.endpoints.replace('/api/v1', ''))).json;
      expect(endpoints.length).toBeGreaterThan(0);
      rules.push(...endpoints.map((endpoint: { supported_parameters: object }) => endpoint.supported_parameters));
    }
    const seen = new Set<string>();
    for (const rule of rules.flatMap((each: object) => Object.values(each))) {
      seen.add(rule.type);
      if (rule.type === 'enum') expect(rule.values.length).toBeGreaterThan(0);
      else expect(rule.values).toEqual(rule.type === 'range' ? [rule.min, rule.max] : [true, false]);
    }
    expect([...seen].toSorted()).toEqual(['boolean', 'enum', 'range']);
  });

  it('lists the providers of the catalogue, sorted by slug', async () => {
    const { json } = await service.standard.get('/providers');
    const slugs = json.data.map((provider: { slug: string }) => provider.slug);
    expect(slugs.length).toBeGreaterThanOrEqual(148);
    expect(slugs).toEqual(slugs.toSorted());
    expect(json.data.find((provider: { slug: string }) => provider.slug === 'openai')).toEqual({
      name: 'OpenAI',
      slug: 'openai',
      privacy_policy_url: null,
      terms_of_service_url: null,
      status_page_url: null,
      headquarters: null,
      datacenters: null,
    });
  });

  it('returns 304 for known ETags of the lists', async () => {
    for (const path of ['/images/models', '/images/models/builtin/poster/endpoints', '/providers']) {
      const { headers } = await service.standard.get(path);
      expect((await service.standard.get(path, { headers: { 'if-none-match': headers.get('etag')! } })).status).toBe(
        304,
      );
    }
  });
});
