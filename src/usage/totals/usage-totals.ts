import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { countUsage, hasUncounted } from './count-usage.js';

const INTERVAL_MS = 1_000;
/** After a pause there may be many calls to count. */
const TIMEOUT_MS = 120_000;

/**
 * Adds the recorded calls in the outbox to the totals. Only one replica counts at a time, because counting locks the
 * row of the position. Totals and position change in one transaction, so that each call is counted once, even if a
 * process is killed. Counting also runs while metrics are not exported, so that the totals are complete once they are
 * exported.
 */
@Injectable()
export class UsageTotals implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(UsageTotals.name);
  readonly #counting = new Periodic(
    () => this.count(),
    (error) => {
      if (!this.#isFailing) this.#log.warn(`Calls could not be added to the totals; this is retried: ${error.message}`);
      this.#isFailing = true;
    },
  );
  /** Whether the last count failed, so that an outage is logged once. */
  #isFailing = false;

  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.#counting.start(INTERVAL_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.#counting.stop();
  }

  /** Returns the number of calls that were added; 0 while another replica counts. */
  async count(): Promise<number> {
    const maxSeries = this.config.values.METRICS_MAX_SERIES;
    const counted = await this.sql.transaction(
      async (session) => ((await hasUncounted(session)) ? countUsage(session, { maxSeries }) : 0),
      { timeoutMs: TIMEOUT_MS, byIndex: true },
    );
    this.#isFailing = false;
    return counted;
  }
}
