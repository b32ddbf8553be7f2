import type { AnalyticsPlan, AnalyticsResult } from './analytics-query.js';

/** Answers planned queries over the usage records. */
export abstract class UsageReader {
  /**
   * Reads nothing but the plan's account.
   * When the signal aborts, the work in the store ends too and the promise rejects with the signal's reason.
   */
  abstract read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult>;
}
