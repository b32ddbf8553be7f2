import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { MetricFamily } from '../telemetry/metric-family.js';
import { Metrics } from '../telemetry/metrics.js';
import { INTERN_STATUSES } from './lifecycle.js';

/** A scrape waits at most this long for the database. */
const TIMEOUT_MS = 2_000;

/** The number of interns in each status, on all replicas. */
@Injectable()
export class InternMetrics {
  constructor(
    metrics: Metrics,
    private readonly sql: Sql,
  ) {
    metrics.add('interns', () => this.#families());
  }

  async #families(): Promise<MetricFamily[]> {
    const rows = await this.sql.query<{ status: string; interns: number }>(
      'select status, count(*)::int as interns from intern group by status',
      [],
      { timeoutMs: TIMEOUT_MS },
    );
    const counts = new Map(rows.map(({ status, interns }) => [status, interns]));
    const samples = INTERN_STATUSES.map((status) => ({ labels: { status }, value: counts.get(status) ?? 0 }));
    return [{ type: 'gauge', name: 'gatehouse_interns', help: 'Interns by status, of all replicas.', samples }];
  }
}
