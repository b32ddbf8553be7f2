import { OpenRouter } from '@openrouter/sdk';
import {
  BadRequestResponseError,
  ForbiddenResponseError,
  UnauthorizedResponseError,
} from '@openrouter/sdk/models/errors';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../../support/services/test-service.js';

const SPEECH = { model: 'builtin/flite', input: 'Spoken once.', voice: 'slt' };
const HOUR_MS = 3_600_000;

describe('@openrouter/sdk on analytics', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { WIRE_DIALECT: 'openrouter', RATE_LIMIT_ANALYTICS: 'off' } });
    expect((await service.standard.post('/audio/speech', { json: SPEECH })).status).toBe(200);
  });
  afterAll(() => service.stop());

  const sdk = (apiKey: string): OpenRouter =>
    new OpenRouter({ apiKey, serverURL: `${service.origin}/api/v1`, retryConfig: { strategy: 'none' } });
  const timeRange = () => ({ start: new Date(Date.now() - HOUR_MS), end: new Date(Date.now() + HOUR_MS) });

  it('reads the metrics, dimensions and operators', async () => {
    const { data } = await sdk(TEST_MANAGEMENT_KEY).analytics.getAnalyticsMeta();
    expect(data.metrics).toContainEqual({
      name: 'request_count',
      displayLabel: 'Requests',
      isRate: false,
      displayFormat: 'number',
    });
    expect(data.dimensions).toContainEqual({ name: 'model', displayLabel: 'Model' });
    expect(data.operators).toContainEqual({ name: 'not_in', valueType: 'array' });
    expect(data.granularities.map(({ name }) => name)).toEqual(['minute', 'hour', 'day', 'week', 'month']);
  });

  it('queries with every field of a request', async () => {
    const { data } = await sdk(TEST_MANAGEMENT_KEY).analytics.queryAnalytics({
      requestBody: {
        metrics: ['request_count', 'total_usage'],
        dimensions: ['model', 'workspace'],
        granularity: 'day',
        filters: [
          { field: 'external_user', operator: 'not_in', value: ['someone'], includeUnset: true },
          { field: 'status', operator: 'lt', value: 400 },
        ],
        orderBy: { field: 'date', direction: 'desc' },
        groupLimit: 10,
        limit: 10,
        timeRange: timeRange(),
      },
    });
    // The SDK removes the members of rows, because their names are not in its schema.
    expect(data.data).toHaveLength(1);
    expect(data.metadata).toMatchObject({ rowCount: 1, truncated: false });
  });

  it('gets a warning for a key hash that could not be resolved', async () => {
    const { data } = await sdk(TEST_MANAGEMENT_KEY).analytics.queryAnalytics({
      requestBody: {
        metrics: ['request_count'],
        filters: [{ field: 'api_key_id', operator: 'eq', value: 'ab'.repeat(32) }],
        timeRange: timeRange(),
      },
    });
    expect(data.data).toEqual([]);
    expect(data.warnings).toEqual([expect.stringContaining('ab'.repeat(32))]);
  });

  it('throws its error classes for an unknown metric, a standard key and an unknown key', async () => {
    const ask = (key: string, metric: string) =>
      sdk(key).analytics.queryAnalytics({ requestBody: { metrics: [metric] } });
    await expect(ask(TEST_MANAGEMENT_KEY, 'cpu')).rejects.toBeInstanceOf(BadRequestResponseError);
    await expect(ask(TEST_API_KEY, 'request_count')).rejects.toBeInstanceOf(ForbiddenResponseError);
    await expect(ask('no-such-key', 'request_count')).rejects.toBeInstanceOf(UnauthorizedResponseError);
  });
});
