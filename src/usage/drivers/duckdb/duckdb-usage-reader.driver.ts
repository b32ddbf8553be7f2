import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { CallListPlan, StoredCalls } from '../../call-list.js';
import { CopyAbsent, CopyReader, OUT_OF_MEMORY, STILL_FILLING } from '../../query/copy-reader.js';
import type { UsageReader } from '../../query/usage-reader.port.js';
import { FollowerAbsent, type FollowerProcess } from './follower-process.js';

/** The time for which queries wait for a store that is starting. After that, they read the records. */
const START_TIMEOUT_MS = 2_000;
/** The start of DuckDB's message for a query that needs too much memory. Other queries still work. */
const OUT_OF_MEMORY_MESSAGE = /^Out of Memory Error/;
const NOT_AVAILABLE = 'The analytics store is not available';

/** Reads the copy in DuckDB. */
export class DuckDbUsageReader extends CopyReader {
  constructor(
    private readonly follower: FollowerProcess,
    records: UsageReader,
  ) {
    super(records);
  }

  protected readCopy(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    return this.#fromCopy(() => this.follower.read(plan, signal));
  }

  protected listCopy(plan: CallListPlan, signal: AbortSignal): Promise<StoredCalls> {
    return this.#fromCopy(() => this.follower.list(plan, signal));
  }

  async #fromCopy<T>(read: () => Promise<T>): Promise<T> {
    this.follower.start();
    if (!(await this.follower.isFollowing(START_TIMEOUT_MS)))
      throw new CopyAbsent(this.follower.phase === 'filling' ? STILL_FILLING : NOT_AVAILABLE);
    try {
      return await read();
    } catch (error) {
      if (error instanceof FollowerAbsent) throw new CopyAbsent(NOT_AVAILABLE, { cause: error });
      if (OUT_OF_MEMORY_MESSAGE.test((error as Error).message)) throw new CopyAbsent(OUT_OF_MEMORY, { cause: error });
      throw error;
    }
  }
}
