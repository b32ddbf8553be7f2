import { DEFAULT_METRICS, requestOf, usageQuery } from './usage-query';

describe('the address of the usage page', () => {
  it('keeps what is well-formed', () => {
    const search = {
      range: '30d',
      from: '2026-02-28',
      to: '2026-03-01',
      metrics: ['tokens_total'],
      by: ['model', 'api_key_id'],
      granularity: 'day',
      key: 'a hash',
      model: 'a/b',
      status: 'errors',
    };
    expect(usageQuery(search)).toEqual(search);
  });

  it('drops everything else', () => {
    const search = {
      range: '31d',
      from: '2026-2-8',
      to: '2026-13-01',
      metrics: [],
      by: 'model',
      granularity: '',
      key: 7,
      status: 'all',
      other: 'x',
    };
    expect(usageQuery(search)).toEqual({});
  });

  it('keeps at most two dimensions, and texts only', () => {
    expect(usageQuery({ by: ['a', 'b', 'c'], metrics: [1, 'x'] })).toEqual({ by: ['a', 'b'], metrics: ['x'] });
  });
});

describe('the request of the usage page', () => {
  it('has the default metrics and seven days without an address', () => {
    const { metrics, time_range: range, ...rest } = requestOf({});
    expect(metrics).toEqual(DEFAULT_METRICS);
    expect(Date.parse(range!.end) - Date.parse(range!.start)).toBe(7 * 86_400_000);
    expect(rest).toEqual({ limit: 100_000 });
  });

  it('includes the last day of own dates', () => {
    expect(requestOf({ from: '2026-02-28', to: '2026-02-28' }).time_range).toEqual({
      start: '2026-02-28T00:00:00Z',
      end: '2026-03-01T00:00:00.000Z',
    });
  });

  it('filters by key, model and status', () => {
    expect(requestOf({ key: 'h', model: 'a/b', status: 'errors' }).filters).toEqual([
      { field: 'api_key_id', operator: 'eq', value: 'h' },
      { field: 'model', operator: 'eq', value: 'a/b' },
      { field: 'status', operator: 'gte', value: 400 },
    ]);
    expect(requestOf({ status: 'ok' }).filters).toEqual([{ field: 'status', operator: 'lt', value: 400 }]);
  });
});
