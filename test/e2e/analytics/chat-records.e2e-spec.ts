import { Partitions } from '../../../src/usage/partitions.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { eventually } from '../../support/eventually.js';
import { goodCompletion } from '../../support/vendors/scripted-chat-vendor.js';
import { SetClock } from '../../support/services/test-service.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

describe('the record of a chat call', () => {
  const clock = new SetClock(new Date());
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage({ clock, env: { USAGE_RETENTION_DAYS: '1' } });
  });
  afterAll(() => stage.stop());

  const recordOf = async ({ headers }: ApiAnswer): Promise<Record<string, unknown>> =>
    (await stage.service.standard.get(`/generation?id=${headers.get('x-generation-id')}`)).json.data;
  const details = (answer?: ApiAnswer): Promise<Record<string, string>[]> =>
    stage.service.sql.query(
      `select session_id, user_agent, http_referer, title, categories, tableoid::regclass::text as partition
       from generation_detail where $1::text is null or request_id = $1`,
      [answer?.headers.get('x-request-id') ?? null],
    );

  it.each([
    ['HTTP-Referer', 'http_referer'],
    ['Referer', 'http_referer'],
    ['X-Title', 'title'],
    ['X-OpenRouter-Title', 'title'],
    ['X-OpenRouter-Categories', 'categories'],
    ['User-Agent', 'user_agent'],
  ])('has the first 256 characters of %s, and creates no usage label from them', async (header, column) => {
    for (const length of [256, 257]) {
      const answer = await stage.chat({}, { headers: { [header]: 'x'.repeat(length) } });
      expect(answer.status).toBe(200);
      expect((await details(answer)).map((row) => row[column])).toEqual(['x'.repeat(256)]);
    }
    expect(await stage.service.sql.query(`select value from usage_label where value like '%xxxxx%'`)).toEqual([]);
  });

  it('prefers X-OpenRouter-Title to X-Title, and HTTP-Referer to Referer', async () => {
    const first = { 'x-openrouter-title': 'first', 'http-referer': 'https://first.example' };
    const answer = await stage.chat(
      {},
      { headers: { ...first, 'x-title': 'second', referer: 'https://second.example' } },
    );
    expect(await details(answer)).toMatchObject([{ title: 'first', http_referer: 'https://first.example' }]);
  });

  it.each([
    ['the body', { session_id: 'of-the-body' }, 'of-the-header', 'of-the-body'],
    ['the header', {}, 'of-the-header', 'of-the-header'],
    ['neither, if only prompt_cache_key is sent', { prompt_cache_key: 'of-the-cache' }, undefined, null],
  ])('has the session id from %s', async (_, body, header, kept) => {
    const answer = await stage.chat(body, { headers: header ? { 'x-session-id': header } : {} });
    expect((await recordOf(answer)).session_id).toBe(kept);
  });

  it('is counted in analytics by token class, with reasoning tokens and the cache hit rate', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 40,
      total_tokens: 140,
      prompt_tokens_details: { cached_tokens: 25 },
      completion_tokens_details: { reasoning_tokens: 30 },
    };
    stage.teach('rules/measured', [aTextEndpoint('openai')]);
    for (let call = 0; call < 2; call++) {
      stage.vendors.openai.script({ body: { ...(goodCompletion() as object), usage } });
      expect((await stage.chat({ model: 'rules/measured' })).status).toBe(200);
    }
    const metrics = [
      'tokens_prompt',
      'tokens_completion',
      'tokens_total',
      'reasoning_tokens',
      'cached_tokens',
      'cache_hit_rate',
    ];
    const filters = [{ field: 'model', operator: 'eq', value: 'rules/measured' }];
    const hour = 3_600_000;
    const [start, end] = [-hour, hour].map((distance) => new Date(Date.now() + distance).toISOString());
    await eventually(async () => {
      const { json } = await stage.service.management.post('/analytics/query', {
        json: { metrics, filters, time_range: { start, end } },
      });
      expect(json.data.data).toEqual([
        {
          tokens_prompt: 200,
          tokens_completion: 80,
          tokens_total: 280,
          reasoning_tokens: 60,
          cached_tokens: 50,
          cache_hit_rate: 0.25,
        },
      ]);
    });
  });

  it('is in the partition of its day, which is deleted after the retention period', async () => {
    const day = clock.now();
    const answer = await stage.chat({}, { headers: { 'x-title': 'kept' } });
    const name = `generation_detail_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
    expect((await details(answer)).map(({ partition }) => partition)).toEqual([name]);
    const partitions = stage.service.app.get(Partitions, { strict: false });
    const after = async (days: number): Promise<number> => {
      clock.set(new Date(day.getTime() + days * 86_400_000));
      await partitions.dropOld();
      return (await details()).length;
    };
    expect(await after(1)).toBeGreaterThan(0);
    expect(await after(2)).toBe(0);
    await partitions.makeAhead();
    const next = new Date(day.getTime() + 9 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    expect(
      await stage.service.sql.query('select to_regclass($1) is not null as made', [`generation_detail_${next}`]),
    ).toEqual([{ made: true }]);
  });
});
