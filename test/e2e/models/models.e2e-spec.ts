import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

describe('GET /models', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ clock: new SetClock(new Date('2026-11-20T12:00:00Z')) });
  });
  afterAll(() => service.stop());

  const ids = async (query: string): Promise<string[]> =>
    (await service.standard.get(`/models${query}`)).json.data.map((model: { id: string }) => model.id);

  it('lists models of text, newest first, in an object with data only', async () => {
    const { status, json } = await service.standard.get('/models');
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['data']);
    expect(json.data.length).toBeGreaterThan(200);
    const created = json.data.map((model: { created: number }) => model.created);
    expect(created).toEqual(created.toSorted((a: number, b: number) => b - a));
    for (const model of json.data) expect(model.architecture.output_modalities).toContain('text');
  });

  it('returns instruct_type, max_completion_tokens and prices that are not null in every record', async () => {
    const { json } = await service.standard.get('/models?output_modalities=all');
    for (const model of json.data) {
      expect([model.id, typeof model.architecture.instruct_type]).toEqual([model.id, 'string']);
      expect([model.id, model.top_provider.max_completion_tokens]).toEqual([model.id, expect.any(Number)]);
      for (const price of Object.values(model.pricing))
        expect([model.id, price]).toEqual([model.id, expect.stringMatching(/^\d+(\.\d+)?$/)]);
    }
    const record = async (
      id: string,
    ): Promise<{
      architecture: { instruct_type: string };
      top_provider: { context_length: number; max_completion_tokens: number };
    }> => (await service.standard.get(`/model/${id}`)).json.data;
    expect((await record('builtin/poster')).architecture.instruct_type).toBe('none');
    expect((await record('builtin/poster')).top_provider).toMatchObject({
      context_length: 0,
      max_completion_tokens: 0,
    });
  });

  it('offers no model with an unknown price, neither in lists nor by its id', async () => {
    const unpriced = ['sakana/fugu', 'google/gemma-4-E2B-it'];
    expect((await ids('?output_modalities=all')).filter((id) => unpriced.includes(id))).toEqual([]);
    for (const id of unpriced) {
      for (const path of [`/models/${id}/endpoints`, `/model/${id}`])
        expect([path, (await service.standard.get(path)).status]).toEqual([path, 404]);
    }
    expect((await service.standard.get('/models?use_rss=1&output_modalities=all')).text).not.toContain(
      'models/sakana/fugu/endpoints',
    );
  });

  it('lists every model of the catalogue with output_modalities=all, including the built-in ones', async () => {
    const all = await ids('?output_modalities=all');
    expect(all).toEqual(expect.arrayContaining(['builtin/flite', 'builtin/poster']));
    expect(all.length).toBeGreaterThanOrEqual(233);
    expect((await service.standard.get('/models/count?output_modalities=all')).json).toEqual({
      data: { count: all.length },
    });
    expect((await service.standard.get('/models/count')).json.data.count).toBe((await ids('')).length);
  });

  it('combines filters, and sorts by the value of sort', async () => {
    const { json } = await service.standard.get(
      '/models?supported_parameters=tools,reasoning&max_price=1&context=200000&sort=pricing-low-to-high',
    );
    expect(json.data.length).toBeGreaterThan(3);
    const prices = json.data.map((model: { pricing: { prompt: string } }) => Number(model.pricing.prompt));
    expect(prices).toEqual(prices.toSorted((a: number, b: number) => a - b));
    for (const model of json.data) {
      expect(Number(model.pricing.prompt)).toBeLessThanOrEqual(1e-6);
      expect(model.context_length).toBeGreaterThanOrEqual(200_000);
      expect(model.supported_parameters).toEqual(expect.arrayContaining(['tools', 'reasoning']));
    }
  });

  it('returns a part of the list for offset and limit, and the URL of the next part', async () => {
    const whole = await ids('?q=gpt');
    const { json } = await service.standard.get('/models?q=gpt&offset=2&limit=3');
    expect(json.data.map((model: { id: string }) => model.id)).toEqual(whole.slice(2, 5));
    expect(json.total_count).toBe(whole.length);
    const next = await service.standard.get(json.links.next.replace('/api/v1', ''));
    expect(next.json.data.map((model: { id: string }) => model.id)).toEqual(whole.slice(5, 8));
    expect((await service.standard.get(`/models?q=gpt&offset=${whole.length - 1}&limit=3`)).json.links.next).toBeNull();
    const one = (await service.standard.get('/models?offset=null&limit=1')).json;
    expect([one.data.length, Object.keys(one)]).toEqual([1, ['data', 'total_count', 'links']]);
    const beyond = await service.standard.get('/models?offset=99999999999999999999');
    expect([beyond.status, beyond.json.data]).toEqual([200, []]);
  });

  it('returns a 400 that names the parameter, in the common envelope', async () => {
    const { status, json } = await service.standard.get('/models?sort=best');
    expect(status).toBe(400);
    expect(json.error).toEqual({
      code: 400,
      message: expect.stringMatching(/^sort must be one of most-popular, newest/),
    });
  });

  it('returns 401 without a key, even if the request has the ETag', async () => {
    const { headers } = await service.standard.get('/models');
    expect((await service.as().get('/models', { headers: { 'if-none-match': headers.get('etag')! } })).status).toBe(
      401,
    );
  });

  it('returns 304 for the ETag of the current list, and compresses responses', async () => {
    const first = await service.standard.get('/models', { headers: { 'accept-encoding': 'identity' } });
    const again = await service.standard.get('/models', { headers: { 'if-none-match': first.headers.get('etag')! } });
    expect([again.status, again.text]).toEqual([304, '']);
    const compressed = await service.standard.get('/models', { headers: { 'accept-encoding': 'br' } });
    expect(compressed.headers.get('content-encoding')).toBe('br');
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(first.bytes.length / 3);
    expect(compressed.text).toBe(first.text);
  });

  it('returns an RSS feed for use_rss, with links to chats for use_rss_chat_links', async () => {
    const feed = await service.standard.get('/models?use_rss=1&output_modalities=all&q=flite');
    expect(feed.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
    expect(feed.text).toContain(`<link>${service.origin}/api/v1/models/builtin/flite/endpoints</link>`);
    const chats = await service.standard.get('/models?use_rss=1&use_rss_chat_links=1&output_modalities=all&q=flite');
    expect(chats.text).toContain(`<link>${service.origin}/chat?models=builtin%2Fflite</link>`);
    expect((await service.standard.get('/models?use_rss=false')).headers.get('content-type')).toMatch(
      'application/json',
    );
  });

  it('filters by the age of models at the current time', async () => {
    expect(await ids('?output_modalities=all&max_age_days=0')).toEqual(expect.arrayContaining(['builtin/flite']));
    expect(await ids('?output_modalities=all&min_age_days=1&q=builtin')).toEqual([]);
  });

  it('shows the endpoints of a model with their prices, and returns 404 for an unknown model', async () => {
    const { json } = await service.standard.get('/models/anthropic/claude-sonnet-4-5/endpoints');
    expect(json.data.endpoints[0]).toMatchObject({
      provider_name: 'Anthropic',
      tag: 'anthropic',
      pricing: { prompt: '0.000003', completion: '0.000015' },
    });
    expect(json.data.endpoints.length).toBeGreaterThan(3);
    expect((await service.standard.get('/models/nobody/nothing/endpoints')).status).toBe(404);
  });

  it.each(['openai/gpt-image-1', 'openai/gpt-4o-mini-tts', 'openai/tts-1', 'builtin/poster', 'openai/gpt-5.4'])(
    'shows the first endpoint of %s at the price of the model',
    async (id) => {
      const model = (await service.standard.get(`/model/${id}`)).json.data;
      const [first] = (await service.standard.get(`/models/${id}/endpoints`)).json.data.endpoints;
      expect([first.pricing.prompt, first.pricing.completion, first.pricing.image ?? '0']).toEqual([
        model.pricing.prompt,
        model.pricing.completion,
        model.pricing.image,
      ]);
    },
  );

  it('shows a single model with the same record as in the list', async () => {
    const { json } = await service.standard.get('/model/builtin/poster');
    const list = await service.standard.get('/models?output_modalities=image&q=poster');
    expect(json.data).toEqual(list.json.data[0]);
    expect((await service.standard.get('/model/builtin/nothing')).status).toBe(404);
  });
});
