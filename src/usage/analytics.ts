import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import type { AnalyticsRequest, AnalyticsResult } from './analytics-query.js';
import { BoundedReads } from './query/bounded-reads.js';
import { checkKeyFilters } from './query/key-filters.js';
import { planOf } from './query/plan-request.js';
import { UsageReader } from './query/usage-reader.port.js';

/** Aggregate queries over one account's calls. */
@Injectable()
export class Analytics {
  constructor(
    private readonly reader: UsageReader,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly reads: BoundedReads,
  ) {}

  /**
   * Throws invalid_request, which names the mistake. Throws deadline_exceeded after the timeout, and then cancels the
   * query of the store.
   */
  async query(
    request: AnalyticsRequest,
    account: { id: string; no: number },
    caller: AbortSignal,
  ): Promise<AnalyticsResult> {
    const plan = planOf(request, account.no, this.clock.now());
    let warnings: readonly string[] = [];
    const result = await this.reads.run(
      caller,
      (signal) => this.reader.read(plan, signal),
      async () => {
        const findings = await checkKeyFilters(plan, account.id, this.sql);
        ({ warnings } = findings);
        return findings.nothingMatches ? EMPTY_RESULT : undefined;
      },
    );
    return { ...result, warnings: [...warnings, ...result.warnings] };
  }
}

const EMPTY_RESULT: AnalyticsResult = { rows: Buffer.from('[]'), rowCount: 0, truncated: false, warnings: [] };
