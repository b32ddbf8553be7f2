/** What the recorded calls say of one model. */
export interface ModelTraffic {
  /** Calls answered in the window. */
  readonly requests: number;
  /** Tokens in and out within the last week. */
  readonly weeklyTokens: number;
  /** Median of completed calls, in tokens a second; null where none gave tokens over time. */
  readonly throughput: number | null;
  /** Median until the first byte, in milliseconds. */
  readonly latency: number | null;
  /** Share of the calls with a finish reason that finished with tool calls, from 0 to 1. */
  readonly toolSuccessRate: number | null;
}

/** Reads figures of all models from the recorded calls. A driver answers it: PostgreSQL here, a columnar store where there is one. */
export abstract class ModelTrafficSource {
  /** By model id. */
  abstract read(now: Date): Promise<ReadonlyMap<string, ModelTraffic>>;
}
