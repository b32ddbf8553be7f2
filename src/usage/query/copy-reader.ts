import type { AnalyticsPlan, AnalyticsResult } from '../analytics-query.js';
import type { CallListPlan, StoredCalls } from '../call-list.js';
import { UsageReader } from './usage-reader.port.js';

/**
 * Results of a copy that lags more than this have a warning. Smaller lags are normal, because some rounds take longer.
 */
const LAG_WARNING_MS = 5_000;

export const STILL_FILLING = 'The analytics store is still being built';
export const OUT_OF_MEMORY = 'The analytics store has too little memory for this query (ANALYTICS_MEMORY_MB)';

/** Thrown if a copy cannot run a query. The records are read instead. The message is part of the warning. */
export class CopyAbsent extends Error {
  override name = 'CopyAbsent';
}

/**
 * Reads a columnar copy of the records. If the copy is missing or incomplete, reads the records instead. The records
 * are equally correct but slower to read, so the result of a query gets a warning.
 */
export abstract class CopyReader extends UsageReader {
  constructor(private readonly records: UsageReader) {
    super();
  }

  /** Throws CopyAbsent if the copy cannot run the query. */
  protected abstract readCopy(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult>;
  /** Throws CopyAbsent if the copy cannot run the query. */
  protected abstract listCopy(plan: CallListPlan, signal: AbortSignal): Promise<StoredCalls>;

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    try {
      return await this.readCopy(plan, signal);
    } catch (error) {
      if (!(error instanceof CopyAbsent)) throw error;
      const result = await this.records.read(plan, signal);
      return withWarning(result, `${error.message}: the query read the records themselves, which takes longer`);
    }
  }

  /** Only the records contain sessions. */
  async list(plan: CallListPlan, signal: AbortSignal): Promise<StoredCalls> {
    if (plan.sessionId !== null) return this.records.list(plan, signal);
    try {
      return await this.listCopy(plan, signal);
    } catch (error) {
      if (!(error instanceof CopyAbsent)) throw error;
      return this.records.list(plan, signal);
    }
  }
}

/**
 * Adds a warning to the result of a copy that lags. `behindMs`: the time since the copy last had every recorded call.
 */
export const withLagWarning = (result: AnalyticsResult, behindMs: number): AnalyticsResult =>
  behindMs <= LAG_WARNING_MS
    ? result
    : withWarning(
        result,
        `The analytics store is ${Math.ceil(behindMs / 1000)} s behind: the newest calls may be missing`,
      );

const withWarning = (result: AnalyticsResult, warning: string): AnalyticsResult => ({
  ...result,
  warnings: [...result.warnings, warning],
});
