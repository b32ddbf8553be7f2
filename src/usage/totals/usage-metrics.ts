import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { MetricFamily } from '../../telemetry/metric-family.js';
import { Metrics } from '../../telemetry/metrics.js';
import { AnalyticsCopy } from '../analytics-copy.js';
import { usageFamilies } from './usage-families.js';

/** Metrics of the recorded calls and of their columnar copies. */
@Injectable()
export class UsageMetrics {
  constructor(
    metrics: Metrics,
    sql: Sql,
    private readonly copy: AnalyticsCopy,
  ) {
    metrics.add('usage', () => usageFamilies(sql));
    metrics.add('analytics', async () => [await this.#lag()]);
  }

  async #lag(): Promise<MetricFamily> {
    const { lagMs } = await this.copy.state();
    return {
      type: 'gauge',
      name: 'gatehouse_follower_lag_seconds',
      help: 'Time since the analytics store of this replica had every recorded call; absent while it does not run.',
      samples: lagMs === undefined ? [] : [{ labels: {}, value: lagMs / 1000 }],
    };
  }
}
