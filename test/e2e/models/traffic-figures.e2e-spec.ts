import { newId } from '../../../src/kernel/ids.js';
import { ModelTrafficCache } from '../../../src/usage/model-traffic-cache.js';
import { UsageLabels } from '../../../src/usage/usage-labels.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

interface Call {
  readonly model: string;
  readonly at?: string;
  readonly prompt?: number;
  readonly completion?: number;
  readonly latency?: number;
  readonly duration?: number;
  readonly finish?: string;
  readonly status?: number;
  readonly account?: number;
  readonly categories?: string;
}

describe("figures of models from this service's own traffic", () => {
  const NOW = '2026-11-20T12:00:00Z';
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ clock: new SetClock(new Date(NOW)), env: { TRAFFIC_FIGURES_INTERVAL_MS: '0' } });
  });
  afterAll(() => service.stop());

  async function record(...calls: readonly Call[]): Promise<void> {
    const labels = service.app.get(UsageLabels, { strict: false });
    for (const call of calls) {
      const model = await labels.numberOf('model', call.model);
      const provider = await labels.numberOf('provider', 'anyone');
      const finish = call.finish === undefined ? null : await labels.numberOf('finishReason', call.finish);
      const id = newId();
      const at = call.at ?? '2026-11-19T12:00:00Z';
      await service.sql.query(
        `insert into generation (id, created_at, cost, upstream_cost, account_no, workspace_no, key_no, model,
           provider, finish_reason, tokens_prompt, tokens_completion, tokens_reasoning,
           tokens_cached, characters, latency_ms, duration_ms, status, images, modality, is_byok, streamed,
           synthetic)
         values ($1, $2, 0, 0, $11, 1, 1, $3, $4, $5, $6, $7, 0, 0, 0, $8, $9, $10, 0, 3, false, false, false)`,
        [
          id,
          at,
          model,
          provider,
          finish,
          call.prompt ?? 0,
          call.completion ?? 0,
          call.latency ?? 100,
          call.duration ?? 1100,
          call.status ?? 200,
          call.account ?? 1,
        ],
      );
      if (call.categories !== undefined)
        await service.sql.query(
          `insert into generation_detail (account_no, id, created_at, cancelled, usage_estimated, categories)
           values ($4, $1, $2, false, false, $3)`,
          [id, at, call.categories, call.account ?? 1],
        );
    }
    await service.app.get(ModelTrafficCache, { strict: false }).refresh();
  }

  const ids = async (query: string): Promise<string[]> =>
    (await service.standard.get(`/models?${query}`)).json.data.map((model: { id: string }) => model.id);

  it('order the list by popularity, weekly tokens, throughput and latency, and filter by tool success', async () => {
    expect(await ids('min_tool_success_rate=0')).toEqual([]);
    const [first, second, third] = ['openai/gpt-5.4', 'anthropic/claude-opus-4-5', 'google/gemini-2.5-pro'];
    await record(
      { model: first, prompt: 10, completion: 100, latency: 100, duration: 1100, finish: 'tool_calls' },
      { model: first, prompt: 10, completion: 300, latency: 300, duration: 1300, finish: 'stop' },
      { model: first, prompt: 10, completion: 200, latency: 200, duration: 1200, finish: 'stop' },
      { model: second, prompt: 5000, completion: 900, latency: 50, duration: 1050, finish: 'tool_calls' },
      { model: second, latency: 60 },
      { model: third, latency: 10, completion: 0 },
      { model: third, at: '2026-11-12T12:00:00Z', prompt: 1_000_000 },
      { model: third, status: 502, prompt: 1_000_000 },
      { model: third, status: 502, prompt: 1_000_000 },
      { model: third, status: 502, prompt: 1_000_000 },
    );
    const figures = service.app.get(ModelTrafficCache, { strict: false }).latest;
    expect(figures.get(first)).toEqual({
      requests: 3,
      weeklyTokens: 630,
      throughput: 200,
      latency: 200,
      toolSuccessRate: 1 / 3,
      categories: [],
    });
    expect(figures.get(third)).toEqual({
      requests: 1,
      weeklyTokens: 0,
      throughput: null,
      latency: 10,
      toolSuccessRate: null,
      categories: [],
    });
    expect((await ids('sort=most-popular')).slice(0, 3)).toEqual([first, second, third]);
    expect((await ids('sort=top-weekly')).slice(0, 3)).toEqual([second, first, third]);
    expect((await ids('sort=throughput-high-to-low')).slice(0, 2)).toEqual([second, first]);
    expect((await ids('sort=latency-low-to-high')).slice(0, 3)).toEqual([third, second, first]);
    expect(await ids('min_tool_success_rate=0.5')).toEqual([second]);
    expect(await ids('max_tool_success_rate=0.5')).toEqual([first]);
  });

  it('list a model in a category only if at least three accounts name the category', async () => {
    const [agreed, disputed, old] = ['openai/gpt-5', 'openai/gpt-5-mini', 'openai/gpt-5-nano'];
    for (const account of [1, 2, 3])
      await record(
        { model: agreed, account, categories: 'cli-agent, Programming' },
        { model: disputed, account: Math.min(account, 2), categories: 'programming' },
        { model: disputed, account, status: 502, categories: 'programming' },
        { model: old, account, at: '2026-11-12T12:00:00Z', categories: 'programming' },
      );
    expect(await ids('category=programming')).toEqual([agreed]);
    expect(await ids('category=legal')).toEqual([]);
  });

  it('change the response, and its ETag, only when a figure changes', async () => {
    const tag = async (): Promise<string | null> =>
      (await service.standard.get('/models?sort=most-popular')).headers.get('etag');
    const before = await tag();
    await service.app.get(ModelTrafficCache, { strict: false }).refresh();
    expect(await tag()).toBe(before);
    await record(
      ...Array.from({ length: 9 }, () => ({ model: 'xai/grok-4.3' })),
      ...Array.from({ length: 9 }, () => ({ model: 'mistral/mistral-nemo' })),
    );
    expect(await tag()).not.toBe(before);
    expect((await ids('sort=most-popular'))[0]).not.toBe('openai/gpt-5.4');
  });
});
