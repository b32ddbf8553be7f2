import { ValueType, type HrTime } from '@opentelemetry/api';
import type { HistogramMetricData, MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Resource } from '@opentelemetry/resources';
import { VERSION } from '../config/version.js';
import type { HistogramFamily, HistogramSample, MetricFamily, PlainFamily } from './metric-family.js';

type Sdk = typeof import('@opentelemetry/sdk-metrics');

/**
 * Converts families to OTLP metrics. The names are the Prometheus names, but names of counters lack `_total`. OTLP
 * numbers are doubles, so amounts are rounded.
 */
export function toResourceMetrics(
  families: readonly MetricFamily[],
  resource: Resource,
  sdk: Sdk,
  now = Date.now(),
): ResourceMetrics {
  const metrics = families.map((family) => {
    const startTime = toHrTime(family.sinceMs ?? performance.timeOrigin);
    return toMetric(family, { startTime, endTime: toHrTime(now) }, sdk);
  });
  return { resource, scopeMetrics: [{ scope: { name: 'gatehouse', version: VERSION }, metrics }] };
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

function toMetric(family: MetricFamily, times: Times, sdk: Sdk): MetricData {
  const { name, help, type } = family;
  const base = {
    descriptor: {
      name: type === 'counter' ? name.replace(/_total$/, '') : name,
      description: help,
      unit: unitOf(name),
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE,
  };
  if (type === 'histogram') return { ...base, ...histogramOf(family, times, sdk) };
  const dataPoints = pointsOf(family, times);
  return type === 'counter'
    ? { ...base, dataPointType: sdk.DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: sdk.DataPointType.GAUGE, dataPoints };
}

const pointsOf = ({ samples }: PlainFamily, times: Times) =>
  Array.from(samples, ({ labels, value }) => ({ ...times, attributes: labels, value: Number(value) }));

const histogramOf = (
  { samples, bounds }: HistogramFamily,
  times: Times,
  { DataPointType }: Sdk,
): Pick<HistogramMetricData, 'dataPointType' | 'dataPoints'> => ({
  dataPointType: DataPointType.HISTOGRAM,
  dataPoints: Array.from(samples, (sample) => ({
    ...times,
    attributes: sample.labels,
    value: {
      buckets: { boundaries: [...bounds], counts: countsOf(sample) },
      count: sample.count,
      sum: Number(sample.sum),
    },
  })),
});

/** The count of each bucket, including the bucket above all bounds. */
const countsOf = ({ cumulative, count }: HistogramSample): number[] =>
  [...cumulative, count].map((total, at) => total - (at === 0 ? 0 : cumulative[at - 1]!));

function unitOf(name: string): string {
  const base = name.replace(/_total$/, '');
  if (base.endsWith('_seconds')) return 's';
  if (base.endsWith('_bytes')) return 'By';
  return base.endsWith('_usd') ? '{USD}' : '';
}

const toHrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
