import { SAMPLE_NOW } from '../../support/analytics/usage-sample.js';
import { SetClock, type TestService } from '../../support/services/test-service.js';
import { queryWith, SPEECH, startAnalyticsService } from '../../support/analytics/analytics-stage.js';

const DAY_MS = 86_400_000;

describe('analytics', () => {
  let service: TestService;
  const clock = new SetClock(SAMPLE_NOW);

  beforeAll(async () => {
    service = await startAnalyticsService(clock);
  }, 90_000);
  afterAll(() => service.stop());

  const query = (json: object) => queryWith(service, json);

  const at = (days: number): string => new Date(SAMPLE_NOW.getTime() - days * DAY_MS).toISOString();

  describe('POST /analytics/query', () => {
    it("counts the account's own calls of the last 7 days in one row if nothing is grouped", async () => {
      const { data, metadata, warnings } = await query({
        metrics: ['request_count', 'characters_synthesized', 'error_count'],
      });
      expect(data).toEqual([{ request_count: 3, characters_synthesized: 3 * SPEECH.input.length, error_count: 0 }]);
      expect(metadata).toEqual({ query_time_ms: expect.any(Number), row_count: 1, truncated: false });
      expect(warnings).toBeUndefined();
    });

    it('returns the start of a bucket in date__<granularity>, and each dimension under its own name', async () => {
      const { data } = await query({
        metrics: ['request_count'],
        dimensions: ['model', 'modality'],
        granularity: 'day',
      });
      expect(data).toEqual([
        { date__day: '2026-11-20T00:00:00.000Z', model: SPEECH.model, modality: 'speech', request_count: 3 },
      ]);
    });

    it('returns hashes of keys, ids of members and workspaces, and null for an unknown country', async () => {
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

    it('treats an empty list of key hashes as a filter that matches nothing, without a warning', async () => {
      const { data, warnings } = await query({
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'in', value: [] }],
      });
      expect([data, warnings]).toEqual([[{ request_count: 0 }], undefined]);
    });

    it('warns of each unknown hash among known hashes, and counts the calls of the known hashes', async () => {
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

    it('does not resolve the key hash of another account', async () => {
      const [stranger] = await service.sql.query<{ hash: string }>(`select hash from api_key where name = 'k' limit 1`);
      const { data, warnings } = await query({
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'in', value: [stranger!.hash] }],
      });
      expect([data, warnings.length]).toEqual([[], 1]);
    });

    it('reports truncated if the limit omits rows', async () => {
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
      [{ metrics: ['cpu'] }, /metrics\[0\].*"cpu" is not a metric/],
      [{ metrics: ['request_count', 'toString'] }, /metrics\[1\].*toString/],
      [{ metrics: ['request_count'], dimensions: ['colour'] }, /dimensions\[0\].*colour/],
      [{ metrics: ['request_count'], dimensions: ['model', 'app', 'user'] }, /dimensions/],
      [{ metrics: ['request_count'], granularity: 'second' }, /granularity.*second/],
      [{ metrics: ['request_count'], granularity: null }, /granularity/],
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
      [{ metrics: ['request_count'], limit: -1 }, /limit/],
      [{ metrics: ['request_count'], limit: 1.5 }, /limit/],
      [{ metrics: ['request_count'], limit: '10' }, /limit/],
      [{ metrics: ['request_count'], limit: null }, /limit/],
      [{ metrics: ['request_count'], group_limit: 0 }, /group_limit/],
      [{ metrics: ['request_count'], group_limit: 0.5 }, /group_limit/],
      [{ metrics: ['request_count'], time_range: { start: 'yesterday', end: at(0) } }, /time_range\.start/],
      [{ metrics: ['request_count'], time_range: { start: '2026-02-31T00:00:00Z', end: at(0) } }, /time_range\.start/],
      [{ metrics: ['request_count'], time_range: { start: at(1) } }, /end/],
      [{ metrics: ['request_count'], time_range: { start: at(0), end: at(0) } }, /before/],
      [{ metrics: ['request_count'], time_range: lastDays(-1) }, /before/],
    ])('refuses %j and names the fault', async (json, message) => {
      const answer = await service.management.post('/analytics/query', { json });
      expect([answer.status, answer.json.error.code]).toEqual([400, 400]);
      expect(answer.json.error.message).toMatch(message);
    });

    it.each([
      [{ metrics: ['p50_latency'], time_range: { start: '2015-01-01', end: '2027-01-01' } }],
      [
        {
          metrics: ['request_count'],
          dimensions: ['external_user'],
          time_range: { start: '2025-01-01', end: '2027-01-01' },
        },
      ],
      [{ metrics: ['request_count'], granularity: 'minute', time_range: { start: '2025-01-01', end: '2027-01-01' } }],
      [{ metrics: ['request_count'], granularity: 'week', time_range: { start: '0000-01-01', end: '9999-12-31' } }],
      [
        {
          metrics: ['p99_throughput'],
          dimensions: ['model'],
          granularity: 'hour',
          time_range: { start: '-271821-04-20', end: '+275760-09-13' },
        },
      ],
    ])('accepts any span: %j', async (json) => {
      const { data, metadata } = await query(json);
      expect([data.length, metadata.truncated]).toEqual([1, false]);
    });

    it.each([[{ limit: 10_001 }], [{ limit: 100_001 }], [{ limit: 1e300, group_limit: 1e300 }], [{ group_limit: 1 }]])(
      'accepts %j',
      async (limits) => {
        const { data } = await query({
          metrics: ['request_count'],
          dimensions: ['model'],
          granularity: 'day',
          ...limits,
        });
        expect(data).toHaveLength(1);
      },
    );
  });
});
