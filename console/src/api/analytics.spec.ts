import { isSum, numberOf, seriesOf, totalOf } from './analytics';

const DAYS = { granularity: 'day', start: '2026-03-01T00:00:00Z', end: '2026-03-04T00:00:00Z' };
const row = (day: number, model: string, more: object) => ({ date__day: `2026-03-0${day}T00:00:00Z`, model, ...more });
const modelOf = ({ model }: Readonly<Record<string, string | number | null>>): string => String(model);

describe('the series of a metric', () => {
  it('has the value 0 in a bucket without a row if the metric is a sum', () => {
    const rows = [
      row(1, 'a', { request_count: 2 }),
      row(3, 'a', { request_count: '5' }),
      row(2, 'b', { request_count: 1 }),
    ];
    const { times, series } = seriesOf(rows, DAYS, 'request_count', modelOf);

    expect(times).toHaveLength(3);
    expect(series).toEqual([
      { label: 'a', values: [2, 0, 5] },
      { label: 'b', values: [0, 1, 0] },
    ]);
  });

  it('has no value in a bucket without a row if the metric is a percentile', () => {
    const { series } = seriesOf([row(2, 'a', { latency_p95: 9 })], DAYS, 'latency_p95', modelOf);
    expect(series).toEqual([{ label: 'a', values: [null, 9, null] }]);
  });

  it('leaves out rows after the range', () => {
    const { series } = seriesOf([row(4, 'a', { request_count: 7 })], DAYS, 'request_count', modelOf);
    expect(series).toEqual([{ label: 'a', values: [0, 0, 0] }]);
  });
});

describe('a metric', () => {
  it.each(['request_count', 'credits_usage', 'tokens_total', 'images', 'characters'])(
    '%s may be added up',
    (metric) => {
      expect(isSum(metric)).toBe(true);
    },
  );

  it.each(['latency_p95', 'error_rate', 'throughput'])('%s may not be added up', (metric) => {
    expect(isSum(metric)).toBe(false);
  });

  it('that is missing or null has the value 0', () => {
    expect([
      numberOf(undefined, 'a'),
      numberOf({}, 'a'),
      numberOf({ a: null }, 'a'),
      numberOf({ a: '1.5' }, 'a'),
    ]).toEqual([0, 0, 0, 1.5]);
  });
});

describe('the total of some rows', () => {
  it('has the sums of the metrics that can be added up, and no other metrics', () => {
    const rows = [
      { model: 'a', request_count: 2, credits_usage: '0.5', p50_latency: 10 },
      { model: 'b', request_count: 3, credits_usage: null, p50_latency: 20 },
    ];
    expect(totalOf(rows, ['request_count', 'credits_usage', 'p50_latency'])).toEqual({
      request_count: 5,
      credits_usage: 0.5,
    });
  });

  it('is absent for a single row, and for metrics that cannot be added up', () => {
    expect(totalOf([{ request_count: 2 }], ['request_count'])).toBeUndefined();
    expect(totalOf([{ p50_latency: 2 }, { p50_latency: 3 }], ['p50_latency'])).toBeUndefined();
  });
});
