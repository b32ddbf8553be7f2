import type { AnalyticsRequest } from '../../../src/usage/analytics-query.js';
import type { SampleCall, UsageSample } from './usage-sample.js';

const MAX_ROWS = 100_000;
const DEFAULT_ROWS = 1_000;

/**
 * A result in the format of the API, computed in a simple way: without SQL, without a plan, and without code of the
 * service.
 */
export interface NaiveResult {
  readonly rows: readonly Record<string, string | number | null>[];
  readonly truncated: boolean;
}

type Scalar = string | number | null;
const DAY_MS = 86_400_000;

const BUCKETS: readonly [number, string][] = [
  [1_000, '0-1k'],
  [8_000, '1k-8k'],
  [32_000, '8k-32k'],
  [128_000, '32k-128k'],
  [1_000_000, '128k-1m'],
  [Infinity, '1m+'],
];
const BUCKET_NAMES = BUCKETS.map(([, name]) => name);
const MODALITIES = ['image', 'speech', 'chat', 'embeddings'];

const DIMENSION: Record<string, (call: SampleCall) => Scalar> = {
  model: (call) => call.model,
  variant: (call) => call.model.split(':')[1] ?? 'standard',
  api_key_id: (call) => call.key.hash,
  user: (call) => call.key.user,
  workspace: (call) => call.workspace.id,
  app: (call) => call.app,
  modality: (call) => MODALITIES[call.modality - 1]!,
  status: (call) => call.status,
  generation_id: (call) => `gen-${call.id}`,
  provider: (call) => call.provider,
  origin: (call) => call.origin,
  country: () => null,
  finish_reason: (call) => call.finishReason,
  external_user: (call) => call.externalUser,
  context_length_bucket: (call) => BUCKETS.find(([bound]) => call.prompt < bound)![1],
};

const BELOW_SURROGATES = /^[\0-\ud7ff]*$/;

/** The order of values: enumerations in the order of their list, texts by code points, null last. */
function compare(field: string, a: Scalar, b: Scalar): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? Infinity : -Infinity;
  const list = field === 'modality' ? MODALITIES : field === 'context_length_bucket' ? BUCKET_NAMES : undefined;
  if (list) return list.indexOf(String(a)) - list.indexOf(String(b));
  if (field === 'status') return Number(a) - Number(b);
  const [left, right] = [String(a), String(b)];
  if (left === right) return 0;
  // UTF-16 units have the same order as code points, unless there are surrogates.
  return BELOW_SURROGATES.test(left) && BELOW_SURROGATES.test(right)
    ? left < right
      ? -1
      : 1
    : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function matches(
  call: SampleCall,
  { field, operator, value, include_unset }: NonNullable<AnalyticsRequest['filters']>[number],
): boolean {
  const own = DIMENSION[field]!(call);
  if (own === null) return (operator === 'in' || operator === 'not_in') && include_unset === true;
  const equal = (to: string | number): boolean => compare(field, own, to) === 0;
  switch (operator) {
    case 'in':
      return (value as (string | number)[]).some(equal);
    case 'not_in':
      return !(value as (string | number)[]).some(equal);
    case 'eq':
      return equal(value as string);
    case 'neq':
      return !equal(value as string);
    case 'gt':
      return compare(field, own, value as string) > 0;
    case 'gte':
      return compare(field, own, value as string) >= 0;
    case 'lt':
      return compare(field, own, value as string) < 0;
    default:
      return compare(field, own, value as string) <= 0;
  }
}

const count = (calls: readonly SampleCall[], test: (call: SampleCall) => boolean): number => calls.filter(test).length;
const total = (calls: readonly SampleCall[], of: (call: SampleCall) => number): number =>
  calls.reduce((sum, call) => sum + of(call), 0);
const usd = (calls: readonly SampleCall[], of: (call: SampleCall) => bigint): number => {
  const text = calls
    .reduce((sum, call) => sum + of(call), 0n)
    .toString()
    .padStart(10, '0');
  return Number(`${text.slice(0, -9)}.${text.slice(-9)}`);
};
const share = (above: number, below: number): number => (below === 0 ? 0 : above / below);
const latencies = (calls: readonly SampleCall[]): number[] =>
  calls.filter(({ status }) => status < 400).map(({ latency }) => latency);
const throughputs = (calls: readonly SampleCall[]): number[] =>
  calls
    .filter(({ status, completion, duration }) => status < 400 && completion > 0 && duration > 0)
    .map(({ completion, duration }) => (completion * 1000) / duration);
const mean = (values: readonly number[]): number =>
  share(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
/** Nearest rank: the smallest value such that at least `percent` of the values are not greater. */
const percentile = (percent: number, values: readonly number[]): number =>
  values.length === 0 ? 0 : values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1]!;
const byokCost = (call: SampleCall): bigint => (call.byok ? call.upstreamCost : 0n);

