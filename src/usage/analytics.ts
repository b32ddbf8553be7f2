import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { GatewayError } from '../kernel/errors.js';
import type { AnalyticsRequest, AnalyticsResult } from './analytics-query.js';
import { checkKeyFilters } from './query/key-filters.js';
import { planOf } from './query/plan-request.js';
import { Turns } from './query/turns.js';
import { UsageReader } from './usage-reader.port.js';

/** Answers aggregate queries over one account's calls. */
@Injectable()
export class Analytics {
  readonly #turns: Turns;

  constructor(
    private readonly reader: UsageReader,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.#turns = new Turns(config.values.ANALYTICS_CONCURRENCY);
  }

  /**
   * Throws invalid_request that names what is wrong, and deadline_exceeded after ANALYTICS_TIMEOUT_MS, waiting for a turn
   * included; the store's work then ends too.
   */
  async query(
    request: AnalyticsRequest,
    account: { id: string; no: number },
    caller: AbortSignal,
  ): Promise<AnalyticsResult> {
    const plan = planOf(request, account.no, this.clock.now());
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(this.#tooLate()), this.config.values.ANALYTICS_TIMEOUT_MS);
    try {
      const signal = AbortSignal.any([caller, deadline.signal]);
      const findings = await checkKeyFilters(plan, account.id, this.sql);
      const result = findings.nothingMatches
        ? NOTHING
        : await this.#turns.run(() => this.reader.read(plan, signal), signal);
      return { ...result, warnings: [...findings.warnings, ...result.warnings] };
    } finally {
      clearTimeout(timer);
    }
  }

  #tooLate(): GatewayError {
    return new GatewayError(
      'deadline_exceeded',
      `Operation timed out after ${this.config.values.ANALYTICS_TIMEOUT_MS / 1000}s. Please try again later.`,
    );
  }
}

const NOTHING: AnalyticsResult = { rows: Buffer.from('[]'), rowCount: 0, truncated: false, warnings: [] };
