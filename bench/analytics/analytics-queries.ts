import type { AnalyticsRequest } from '../../src/usage/analytics-query.js';
import { DIMENSIONS, METRICS, type Dimension, type Metric } from '../../src/usage/analytics-vocabulary.js';
import { RandomNumbers } from '../../test/support/random-numbers.js';

export interface NamedRequest {
  readonly name: string;
  readonly request: AnalyticsRequest;
}

/**
 * A query, and the same query for ClickHouse's raw rows. The raw rows contain numbers instead of texts such as the
 * model, which is an advantage for ClickHouse.
 */
export interface BenchQuery extends NamedRequest {
  /** `{window}` is replaced by the conditions on time and account. */
  readonly clickhouse: string;
}

const DAY_MS = 86_400_000;

/** The six typical queries, over windows that do not end at a whole hour. */
export function benchQueries(now: Date): readonly BenchQuery[] {
  const last = (days: number): { start: string; end: string } => ({
    start: new Date(now.getTime() - days * DAY_MS).toISOString(),
    end: now.toISOString(),
  });
  return [
    {
      name: 'totals by day',
      request: { metrics: ['request_count', 'total_usage', 'tokens_total'], granularity: 'day', time_range: last(30) },
      clickhouse: `select toDate(at) as day, count(), sum(cost) + sumIf(upstream_cost, is_byok),
           sum(toInt64(tokens_prompt) + tokens_completion)
         from generation
         where {window}
         group by day
         order by day desc
         limit 1000`,
    },
    {
      name: 'model by day',
      request: {
        metrics: ['request_count', 'total_usage'],
        dimensions: ['model'],
        granularity: 'day',
        time_range: last(30),
      },
      clickhouse: `select toDate(at) as day, model, count(), sum(cost) + sumIf(upstream_cost, is_byok)
         from generation
         where {window}
         group by day, model
         order by day desc, model
         limit 10000`,
    },
    {
      name: 'top 100 end users',
      request: {
        metrics: ['total_usage', 'request_count'],
        dimensions: ['external_user'],
        limit: 100,
        order_by: { field: 'total_usage', direction: 'desc' },
        time_range: last(30),
      },
      clickhouse: `select external_user, sum(cost) + sumIf(upstream_cost, is_byok) as spent, count()
         from generation
         where {window}
         group by external_user
         order by spent desc
         limit 100`,
    },
    {
      name: 'spend by key by hour',
      request: {
        metrics: ['total_usage'],
        dimensions: ['api_key_id'],
        granularity: 'hour',
        limit: 10_000,
        time_range: last(30),
      },
      clickhouse: `select toStartOfHour(at) as hour, key_no, sum(cost) + sumIf(upstream_cost, is_byok)
         from generation
         where {window}
         group by hour, key_no
         order by hour desc, key_no
         limit 10000`,
    },
    {
      name: 'p99 latency by provider',
      request: { metrics: ['p99_latency'], dimensions: ['provider'], time_range: last(30) },
      clickhouse: `select provider, quantileExactIf(0.99)(latency_ms, status < 400) as p99
         from generation
         where {window}
         group by provider
         order by p99 desc
         limit 1000`,
    },
    {
      name: 'errors by status by hour',
      request: {
        metrics: ['request_count'],
        dimensions: ['status'],
        granularity: 'hour',
        filters: [{ field: 'status', operator: 'gte', value: 400 }],
        time_range: last(7),
      },
      clickhouse: `select toStartOfHour(at) as hour, status, count()
         from generation
         where {window} and status >= 400
         group by hour, status
         order by hour desc, status
         limit 10000`,
    },
  ];
}

/** Random queries of two dimensions with filters, over the last 30 days. Each run generates the same queries. */
export function randomQueries(now: Date, count: number): readonly NamedRequest[] {
  const random = new RandomNumbers(20);
  const dimensions = (Object.keys(DIMENSIONS) as Dimension[]).filter(
    (dimension) => dimension !== 'generation_id' && dimension !== 'country',
  );
  const filters: readonly NonNullable<AnalyticsRequest['filters']>[number][] = [
    { field: 'status', operator: 'lt', value: 400 },
    { field: 'modality', operator: 'in', value: ['chat', 'image'] },
    { field: 'provider', operator: 'neq', value: 'alpha' },
    { field: 'app', operator: 'not_in', value: ['Synthetic desk'], include_unset: true },
    { field: 'finish_reason', operator: 'eq', value: 'stop' },
    { field: 'context_length_bucket', operator: 'gte', value: '1k-8k' },
    { field: 'variant', operator: 'eq', value: 'standard' },
    { field: 'external_user', operator: 'lt', value: 'synthetic-user-5' },
  ];
  const time_range = { start: new Date(now.getTime() - 30 * DAY_MS).toISOString(), end: now.toISOString() };
  return Array.from({ length: count }, (_, index) => ({
    name: `random ${index + 1}`,
    request: {
      metrics: random.some(Object.keys(METRICS) as Metric[], random.int(1, 3)),
      dimensions: random.some(dimensions, 2),
      filters: random.some(filters, random.int(1, 3)),
      granularity: random.pick([undefined, undefined, 'day', 'week']),
      time_range,
    },
  }));
}
