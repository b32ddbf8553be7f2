import { DEFAULT_METRICS, requestOf, usageQuery } from './usage-query';

describe('the address of the usage page', () => {
  it('keeps well-formed parameters', () => {
    const search = {
      metrics: ['tokens_total'],
      by: ['model', 'api_key_id'],
      granularity: 'day',
      key: 'a hash',
      model: 'a/b',
      status: 'errors',
    };
    expect(usageQuery(search)).toEqual(search);
  });

  it('drops invalid and unknown parameters', () => {
    const search = {
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
  const time = { start: '2026-03-09T00:00:00.000Z', end: '2026-03-15T13:46:00.000Z' };

  it('has the default metrics, and the time of the header', () => {
    const { metrics, ...rest } = requestOf({}, { time });
    expect(metrics).toEqual(DEFAULT_METRICS);
    expect(rest).toEqual({ limit: 100_000, time_range: time });
  });

  it('filters by the workspace of the header', () => {
    expect(requestOf({}, { time, workspace: 'w' }).filters).toEqual([
      { field: 'workspace', operator: 'eq', value: 'w' },
    ]);
  });

  it('filters by key, model and status', () => {
    expect(requestOf({ key: 'h', model: 'a/b', status: 'errors' }, { time }).filters).toEqual([
      { field: 'api_key_id', operator: 'eq', value: 'h' },
      { field: 'model', operator: 'eq', value: 'a/b' },
      { field: 'status', operator: 'gte', value: 400 },
    ]);
    expect(requestOf({ status: 'ok' }, { time }).filters).toEqual([{ field: 'status', operator: 'lt', value: 400 }]);
  });
});
