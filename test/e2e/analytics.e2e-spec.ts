import { addAccounts } from '../support/analytics/sample-accounts.js';
import { sampleCalls, SAMPLE_NOW, writeCalls } from '../support/analytics/usage-sample.js';
import { SetClock, startTestService, type TestService } from '../support/test-service.js';

const SPEECH = { model: 'builtin/flite', input: 'Twelve words.', voice: 'slt' };
const DAY_MS = 86_400_000;

describe('analytics', () => {
  let service: TestService;
  const clock = new SetClock(SAMPLE_NOW);

  beforeAll(async () => {
    service = await startTestService({ clock, env: { ANALYTICS_TIMEOUT_MS: '10000', RATE_LIMIT_ANALYTICS: 'off' } });
    for (const index of [1, 2, 3]) {
      const answer = await service.standard.post('/audio/speech', { json: SPEECH });
      expect([index, answer.status]).toEqual([index, 200]);
    }
    // The calls of others, which no answer may count.
    await writeCalls(service.sql, sampleCalls(await addAccounts(service.sql), 500, 3).calls);
    clock.set(new Date(SAMPLE_NOW.getTime() + 1_000));
    // The columnar store catches up in a process of its own; a loaded machine takes its time to start one.
    for (
      const until = performance.now() + 60_000;
      (await query({ metrics: ['request_count'] })).warnings !== undefined && performance.now() < until;
    )
      await new Promise((next) => setTimeout(next, 200));
  }, 90_000);
  afterAll(() => service.stop());

  // oxlint-disable-next-line typescript/no-explicit-any
  const query = async (json: object): Promise<any> => {
    const answer = await service.management.post('/analytics/query', { json });
    expect([answer.status, answer.json?.error?.message]).toEqual([200, undefined]);
    const { warnings, ...data } = answer.json.data;
    // A store that a busy machine has not started yet says so; that is proved where it is followed.
    const own = (warnings ?? []).filter((warning: string) => !warning.startsWith('The analytics store'));
    return own.length > 0 ? { ...data, warnings: own } : data;
  };

  const at = (days: number): string => new Date(SAMPLE_NOW.getTime() - days * DAY_MS).toISOString();

  describe('POST /analytics/query', () => {
    it("counts the account's own calls of the last 7 days in one row where nothing is grouped", async () => {
      const { data, metadata, warnings } = await query({
        metrics: ['request_count', 'characters_synthesized', 'error_count'],
      });
      expect(data).toEqual([{ request_count: 3, characters_synthesized: 3 * SPEECH.input.length, error_count: 0 }]);
      expect(metadata).toEqual({ query_time_ms: expect.any(Number), row_count: 1, truncated: false });
      expect(warnings).toBeUndefined();
    });

    it('keys a time bucket date__<granularity> with its ISO 8601 start and each group by its dimension', async () => {
      const { data } = await query({
        metrics: ['request_count'],
        dimensions: ['model', 'modality'],
        granularity: 'day',
      });
      expect(data).toEqual([
        { date__day: '2026-11-20T00:00:00.000Z', model: SPEECH.model, modality: 'speech', request_count: 3 },
      ]);
    });

    it('names a key by its hash, a member and a workspace by their ids, and answers null where a call has none', async () => {
      const { data: keys } = await query({ metrics: ['request_count'], dimensions: ['api_key_id', 'workspace'] });
      expect(keys).toEqual([
        {
          api_key_id: expect.stringMatching(/^[0-9a-f]{64}$/),
          workspace: expect.stringMatching(/^[0-9a-f-]{36}$/),
          request_count: 3,
        },
      ]);
      const record = await service.management.get(`/keys/${keys[0].api_key_id}`);
      const { data: users } = await query({ metrics: ['request_count'], dimensions: ['user', 'country'] });
      expect(users).toEqual([{ user: record.json.data.creator_user_id, country: null, request_count: 3 }]);
      const { data: filtered } = await query({
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'eq', value: keys[0].api_key_id }],
      });
      expect(filtered).toEqual([{ request_count: 3 }]);
    });

    it('answers no rows and a warning for a key hash that resolves to nothing', async () => {
      const { data, warnings, metadata } = await query({
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'eq', value: 'ab'.repeat(32) }],
      });
      expect(data).toEqual([]);
      expect(metadata.row_count).toBe(0);
      expect(warnings).toEqual([expect.stringContaining('ab'.repeat(32))]);
    });

    it('takes an empty list of key hashes as a filter that matches nothing, without a warning', async () => {
      const { data, warnings } = await query({
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'in', value: [] }],
      });
      expect([data, warnings]).toEqual([[{ request_count: 0 }], undefined]);
    });

    it('warns of each unknown hash beside known ones, and counts the known', async () => {
      const { data: keys } = await query({ metrics: ['request_count'], dimensions: ['api_key_id'] });
      const { data, warnings } = await query({
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'in', value: [keys[0].api_key_id, 'cd'.repeat(32), 'nobody'] }],
      });
      expect(data).toEqual([{ request_count: 3 }]);
      expect(warnings).toEqual([expect.stringContaining('cd'.repeat(32)), expect.stringContaining('nobody')]);
      const negative = await query({
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'neq', value: 'nobody' }],
      });
      expect([negative.data, negative.warnings.length]).toEqual([[{ request_count: 3 }], 1]);
    });

    it("resolves no other account's key hash", async () => {
      const [stranger] = await service.sql.query<{ hash: string }>(`select hash from api_key where name = 'k' limit 1`);
      const { data, warnings } = await query({
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'in', value: [stranger!.hash] }],
      });
      expect([data, warnings.length]).toEqual([[], 1]);
    });

    it('says truncated where the limit cuts rows off', async () => {
      const { data, metadata } = await query({ metrics: ['request_count'], dimensions: ['generation_id'], limit: 2 });
      expect([data.length, metadata.truncated]).toEqual([2, true]);
      expect(data[0].generation_id).toMatch(/^gen-/);
      expect(
        (await query({ metrics: ['request_count'], dimensions: ['generation_id'], limit: 3 })).metadata.truncated,
      ).toBe(false);
    });

    const lastDays = (days: number): object => ({ start: at(days), end: at(0) });
    it.each([
      [{}, /metrics/],
      [{ metrics: [] }, /metrics/],
      [{ metrics: ['cpu'] }, /metrics\[0\].*"cpu" is no metric/],
      [{ metrics: ['request_count', 'toString'] }, /metrics\[1\].*toString/],
      [{ metrics: ['request_count'], dimensions: ['colour'] }, /dimensions\[0\].*colour/],
      [{ metrics: ['request_count'], dimensions: ['model', 'app', 'user'] }, /dimensions/],
      [{ metrics: ['request_count'], granularity: 'second' }, /granularity.*second/],
      [{ metrics: ['request_count'], granularity: null }, /granularity/],
      [{ metrics: ['request_count'], granularity: 'minute' }, /3 hours/],
      [
        {
          metrics: ['request_count'],
          filters: Array.from({ length: 21 }, () => ({ field: 'app', operator: 'eq', value: 'x' })),
        },
        /filters/,
      ],
      [
        { metrics: ['request_count'], filters: [{ field: 'app', operator: 'like', value: 'x' }] },
        /filters\[0\]\.operator.*like/,
      ],
      [
        { metrics: ['request_count'], filters: [{ field: 'date', operator: 'eq', value: 'x' }] },
        /filters\[0\]\.field.*date/,
      ],
      [
        { metrics: ['request_count'], filters: [{ field: 'app', operator: 'in', value: 'x' }] },
        /filters\[0\]\.value must be an array/,
      ],
      [
        { metrics: ['request_count'], filters: [{ field: 'app', operator: 'eq', value: ['x'] }] },
        /filters\[0\]\.value must be a string/,
      ],
      [{ metrics: ['request_count'], filters: [{ field: 'app', operator: 'eq', value: true }] }, /filters\[0\]: value/],
      [{ metrics: ['request_count'], filters: [{ field: 'app', operator: 'eq' }] }, /filters\[0\]: value/],
      [{ metrics: ['request_count'], filters: [{ field: 'app', operator: 'eq', value: 'a\0b' }] }, /U\+0000/],
      [{ metrics: ['request_count'], filters: ['app'] }, /filters/],
      [
        { metrics: ['request_count'], filters: [{ field: 'status', operator: 'gt', value: 'high' }] },
        /status is a whole number/,
      ],
      [
        { metrics: ['request_count'], filters: [{ field: 'modality', operator: 'eq', value: 'video' }] },
        /modality is one of image/,
      ],
      [
        { metrics: ['request_count'], order_by: { field: 'total_usage', direction: 'desc' } },
        /order_by\.field.*total_usage/,
      ],
      [{ metrics: ['request_count'], order_by: { field: 'date', direction: 'desc' } }, /granularity/],
      [{ metrics: ['request_count'], order_by: { field: 'request_count', direction: 'down' } }, /direction/],
      [{ metrics: ['request_count'], limit: 0 }, /limit/],
      [{ metrics: ['request_count'], limit: 10_001 }, /limit/],
      [{ metrics: ['request_count'], limit: 1.5 }, /limit/],
      [{ metrics: ['request_count'], group_limit: 0 }, /group_limit/],
      [{ metrics: ['request_count'], time_range: { start: 'yesterday', end: at(0) } }, /time_range\.start/],
      [{ metrics: ['request_count'], time_range: { start: '2026-02-31T00:00:00Z', end: at(0) } }, /time_range\.start/],
      [{ metrics: ['request_count'], time_range: { start: at(1) } }, /end/],
      [{ metrics: ['request_count'], time_range: { start: at(0), end: at(0) } }, /before/],
      [{ metrics: ['request_count'], time_range: lastDays(366) }, /365 days/],
      [{ metrics: ['p50_latency'], time_range: lastDays(32) }, /31 days with p50_latency/],
      [
        { metrics: ['request_count'], dimensions: ['external_user'], time_range: lastDays(32) },
        /31 days with external_user/,
      ],
    ])('refuses %j and names what is wrong', async (json, message) => {
      const answer = await service.management.post('/analytics/query', { json });
      expect([answer.status, answer.json.error.code]).toEqual([400, 400]);
      expect(answer.json.error.message).toMatch(message);
    });

    it('allows 365 days of volume, 31 days of latency and 3 hours of minutes', async () => {
      await query({ metrics: ['request_count', 'total_usage'], time_range: lastDays(365) });
      await query({ metrics: ['p50_latency'], dimensions: ['provider'], time_range: lastDays(31) });
      const { data } = await query({
        metrics: ['request_count'],
        granularity: 'minute',
        time_range: { start: at(0.124), end: new Date(SAMPLE_NOW.getTime() + 1).toISOString() },
      });
      expect(data).toEqual([{ date__minute: '2026-11-20T12:34:00.000Z', request_count: 3 }]);
    });

    it('ignores unknown fields, and warns of known ones that have no effect', async () => {
      const { data, warnings } = await query({
        metrics: ['request_count'],
        colour: 'red',
        classifier_filters: { classifier_id: 'x', filters: [] },
      });
      expect(data).toEqual([{ request_count: 3 }]);
      expect(warnings).toEqual([expect.stringContaining('classifier_filters')]);
    });

    it('answers 403 to a key that is no management key, and 401 without one', async () => {
      const refused = await service.standard.post('/analytics/query', { json: { metrics: ['request_count'] } });
      expect([refused.status, refused.json.error.message]).toEqual([
        403,
        'Only management keys can perform this operation',
      ]);
      expect((await service.standard.get('/analytics/meta')).status).toBe(403);
      expect((await service.as().post('/analytics/query', { json: { metrics: ['request_count'] } })).status).toBe(401);
    });
  });

  describe('GET /analytics/meta', () => {
    it('lists metrics, dimensions, operators and granularities, each of which a query takes', async () => {
      const { data } = (await service.management.get('/analytics/meta')).json;
      for (const { name } of data.metrics) await query({ metrics: [name] });
      for (const { name } of data.dimensions) await query({ metrics: ['request_count'], dimensions: [name] });
      for (const { name } of data.granularities)
        await query({ metrics: ['request_count'], granularity: name, time_range: { start: at(0.1), end: at(0) } });
      for (const { name, value_type } of data.operators) {
        await query({
          metrics: ['request_count'],
          filters: [{ field: 'app', operator: name, value: value_type === 'array' ? ['x'] : 'x' }],
        });
      }
      expect(data.metrics).toContainEqual({
        name: 'total_usage',
        display_label: 'Total usage',
        is_rate: false,
        display_format: 'currency',
      });
      expect([data.metrics.length, data.dimensions.length]).toEqual([24, 15]);
    });
  });
});
