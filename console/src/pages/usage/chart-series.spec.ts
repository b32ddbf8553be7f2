import type { AnalyticsQuery } from '../../api/records';
import { previousPeriodQuery, chartQuery, chartSeries, runningTotals } from './chart-series';

const RANGE = { start: '2026-03-01T00:00:00Z', end: '2026-03-03T00:00:00Z' };
const REQUEST: AnalyticsQuery = {
  metrics: ['request_count'],
  dimensions: ['model'],
  granularity: 'day',
  time_range: RANGE,
};
const QUERY = chartQuery(REQUEST, 'request_count', 'utc');
const rowsOf = (counts: readonly number[], more: (at: number) => object = () => ({})) =>
  counts.map((count, at) => ({
    date__day: '2026-03-01T00:00:00Z',
    model: `m${at}`,
    request_count: count,
    ...more(at),
  }));
const named = (value: string | number | null | undefined): string => `model ${value}`;

describe('the series of a chart', () => {
  it('are the seven largest groups by the metric, and the sum of all others', () => {
    const { series, isPartial } = chartSeries(rowsOf([1, 9, 8, 7, 6, 5, 4, 3, 2]), QUERY, 'request_count', named);

    expect(series.map(({ label }) => label)).toEqual([
      ...['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'].map(named),
      'Others',
    ]);
    expect(series.at(-1)!.values).toEqual([3, 0]);
    expect(isPartial).toBe(false);
  });

  it('have no "Others" for seven groups', () => {
    const { series } = chartSeries(rowsOf([1, 2, 3, 4, 5, 6, 7]), QUERY, 'request_count', named);
    expect(series).toHaveLength(7);
    expect(series.map(({ label }) => label)).not.toContain('Others');
  });

  it('are the groups with the most requests if the metric is not a sum; other groups are omitted', () => {
    const rows = rowsOf([1, 9, 8, 7, 6, 5, 4, 3], (at) => ({ latency_p95: at === 0 ? 1_000 : 1 }));
    const { series, isPartial } = chartSeries(rows, QUERY, 'latency_p95', named);

    expect(series.map(({ label }) => label)).not.toContain(named('m0'));
    expect([series.length, isPartial]).toEqual([7, true]);
  });
});

describe('the query of a chart', () => {
  it('has one metric, the number of requests, and only the first dimension', () => {
    const query = chartQuery({ ...REQUEST, dimensions: ['model', 'api_key_id'] }, 'tokens_total', 'utc');
    const { metrics, dimensions } = query.request;
    expect([metrics, dimensions]).toEqual([['tokens_total', 'request_count'], ['model']]);
  });

  it.each([
    ['2026-03-03T00:00:00Z', 'hour'],
    ['2026-03-03T06:00:00Z', 'day'],
    ['2026-09-17T00:00:00Z', 'day'],
    ['2026-09-17T00:00:01Z', 'week'],
  ])('until %s has buckets of one %s, unless the request names a granularity', (end, expected) => {
    const range = { start: RANGE.start, end };
    expect(
      chartQuery({ metrics: ['request_count'], time_range: range }, 'request_count', 'utc').buckets.granularity,
    ).toBe(expected);
    expect(
      chartQuery({ ...REQUEST, granularity: 'month', time_range: range }, 'request_count', 'utc').request.granularity,
    ).toBe('month');
  });
});

describe('the previous period in a chart', () => {
  it('has the same length as the period of the chart, and no groups', () => {
    const { request, buckets } = previousPeriodQuery(QUERY);
    const range = { start: '2026-02-27T00:00:00.000Z', end: RANGE.start };
    expect([request.time_range, request.dimensions, buckets.start]).toEqual([range, undefined, range.start]);
  });

  it('can be shown as running totals', () => {
    expect(runningTotals([1, null, 2, 0])).toEqual([1, 1, 3, 3]);
  });
});
