import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { single, type MetricFamily } from '../telemetry/metric-family.js';
import { Metrics } from '../telemetry/metrics.js';
import { Anomalies } from './ledger/anomalies.js';
import { FailoverLosses } from './ledger/commits/failover-losses.js';
import { LedgerCells } from './ledger/ledger-cells.js';
import { Spending } from './spending.js';

/** A scrape waits at most this long for the database. */
const TIMEOUT_MS = 2_000;

/** Billing metrics: the counters of this process, and the number of unknown outcomes of all processes. */
@Injectable()
export class BillingMetrics {
  constructor(
    metrics: Metrics,
    cells: LedgerCells,
    spending: Spending,
    anomalies: Anomalies,
    private readonly sql: Sql,
    losses: FailoverLosses,
  ) {
    metrics.add('ledger', () => [
      ...cells.families(),
      ...losses.families(),
      single(
        'gauge',
        'gatehouse_open_calls',
        'Open calls in this process, including calls that wait to be started.',
        spending.openCalls,
      ),
      anomalies.family(),
    ]);
    metrics.add('outcomes', () => this.#unknownOutcomes(), { isShared: true });
  }

  async #unknownOutcomes(): Promise<MetricFamily[]> {
    const [row] = await this.sql.query<{ calls: string; unlisted: string }>(
      `select coalesce(sum(unknown_outcomes), 0)::text as calls, coalesce(sum(unlisted_outcomes), 0)::text as unlisted
       from account_balance`,
      [],
      { timeoutMs: TIMEOUT_MS },
    );
    const help = 'Calls whose service died or lost the database before they were settled; they are not billed.';
    const unlistedHelp =
      'Calls of unknown outcome of which only the number is known, because no renewal of their lease listed them.';
    return [
      single('counter', 'gatehouse_unknown_outcomes_total', help, row!.calls),
      single('counter', 'gatehouse_unlisted_outcomes_total', unlistedHelp, row!.unlisted),
    ];
  }
}
