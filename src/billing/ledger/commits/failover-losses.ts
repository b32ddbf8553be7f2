import type { OnModuleDestroy } from '@nestjs/common';
import type { Sql } from '../../../database/sql.js';
import { isDatabaseUnavailable, isHidden, TIMELINE } from '../../../database/database-faults.js';
import { nanoToText } from '../../../kernel/money.js';
import { Periodic } from '../../../kernel/scheduling/periodic.js';
import { single, type MetricFamily } from '../../../telemetry/metric-family.js';
import { arrayText } from '../composite-text.js';
import { postJournals } from './journal-posts.js';

/**
 * At least this many of the newest settlements are remembered, and at most twice as many. The minimum is about one
 * minute of calls at 300 calls per second.
 */
const MAX_REMEMBERED = 20_000;
const INTERVAL_MS = 2_000;
const TIMEOUT_MS = 60_000;

/** Counts the missing settlements. $1: calls with reservations of their own. $2: calls on credit leases. */
const MISSING = `select count(*)::int as calls, coalesce(sum(cost), 0)::text as cost from (
    select i.c as cost from unnest($1::ledger_finish_item[]) i
    where i.s and not exists (
      select from reservation v where v.account_no = i.a and v.id = i.r and v.state = 'settled')
    union all
    select i.c from unnest($2::ledger_leased_item[]) i
    where i.s and not exists (
      select from generation g where g.account_no = i.a and g.created_at = i.t and g.id = i.r)) missing`;

type Kind = 'reserved' | 'leased';

/**
 * Remembers the settlements whose commit PostgreSQL confirmed to this process. After a failover, counts the settlements
 * that the new primary does not have, and reports them in a log line and in metrics. Lost settlements are not posted
 * again, because they were checked against the reservations and limits of the former primary, and the new primary may
 * have different reservations and limits.
 */
export class FailoverLosses implements OnModuleDestroy {
  #remembered: (readonly [kind: Kind, text: string])[] = [];
  #isStarted = false;
  #timeline: string | undefined;
  #failovers = 0;
  #lostCalls = 0;
  #lostNano = 0n;
  readonly #checks = new Periodic(
    () => this.check(),
    (error) => {
      if (isDatabaseUnavailable(error)) return;
      this.report(`Losses of a failover could not be counted: ${error.message}`);
      // The next check would fail too.
      if (isHidden(error)) void this.#checks.stop();
    },
  );

  /** `report` receives a line for each failover, even if its losses could not be counted. */
  constructor(
    private readonly sql: Sql,
    private readonly report: (line: string) => void,
  ) {}

  onModuleDestroy(): Promise<void> {
    return this.#checks.stop();
  }

  /** Must be called when a batch is committed, with the texts of its items. The first call starts the checks. */
  committed(kind: Kind, texts: readonly string[]): void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#checks.start(INTERVAL_MS);
      void this.#checks.trigger();
    }
    for (const text of texts) this.#remembered.push([kind, text]);
    if (this.#remembered.length > 2 * MAX_REMEMBERED) this.#remembered = this.#remembered.slice(-MAX_REMEMBERED);
  }

  async check(): Promise<void> {
    const [row] = await this.sql.query<{ timeline: string }>(`select ${TIMELINE} as timeline`);
    const { timeline } = row!;
    const before = this.#timeline;
    if (before !== undefined && before !== timeline) {
      const remembered = this.#remembered;
      const textsOf = (kind: Kind): string =>
        arrayText(remembered.filter(([of]) => of === kind).map(([, text]) => text));
      await postJournals(this.sql, null, { timeoutMs: TIMEOUT_MS });
      const [missing] = await this.sql.query<{ calls: number; cost: string }>(
        MISSING,
        [textsOf('reserved'), textsOf('leased')],
        { timeoutMs: TIMEOUT_MS },
      );
      this.#remembered = this.#remembered.slice(remembered.length);
      this.#note(missing!.calls, BigInt(missing!.cost), remembered.length);
    }
    this.#timeline = timeline;
  }

  families(): MetricFamily[] {
    return [
      single(
        'counter',
        'gatehouse_failovers_total',
        'Failovers of PostgreSQL that this process detected.',
        this.#failovers,
      ),
      single(
        'counter',
        'gatehouse_failover_lost_calls_total',
        'Settled calls that were lost with the former PostgreSQL server. Their callers got responses, but ' +
          'they are not billed.',
        this.#lostCalls,
      ),
      single(
        'counter',
        'gatehouse_failover_lost_usd_total',
        'The price of these calls in USD.',
        nanoToText(this.#lostNano),
      ),
    ];
  }

  #note(calls: number, nano: bigint, of: number): void {
    this.#failovers++;
    this.#lostCalls += calls;
    this.#lostNano += nano;
    const found =
      calls === 0
        ? `all of the last ${of} calls that this process settled are still recorded`
        : `${calls} of the last ${of} calls that this process settled are lost (${nanoToText(nano)} USD): ` +
          'their callers got responses, but they are not billed';
    this.report(`PostgreSQL failed over to another server; ${found}`);
  }
}
