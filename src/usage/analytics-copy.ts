import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ClickHouseCopy } from './drivers/clickhouse/clickhouse-copy.js';
import { FollowerProcess } from './drivers/duckdb/follower-process.js';

/** The progress of this replica's analytics store, or of the shared store in ClickHouse. */
export interface AnalyticsCopyState {
  readonly store: Config['values']['ANALYTICS_STORE'] | 'clickhouse';
  readonly phase: 'filling' | 'following' | 'starting' | 'stopped';
  /** Milliseconds since the store last had every recorded call; undefined = unknown, or the store is not running. */
  readonly lagMs: number | undefined;
}

/** The columnar copy of the records, which analytics queries read. */
@Injectable()
export class AnalyticsCopy {
  constructor(
    private readonly follower: FollowerProcess,
    private readonly clickHouse: ClickHouseCopy,
    private readonly config: Config,
  ) {}

  async state(): Promise<AnalyticsCopyState> {
    if (this.clickHouse.isConfigured) {
      // While the database is unavailable, the progress is unknown.
      const progress = await this.clickHouse.progress().catch(() => undefined);
      return { store: 'clickhouse', phase: progress?.phase ?? 'starting', lagMs: progress?.behindMs ?? undefined };
    }
    const { phase, lagMs, pid } = this.follower;
    const store = this.config.values.ANALYTICS_STORE;
    return { store, phase: phase ?? (pid === undefined ? 'stopped' : 'starting'), lagMs };
  }
}
