/** How a metric is displayed. The SQL of the metrics and dimensions is in query/. */
type DisplayFormat = 'number' | 'currency' | 'percent' | 'latency' | 'throughput';

interface MetricWord {
  readonly label: string;
  readonly format: DisplayFormat;
}

const volume = (label: string): MetricWord => ({ label, format: 'number' });
const cost = (label: string): MetricWord => ({ label, format: 'currency' });
const share = (label: string): MetricWord => ({ label, format: 'percent' });
const latency = (label: string): MetricWord => ({ label, format: 'latency' });
const throughput = (label: string): MetricWord => ({ label, format: 'throughput' });

/**
 * Failed calls are counted in requests and errors. Latency (ms to the first byte) and throughput (completion tokens per
 * second) are measured only for successful calls. Currency is USD, shares are from 0 to 1.
 */
export const METRICS = {
  request_count: volume('Requests'),
  tokens_total: volume('Total tokens'),
  tokens_prompt: volume('Prompt tokens'),
  tokens_completion: volume('Completion tokens'),
  reasoning_tokens: volume('Reasoning tokens'),
  cached_tokens: volume('Cached tokens'),
  byok_request_count: volume('Requests on own credentials'),
  images_generated: volume('Images generated'),
  characters_synthesized: volume('Characters synthesized'),
  error_count: volume('Errors'),
  total_usage: cost('Total usage'),
  credits_usage: cost('Usage paid by credits'),
  byok_usage: cost('Usage on own credentials'),
  usage_upstream: cost('What providers charged'),
  cache_hit_rate: share('Cache hit rate'),
  error_rate: share('Error rate'),
  avg_latency: latency('Latency, mean'),
  p50_latency: latency('Latency, median'),
  p90_latency: latency('Latency, 90th percentile'),
  p99_latency: latency('Latency, 99th percentile'),
  avg_throughput: throughput('Throughput, mean'),
  p50_throughput: throughput('Throughput, median'),
  p90_throughput: throughput('Throughput, 90th percentile'),
  p99_throughput: throughput('Throughput, 99th percentile'),
} as const satisfies Record<string, MetricWord>;

export type Metric = keyof typeof METRICS;

export interface DimensionWord {
  readonly label: string;
  /** The values in order, if the dimension has a closed list of values. */
  readonly values?: readonly string[];
  /** Whether the values are whole numbers. */
  readonly numeric?: boolean;
}

/** Exclusive upper bounds of the prompt tokens in each bucket except the last. */
export const CONTEXT_LENGTH_BOUNDS = [1_000, 8_000, 32_000, 128_000, 1_000_000] as const;
const CONTEXT_LENGTH_BUCKETS = ['0-1k', '1k-8k', '8k-32k', '32k-128k', '128k-1m', '1m+'] as const;

/**
 * `user`: the member who created the key; `external_user`: the caller's own end user; `variant`: the text after the
 * colon in a model's slug.
 */
export const DIMENSIONS = {
  model: { label: 'Model' },
  variant: { label: 'Model variant' },
  api_key_id: { label: 'API key' },
  user: { label: 'Member' },
  workspace: { label: 'Workspace' },
  app: { label: 'App' },
  modality: { label: 'Modality', values: ['image', 'speech', 'chat', 'embeddings', 'transcription', 'rerank'] },
  status: { label: 'HTTP status', numeric: true },
  generation_id: { label: 'Generation' },
  provider: { label: 'Provider' },
  origin: { label: 'Origin' },
  country: { label: 'Country' },
  finish_reason: { label: 'Finish reason' },
  external_user: { label: 'End user' },
  context_length_bucket: { label: 'Context length', values: CONTEXT_LENGTH_BUCKETS },
} as const satisfies Record<string, DimensionWord>;

export type Dimension = keyof typeof DIMENSIONS;

export const OPERATORS = {
  eq: 'scalar',
  neq: 'scalar',
  in: 'array',
  not_in: 'array',
  gt: 'scalar',
  gte: 'scalar',
  lt: 'scalar',
  lte: 'scalar',
} as const;

export type Operator = keyof typeof OPERATORS;

/** Buckets begin on the whole minute, hour, day, Monday or month, in UTC. */
export const GRANULARITIES = { minute: 'Minute', hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' } as const;

export type Granularity = keyof typeof GRANULARITIES;
