import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('GET /benchmarks', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_BENCHMARKS: 'off' } });
  });
  afterAll(() => service.stop());

  it('lists the items of both sources, each with the members of its source, if no source is chosen', async () => {
    const { status, json } = await service.standard.get('/benchmarks');
    expect(status).toBe(200);
    expect(new Set(json.data.map((item: { source: string }) => item.source))).toEqual(
      new Set(['index-source', 'arena-source']),
    );
    expect(json.data[0]).toEqual({
      source: 'index-source',
      model_permaslug: 'anthropic/claude-fable-5',
      display_name: 'Claude Fable 5',
      intelligence_index: 62.1,
      coding_index: 76.5,
      agentic_index: 56.6,
      pricing: { prompt: expect.any(String), completion: expect.any(String) },
    });
    expect(json.meta).toEqual({
      as_of: '2026-08-28T18:19:35Z',
      model_count: 7,
      version: 'v1',
      citation: null,
      source: null,
      source_url: null,
      task_type: null,
    });
  });

  it.each(['index-source', 'artificial-analysis'])('accepts source=%s, and cites the source', async (source) => {
    const { json } = await service.standard.get(`/benchmarks?source=${source}`);
    expect(json.data.map((item: { intelligence_index: number }) => item.intelligence_index)).toEqual([
      62.1, 56.3, 55, 29.9,
    ]);
    expect(json.meta).toMatchObject({
      source: 'index-source',
      source_url: 'https://artificialanalysis.ai',
      citation: expect.stringContaining('Artificial Analysis'),
      model_count: 4,
    });
  });

  it.each(['arena-source', 'design-arena'])(
    'accepts source=%s, and lists the arena of models, highest Elo first',
    async (source) => {
      const { json } = await service.standard.get(`/benchmarks?source=${source}`);
      const elos = json.data.map((item: { elo: number }) => item.elo);
      expect(elos).toEqual(elos.toSorted((a: number, b: number) => b - a));
      expect(new Set(json.data.map((item: { arena: string }) => item.arena))).toEqual(new Set(['models']));
      expect(json.data[0]).toMatchObject({
        source: 'arena-source',
        category: 'gamedev',
        elo: 1383,
        win_rate: 63.5,
        avg_generation_time_ms: null,
        tournament_stats: { first_place: null, total: null },
      });
      expect(json.meta).toMatchObject({ source: 'arena-source', source_url: 'https://www.designarena.ai' });
    },
  );

  it.each(['coding', 'intelligence', 'agentic'])('orders the index source by task_type=%s', async (task) => {
    const { json } = await service.standard.get(`/benchmarks?source=index-source&task_type=${task}`);
    const figures = json.data.map((item: Record<string, number>) => item[`${task}_index`]);
    expect(figures).toHaveLength(4);
    expect(figures).toEqual(figures.toSorted((a: number, b: number) => b - a));
    expect(json.meta.task_type).toBe(task);
  });

  it('selects the matching category of the arena source by task_type', async () => {
    const { json } = await service.standard.get('/benchmarks?source=arena-source&task_type=coding');
    expect(new Set(json.data.map((item: { category: string }) => item.category))).toEqual(new Set(['codecategories']));
    expect((await service.standard.get('/benchmarks?source=arena-source&task_type=intelligence')).json).toMatchObject({
      data: [],
      meta: { model_count: 0 },
    });
  });

  it.each([
    ['arena=agents', 'agents'],
    ['arena=models', 'models'],
  ])('accepts %s', async (query, arena) => {
    const { json } = await service.standard.get(`/benchmarks?source=arena-source&${query}`);
    expect(new Set(json.data.map((item: { arena: string }) => item.arena))).toEqual(new Set([arena]));
  });

  it('filters by category and max_results, and has no scores of the arena builders', async () => {
    const { json } = await service.standard.get(
      '/benchmarks?source=arena-source&arena=agents&category=fullstack&max_results=2',
    );
    expect(json.data.map((item: { elo: number; category: string }) => [item.category, item.elo])).toEqual([
      ['fullstack', 1503],
      ['fullstack', 1288],
    ]);
    expect(json.meta.model_count).toBe(2);
    expect((await service.standard.get('/benchmarks?source=arena-source&arena=builders')).json.data).toEqual([]);
  });

  it.each(['max_results=', 'max_results=null', 'max_results=99999999999999999999'])(
    'lists all items for ?%s',
    async (query) => {
      const [{ json: all }, { json }] = [
        await service.standard.get('/benchmarks'),
        await service.standard.get(`/benchmarks?${query}`),
      ];
      expect(json.data).toEqual(all.data);
    },
  );

  it('filters only the arena part of a response with both sources', async () => {
    const { json } = await service.standard.get('/benchmarks?category=svg');
    expect(json.data.filter((item: { source: string }) => item.source === 'index-source')).toHaveLength(4);
    expect(
      json.data.filter((item: { category?: string }) => item.category !== undefined && item.category !== 'svg'),
    ).toEqual([]);
  });

  it.each([
    ['source=openrouter', 'source'],
    ['source=', 'source'],
    ['task_type=search', 'task_type'],
    ['arena=videos', 'arena'],
    ['max_results=0', 'max_results'],
    ['max_results=-1', 'max_results'],
    ['max_results=1.5', 'max_results'],
    ['max_results=ten', 'max_results'],
    ['category=a&category=b', 'category'],
    ['source=index-source&arena=models', 'arena'],
    ['source=artificial-analysis&category=svg', 'category'],
  ])('returns 400 for %s, and names %s', async (query, name) => {
    const { status, json } = await service.standard.get(`/benchmarks?${query}`);
    expect(status).toBe(400);
    expect(json.error.message).toMatch(new RegExp(`^${name} `));
  });

  it('returns 401 without a key', async () => {
    expect((await service.as().get('/benchmarks')).status).toBe(401);
  });
});
