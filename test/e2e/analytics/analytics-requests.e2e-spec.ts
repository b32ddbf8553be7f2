import { SAMPLE_NOW } from '../../support/analytics/usage-sample.js';
import { SetClock, type TestService } from '../../support/services/test-service.js';
import { queryWith, startAnalyticsService } from '../../support/analytics/analytics-stage.js';

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
    it('reads a timestamp without a time zone, and a date alone, as UTC', async () => {
      const counts = async (start: string, end: string): Promise<number> =>
        (await query({ metrics: ['request_count'], time_range: { start, end } })).data[0].request_count;
      expect(await counts('2026-11-20', '2026-11-21')).toBe(3);
      expect(await counts('2026-11-19', '2026-11-20')).toBe(0);
      expect(await counts('2026-11-20T12:34:56.789', '2026-11-20T12:34:56.790')).toBe(3);
      expect(await counts('2026-11-20T12:34', '2026-11-20T12:34:56.789')).toBe(0);
    });

    it('accepts as many metrics and filter values as fit into the body of the request', async () => {
      const metrics = Array.from({ length: 150 }, () => 'request_count');
      const value = Array.from({ length: 50_000 }, (_, index) => `nobody ${index}`);
      const asked = (operator: string) => query({ metrics, filters: [{ field: 'app', operator, value }] });
      expect([(await asked('in')).data, (await asked('not_in')).data.length]).toEqual([[{ request_count: 0 }], 1]);
    });

    it('warns of the first 100 unknown keys, and states the number of further unknown keys', async () => {
      const value = Array.from({ length: 5_000 }, (_, index) => `k${index}`);
      const { data, warnings } = await query({
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'in', value }],
      });
      expect([data, warnings.length, warnings.at(-1)]).toEqual([
        [],
        101,
        '4900 further values of api_key_id could not be resolved either',
      ]);
    });

    it('ignores unknown fields, and warns of known fields that have no effect', async () => {
      const { data, warnings } = await query({
        metrics: ['request_count'],
        colour: 'red',
        classifier_filters: { classifier_id: 'x', filters: [] },
      });
      expect(data).toEqual([{ request_count: 3 }]);
      expect(warnings).toEqual([expect.stringContaining('classifier_filters')]);
    });

    it('answers 403 to a key that is not a management key, and 401 without a key', async () => {
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
    it('lists metrics, dimensions, operators and granularities that queries accept', async () => {
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
