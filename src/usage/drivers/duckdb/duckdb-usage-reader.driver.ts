import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import { UsageReader } from '../../usage-reader.port.js';
import { FollowerAbsent, type FollowerProcess } from './follower-process.js';

/** A store that is being started for the first query is waited for so long before the records themselves are read. */
const PATIENCE_MS = 2_000;
/** As DuckDB begins it. Other questions go on being answered. */
const OUT_OF_MEMORY = /^Out of Memory Error/;

/**
 * Reads the columnar copy. Where that is not there or not complete yet, the records themselves answer, which is as right and
 * slower, and the answer says so.
 */
export class DuckDbUsageReader extends UsageReader {
  constructor(
    private readonly follower: FollowerProcess,
    private readonly records: UsageReader,
  ) {
    super();
  }

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    this.follower.start();
    if (!(await this.follower.isFollowing(PATIENCE_MS))) {
      return this.#fromRecords(
        plan,
        signal,
        this.follower.phase === 'filling'
          ? 'The analytics store is still being built'
          : 'The analytics store is not available',
      );
    }
    try {
      return await this.follower.read(plan, signal);
    } catch (error) {
      if (error instanceof FollowerAbsent)
        return this.#fromRecords(plan, signal, 'The analytics store is not available');
      if (OUT_OF_MEMORY.test((error as Error).message))
        return this.#fromRecords(
          plan,
          signal,
          'The analytics store has too little memory for this question (ANALYTICS_MEMORY_MB)',
        );
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
