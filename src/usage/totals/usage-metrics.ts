import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { MetricFamily } from '../../telemetry/metric-family.js';
import { Metrics } from '../../telemetry/metrics.js';
import { FollowerProcess } from '../drivers/duckdb/follower-process.js';
import { usageFamilies } from './usage-families.js';

/** Metrics of recorded calls, and of the copies that are made of them. */
@Injectable()
export class UsageMetrics {
  constructor(
    metrics: Metrics,
    sql: Sql,
    private readonly follower: FollowerProcess,
  ) {
    metrics.add('usage', () => usageFamilies(sql));
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
