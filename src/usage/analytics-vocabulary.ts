/**
 * The words of analytics: what can be asked for (specification, "Analytics query request"; wire-notes section 5).
 * Nothing here is SQL; the columns behind the words lie in query/.
 */
export type DisplayFormat = 'number' | 'currency' | 'percent' | 'latency' | 'throughput';

export interface MetricWord {
  readonly label: string;
  readonly format: DisplayFormat;
  /** Speed metrics need every single call and reach back 31 days, the others 365. */
  readonly speed: boolean;
}

const volume = (label: string): MetricWord => ({ label, format: 'number', speed: false });
const cost = (label: string): MetricWord => ({ label, format: 'currency', speed: false });
const share = (label: string): MetricWord => ({ label, format: 'percent', speed: false });
const latency = (label: string): MetricWord => ({ label, format: 'latency', speed: true });
const throughput = (label: string): MetricWord => ({ label, format: 'throughput', speed: true });

/**
 * Calls that failed count as requests and as errors; latency (ms to the first byte) and throughput (completion tokens
 * per second) are those of calls that succeeded. Currency is USD, shares are from 0 to 1.
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
  /** Grouping by it reaches back 31 days, by the others 365. */
  readonly perGeneration: boolean;
  /** The values it can take, in their order, where they are a closed list. */
  readonly values?: readonly string[];
  /** Its values are whole numbers. */
  readonly numeric?: boolean;
}

/** Upper bounds (exclusive) of the prompt's tokens in each bucket but the last. */
export const CONTEXT_LENGTH_BOUNDS = [1_000, 8_000, 32_000, 128_000, 1_000_000] as const;
const CONTEXT_LENGTH_BUCKETS = ['0-1k', '1k-8k', '8k-32k', '32k-128k', '128k-1m', '1m+'] as const;

/** `user` is the member who made the key; `external_user` the caller's own end user; `variant` what follows the colon in a model's slug. */
export const DIMENSIONS = {
  model: { label: 'Model', perGeneration: false },
  variant: { label: 'Model variant', perGeneration: false },
  api_key_id: { label: 'API key', perGeneration: false },
  user: { label: 'Member', perGeneration: false },
  workspace: { label: 'Workspace', perGeneration: false },
  app: { label: 'App', perGeneration: false },
  modality: { label: 'Modality', perGeneration: false, values: ['image', 'speech', 'chat', 'embeddings'] },
  status: { label: 'HTTP status', perGeneration: false, numeric: true },
  generation_id: { label: 'Generation', perGeneration: true },
  provider: { label: 'Provider', perGeneration: true },
  origin: { label: 'Origin', perGeneration: true },
  country: { label: 'Country', perGeneration: true },
  finish_reason: { label: 'Finish reason', perGeneration: true },
  external_user: { label: 'End user', perGeneration: true },
  context_length_bucket: { label: 'Context length', perGeneration: true, values: CONTEXT_LENGTH_BUCKETS },
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