const METRIC: Record<string, (calls: readonly SampleCall[]) => number> = {
  request_count: (calls) => calls.length,
  tokens_total: (calls) => total(calls, (call) => call.prompt + call.completion),
  tokens_prompt: (calls) => total(calls, (call) => call.prompt),
  tokens_completion: (calls) => total(calls, (call) => call.completion),
  reasoning_tokens: (calls) => total(calls, (call) => call.reasoning),
  cached_tokens: (calls) => total(calls, (call) => call.cached),
  byok_request_count: (calls) => count(calls, (call) => call.byok),
  images_generated: (calls) => total(calls, (call) => call.images),
  characters_synthesized: (calls) => total(calls, (call) => call.characters),
  error_count: (calls) => count(calls, (call) => call.status >= 400),
  total_usage: (calls) => usd(calls, (call) => call.cost + byokCost(call)),
  credits_usage: (calls) => usd(calls, (call) => call.cost),
  byok_usage: (calls) => usd(calls, byokCost),
  usage_upstream: (calls) => usd(calls, (call) => call.upstreamCost),
  cache_hit_rate: (calls) =>
    share(
      total(calls, (call) => call.cached),
      total(calls, (call) => call.prompt),
    ),
  error_rate: (calls) =>
    share(
      count(calls, (call) => call.status >= 400),
      calls.length,
    ),
  avg_latency: (calls) => mean(latencies(calls)),
  p50_latency: (calls) => percentile(50, latencies(calls)),
  p90_latency: (calls) => percentile(90, latencies(calls)),
  p99_latency: (calls) => percentile(99, latencies(calls)),
  avg_throughput: (calls) => mean(throughputs(calls)),
  p50_throughput: (calls) => percentile(50, throughputs(calls)),
  p90_throughput: (calls) => percentile(90, throughputs(calls)),
  p99_throughput: (calls) => percentile(99, throughputs(calls)),
};

function bucketOf(at: number, granularity: string): string {
  const time = new Date(at);
  if (granularity === 'month') time.setUTCDate(1);
  if (granularity === 'week') time.setTime(at - ((time.getUTCDay() + 6) % 7) * DAY_MS);
  const shown = { minute: 16, hour: 13 }[granularity] ?? 10;
  return `${time.toISOString().slice(0, shown)}${'0000-00-00T00:00:00.000Z'.slice(shown)}`;
}

/** Date.parse treats a time without a zone as local, but a date alone as UTC. */
const momentOf = (text: string): number => Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text);

/** The expected response. */
export function naiveAnswer(request: AnalyticsRequest, account: number, sample: UsageSample): NaiveResult {
  const dimensions = request.dimensions ?? [];
  const { granularity, order_by: order } = request;
  const from = request.time_range ? momentOf(request.time_range.start) : sample.now.getTime() - 7 * DAY_MS;
  const to = request.time_range ? momentOf(request.time_range.end) : sample.now.getTime();
  const calls = sample.calls.filter(
    (call) =>
      call.account === account &&
      call.at >= from &&
      call.at < to &&
      (request.filters ?? []).every((filter) => matches(call, filter)),
  );
  const groups = new Map<string, SampleCall[]>();
  for (const call of calls) {
    const key = JSON.stringify([
      granularity ? bucketOf(call.at, granularity) : null,
      ...dimensions.map((dimension) => DIMENSION[dimension]!(call)),
    ]);
    const group = groups.get(key);
    if (group) group.push(call);
    else groups.set(key, [call]);
  }
  if (!granularity && dimensions.length === 0 && groups.size === 0) groups.set('[null]', []);
  const date = `date__${granularity}`;
  const rows = [...groups].map(([key, members]) => {
    const [bucket, ...values] = JSON.parse(key) as Scalar[];
    const row: Record<string, Scalar> = granularity ? { [date]: bucket! } : {};
    dimensions.forEach((dimension, index) => (row[dimension] = values[index]!));
    for (const metric of request.metrics) row[metric] = METRIC[metric]!(members);
    return { row, calls: members.length };
  });
  type Entry = (typeof rows)[number];
  const newestFirst = (a: Entry, b: Entry): number =>
    granularity ? (a.row[date]! < b.row[date]! ? 1 : a.row[date]! > b.row[date]! ? -1 : 0) : 0;
  const field = order?.field ?? (granularity ? 'date' : request.metrics[0]!);
  const sign = order?.direction === 'asc' ? 1 : -1;
  const byField = (a: Entry, b: Entry): number => {
    if (field === 'date') return newestFirst(a, b) * -sign;
    if (!dimensions.includes(field))
      return (
        sign * (field === 'request_count' ? a.calls - b.calls : (a.row[field] as number) - (b.row[field] as number))
      );
    const difference = compare(field, a.row[field]!, b.row[field]!);
    return Math.abs(difference) === Infinity ? difference : sign * difference;
  };
  const byDimensions = (a: Entry, b: Entry): number =>
    dimensions
      .map((dimension) => compare(dimension, a.row[dimension]!, b.row[dimension]!))
      .find((difference) => difference !== 0) ?? 0;
  rows.sort((a, b) => byField(a, b) || newestFirst(a, b) || byDimensions(a, b));
  const seen = new Map<string, number>();
  const kept = rows.filter(({ row }) => {
    if (dimensions.length === 0 || request.group_limit === undefined) return true;
    const key = JSON.stringify(dimensions.map((dimension) => row[dimension]));
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return seen.get(key)! <= request.group_limit;
  });
  const defaultLimit =
    granularity && dimensions.length > 0 && request.group_limit === undefined ? MAX_ROWS : DEFAULT_ROWS;
  const limit = Math.min(request.limit ?? defaultLimit, MAX_ROWS);
  return { rows: kept.slice(0, limit).map(({ row }) => row), truncated: rows.length > Math.min(kept.length, limit) };
}
