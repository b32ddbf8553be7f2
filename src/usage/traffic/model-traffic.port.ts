/** Statistics of one model's recorded calls. */
export interface ModelTraffic {
  /** Successful calls of the last week. */
  readonly requests: number;
  /** Prompt and completion tokens of the last week. */
  readonly weeklyTokens: number;
  /** Median of completed calls, in tokens per second; null without calls that produced tokens. */
  readonly throughput: number | null;
  /** Median time to the first byte, in milliseconds. */
  readonly latency: number | null;
  /** The share of calls that finished with tool calls, among the calls with a finish reason, from 0 to 1. */
  readonly toolSuccessRate: number | null;
  /**
   * The purposes that callers name for their use of the model, in alphabetical order. At least three accounts have
   * named each purpose.
   */
  readonly categories: readonly string[];
}

/** Reads the statistics of all models from the recorded calls. */
export abstract class ModelTrafficSource {
  /** By model id. */
  abstract read(now: Date): Promise<ReadonlyMap<string, ModelTraffic>>;
}
