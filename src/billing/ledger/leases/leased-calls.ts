import type { Sql } from '../../../database/sql.js';
import type { Nano } from '../../../kernel/money.js';
import type { GenerationRecord } from '../../../usage/generation-record.js';
import { compositeArrayText } from '../composite-text.js';
import type { LeasedAmounts, LeasedCall } from './credit-lease.js';
import type { CreditLeases } from './credit-leases.js';
import { GroupCommit } from '../group-commit.js';
import { IsoTexts } from '../iso-texts.js';
import { detailsText, outcomesOf, usageRow, type OutcomeRow } from '../ledger-rows.js';
import type { FinishOutcome, Ledger } from '../ledger.js';

/** The end of a call on a lease. */
export interface LeasedFinish {
  readonly call: LeasedCall;
  /** What the call takes from the lease. */
  readonly spent: LeasedAmounts;
  /** Settled at its price, or only recorded. */
  readonly settle: boolean;
  /** Paid from the platform's credits. */
  readonly cost: Nano;
  /** Spent on the caller's own credential. */
  readonly byokCost: Nano;
  readonly record: GenerationRecord | null;
  /** Whether it was sent before, and the outcome is unknown. */
  readonly isRepeated: boolean;
}

const OF_ONE_LEASE = 'select * from ledger_finish_lease($1, $2, $3)';
const OF_ANY_LEASES = `select * from ledger_finish_leased($1, $2, $3) where outcome <> 'done'`;

/** Whether a batch may take the fast path: a lease is of one key and one day. */
const areUsual = (items: readonly LeasedFinish[]): boolean =>
  items.every(({ call, record, isRepeated }) => call.lease === items[0]!.call.lease && record && !isRepeated);

/** Settles calls that were reserved in memory; batches what ends together. */
export class LeasedCalls {
  readonly #finishes: GroupCommit<LeasedFinish, FinishOutcome>;
  readonly #isoTexts = new IsoTexts();

  constructor(
    private readonly sql: Sql,
    private readonly ledger: Ledger,
    readonly leases: CreditLeases,
  ) {
    this.#finishes = new GroupCommit(
      (items) => this.#flush(items),
      undefined,
      undefined,
      (size, seconds) => ledger.cells.batch('finish', size, seconds),
    );
  }

  /** Durable when it resolves. Lost where the lease was swept. */
  finish(finish: LeasedFinish): Promise<FinishOutcome> {
    return this.#finishes.submit(finish);
  }

  /** Turns what a call holds into a reservation with the id of the call; false where the lease was swept. */
  async separate({ lease, generationId, at, account, key }: LeasedCall): Promise<boolean> {
    const [row] = await this.sql.query<{ done: boolean }>('select ledger_unlease($1, $2, $3, $4, $5, $6) as done', [
      this.ledger.leaseMs,
      lease.id,
      generationId,
      account,
      key,
      at.toISOString(),
    ]);
    return row!.done;
  }

  idle(): Promise<void> {
    return this.#finishes.idle();
  }

  async #flush(items: readonly LeasedFinish[]): Promise<FinishOutcome[]> {
    const rows = items.map(({ call, spent, settle, cost, byokCost, isRepeated }) => [
      call.generationId,
      call.lease.id,
      call.lease.accountNo,
      call.lease.keyNo,
      this.#isoTexts.of(call.at),
      spent.account,
      spent.key,
      settle,
      cost,
      byokCost,
      isRepeated,
    ]);
    const records = items.map(({ record }) => record);
    const lost = await this.sql.query<OutcomeRow<FinishOutcome>>(areUsual(items) ? OF_ONE_LEASE : OF_ANY_LEASES, [
      compositeArrayText(rows),
      compositeArrayText(items.map(({ record, settle, cost }) => usageRow(record, settle ? cost : 0n))),
      detailsText(records),
    ]);
    return outcomesOf(
      items.map(({ call }) => call.generationId),
      lost,
      'done',
    );
  }
}
