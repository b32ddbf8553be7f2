import type { HistogramSample, Labels, MetricFamily, MetricValue, Sample } from './metric-family.js';

/**
 * Merges the metrics of several processes. The values of a series are added. If `ofProcesses` is `highest`, the highest
 * value is used instead.
 */
export function mergedFamilies(families: readonly MetricFamily[]): MetricFamily[] {
  const byName = new Map<string, MetricFamily>();
  for (const family of families) {
    const other = byName.get(family.name);
    byName.set(family.name, other ? merged(other, family) : family);
  }
  return [...byName.values()];
}

function merged(one: MetricFamily, other: MetricFamily): MetricFamily {
  if (one.type === 'histogram')
    return other.type === 'histogram'
      ? { ...one, samples: byLabels([...one.samples, ...other.samples], addedHistograms) }
      : one;
  if (other.type === 'histogram') return one;
  const combine = one.ofProcesses === 'highest' ? higher : added;
  const samples = byLabels([...one.samples, ...other.samples], (a: Sample, b: Sample) => ({
    ...a,
    value: combine(a.value, b.value),
  }));
  return { ...one, samples };
}

function byLabels<S extends { readonly labels: Labels }>(samples: readonly S[], combine: (a: S, b: S) => S): S[] {
  const all = new Map<string, S>();
  for (const sample of samples) {
    const key = JSON.stringify(sample.labels);
    const other = all.get(key);
    all.set(key, other ? combine(other, sample) : sample);
  }
  return [...all.values()];
}

const addedHistograms = (a: HistogramSample, b: HistogramSample): HistogramSample => ({
  labels: a.labels,
  cumulative: a.cumulative.map((count, at) => count + b.cumulative[at]!),
  count: a.count + b.count,
  sum: added(a.sum, b.sum),
});

const added = (a: MetricValue, b: MetricValue): number => Number(a) + Number(b);
const higher = (a: MetricValue, b: MetricValue): MetricValue => (Number(a) >= Number(b) ? a : b);
