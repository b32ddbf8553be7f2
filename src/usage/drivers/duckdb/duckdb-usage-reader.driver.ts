import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { CallListPlan, StoredCalls } from '../../call-list.js';
import { UsageReader } from '../../query/usage-reader.port.js';
import { FollowerAbsent, type FollowerProcess } from './follower-process.js';

/** How long the first query waits for a starting store before it reads the records. */
const START_TIMEOUT_MS = 2_000;
/** The start of DuckDB's message. Other queries still work. */
const OUT_OF_MEMORY = /^Out of Memory Error/;

/**
 * Reads the columnar copy. If it is missing or incomplete, reads the records instead, which is equally correct but
 * slower, and adds a warning.
 */
export class DuckDbUsageReader extends UsageReader {
  constructor(
    private readonly follower: FollowerProcess,
    private readonly records: UsageReader,
  ) {
    super();
  }

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    const stored = await this.#fromCopy(() => this.follower.read(plan, signal));
    return 'result' in stored ? stored.result : this.#fromRecords(plan, signal, stored.absent);
  }

  /** Sessions are in the records only. */
  async list(plan: CallListPlan, signal: AbortSignal): Promise<StoredCalls> {
    if (plan.sessionId !== null) return this.records.list(plan, signal);
    const stored = await this.#fromCopy(() => this.follower.list(plan, signal));
    return 'result' in stored ? stored.result : this.records.list(plan, signal);
  }

  /** Why the copy cannot be read, if it cannot. */
  async #fromCopy<T>(read: () => Promise<T>): Promise<{ readonly result: T } | { readonly absent: string }> {
    this.follower.start();
    if (!(await this.follower.isFollowing(START_TIMEOUT_MS)))
      return {
        absent:
          this.follower.phase === 'filling'
            ? 'The analytics store is still being built'
            : 'The analytics store is not available',
      };
    try {
      return { result: await read() };
    } catch (error) {
      if (error instanceof FollowerAbsent) return { absent: 'The analytics store is not available' };
      if (OUT_OF_MEMORY.test((error as Error).message))
        return { absent: 'The analytics store has too little memory for this question (ANALYTICS_MEMORY_MB)' };
      throw error;
    }
  }

  async #fromRecords(plan: AnalyticsPlan, signal: AbortSignal, why: string): Promise<AnalyticsResult> {
    const result = await this.records.read(plan, signal);
    return {
      ...result,
      warnings: [...result.warnings, `${why}: this was answered from the records themselves, which takes longer`],
    };
  }
}
