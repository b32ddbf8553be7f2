import type { AnalyticsPlan, AnalyticsResult } from '../analytics-query.js';
import type { CallListPlan, StoredCalls } from '../call-list.js';

/**
 * Runs planned reads of the usage records. Each read is limited to the account of its plan. When the signal aborts, the
 * store's work is cancelled and the promise rejects with the signal's reason.
 */
export abstract class UsageReader {
  abstract read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult>;
  abstract list(plan: CallListPlan, signal: AbortSignal): Promise<StoredCalls>;
}
