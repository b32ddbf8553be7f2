/** A request from a page of the console; `path` is below /api/v1. */
export interface ConsoleRequest {
  readonly name: string;
  readonly path: string;
  readonly json?: object;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const PAGE = 100;
const TOP = 8;

/** The same requests as console/src/pages/overview: all at once, for a range that ends with the current minute. */
export function overviewRequests(now: Date, days: number): ConsoleRequest[] {
  const end = Math.ceil(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const time_range = { start: new Date(end - days * DAY_MS).toISOString(), end: new Date(end).toISOString() };
  const query = (name: string, json: object): ConsoleRequest => ({
    name,
    path: '/analytics/query',
    json: { ...json, time_range },
  });
  const top = (dimension: string): object => ({
    metrics: ['total_usage', 'request_count'],
    dimensions: [dimension],
    order_by: { field: 'total_usage', direction: 'desc' },
    limit: TOP,
  });
  return [
    query('totals', {
      metrics: ['total_usage', 'request_count', 'error_count', 'error_rate', 'p50_latency', 'p99_latency'],
    }),
    query('history', {
      metrics: ['total_usage', 'request_count', 'error_count'],
      granularity: days === 1 ? 'hour' : 'day',
    }),
    query('top models', top('model')),
    query('top keys', top('api_key_id')),
    { name: 'credits', path: '/credits' },
    { name: 'keys', path: '/keys?offset=0&include_disabled=true' },
  ];
}

/** The same requests as console/src/pages/calls, and further ones with filters that only the API has. */
export function callRequests(now: Date, { key, model }: { key: string; model: string }): ConsoleRequest[] {
  const list = (name: string, filters: Record<string, string>, limit = PAGE): ConsoleRequest => ({
    name,
    path: `/generations?${new URLSearchParams({ ...filters, limit: String(limit) }).toString()}`,
  });
  const middle = new Date(now.getTime() - 15 * DAY_MS).toISOString();
  const dayBefore = new Date(now.getTime() - 16 * DAY_MS).toISOString();
  const before = Buffer.from(`${now.getTime() - 20 * DAY_MS}.ffffffff-ffff-7fff-bfff-ffffffffffff`);
  return [
    list('all', {}),
    list('500 on a page', {}, 500),
    list('of a key', { api_key_hash: key }),
    list('failed', { error: 'true' }),
    list('of a status', { status: '429' }),
    list('of a status that none has', { status: '418' }),
    list('of a model', { model }),
    list('of a provider and a kind', { provider: 'foxtrot', kind: 'image' }),
    list('of an end user', { user: 'synthetic-user-4711' }),
    list('of an end user whom no call names', { user: 'nobody' }),
    list('of a day', { start: dayBefore, end: middle }),
    list('of a key on a day', { start: dayBefore, end: middle, api_key_hash: key }),
    list('a page of 20 days ago', { cursor: before.toString('base64url') }),
    list('of a key, a page of 20 days ago', { cursor: before.toString('base64url'), api_key_hash: key }),
    list('of a session', { session_id: 'session-47' }),
  ];
}
