import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { MetricFamily } from '../telemetry/metric-family.js';
import { Metrics } from '../telemetry/metrics.js';
import { FollowerProcess } from './drivers/duckdb/follower-process.js';
import { usageFamilies } from './totals/usage-families.js';

/** A scrape does not wait longer for the database. */
const TIMEOUT_MS = 2_000;

/** Metrics of recorded calls, and of the copies that are made of them. */
@Injectable()
export class UsageMetrics {
  constructor(
    metrics: Metrics,
    sql: Sql,
    private readonly follower: FollowerProcess,
  ) {
    const session: Parameters<typeof usageFamilies>[0] = {
      query: (text, params) => sql.query(text, params, { timeoutMs: TIMEOUT_MS }),
    };
    metrics.add('usage', () => usageFamilies(session));
    metrics.add('analytics', () => [this.#lag()]);
  }

  #lag(): MetricFamily {
    const { lagMs } = this.follower;
    return {
      type: 'gauge',
      name: 'gatehouse_follower_lag_seconds',
      help: 'Time since the analytics store of this replica had every recorded call; absent while it does not run.',
      samples: lagMs === undefined ? [] : [{ labels: {}, value: lagMs / 1000 }],
    };
  }
}
