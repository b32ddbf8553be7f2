/** Statistics of one model's recorded calls. */
export interface ModelTraffic {
  /** Successful calls in the window. */
  readonly requests: number;
  /** Prompt and completion tokens of the last week. */
  readonly weeklyTokens: number;
  /** Median of completed calls, in tokens per second; null without calls that produced tokens. */
  readonly throughput: number | null;
  /** Median time to the first byte, in milliseconds. */
  readonly latency: number | null;
  /** Share of the calls with a finish reason that finished with tool calls, from 0 to 1. */
  readonly toolSuccessRate: number | null;
  /** The purposes for which callers say they use the model, if at least three accounts agree. In alphabetical order. */
  readonly categories: readonly string[];
}

/** Reads the statistics of all models from the recorded calls. */
export abstract class ModelTrafficSource {
  /** By model id. */
  abstract read(now: Date): Promise<ReadonlyMap<string, ModelTraffic>>;
}
