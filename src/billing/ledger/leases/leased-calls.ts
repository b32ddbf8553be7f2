import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql.js';
import type { Nano } from '../../../kernel/money.js';
import type { GenerationRecord } from '../../../usage/generation-record.js';
import type { FinishOutcome } from '../commits/ledger-commits.port.js';
import { elementText, IsoTexts } from '../composite-text.js';
import type { LeasedAmounts, LeasedCall } from './credit-lease.js';
import { CreditLeases } from './credit-leases.js';
import { recordTexts } from '../ledger-rows.js';
import { Ledger } from '../ledger.js';

/** The end of a call on a lease. */
export interface LeasedFinish {
  readonly call: LeasedCall;
  /** The amounts that the call takes from the lease. */
  readonly spent: LeasedAmounts;
  /** True if the call is settled at its price; false if it is only recorded. */
  readonly settle: boolean;
  /** The amount that is paid from the account's credits. */
  readonly cost: Nano;
  /** The amount that was spent on the caller's own credential. */
  readonly byokCost: Nano;
  readonly record: GenerationRecord | null;
  /** Whether this end was sent before and its outcome is unknown. */
  readonly isRepeated: boolean;
}

/** Settles calls that were reserved in memory. */
@Injectable()
export class LeasedCalls {
  readonly #isoTexts = new IsoTexts();

  constructor(
    private readonly sql: Sql,
    private readonly ledger: Ledger,
    readonly leases: CreditLeases,
  ) {}

  /** The end is durable when the promise resolves. The outcome is `lost` if the lease was swept. */
  finish({ call, spent, settle, cost, byokCost, record, isRepeated }: LeasedFinish): Promise<FinishOutcome> {
    const { generationId: id, lease } = call;
    // The database allows no further journal entry for the lease, so that a delayed first attempt has no effect.
    if (isRepeated) lease.drain();
    const finish = elementText([
      id,
      lease.id,
      lease.accountNo,
      lease.keyNo,
      this.#isoTexts.of(call.at),
      spent.account,
      spent.key,
      settle,
      cost,
      byokCost,
      isRepeated,
    ]);
    return this.ledger.commits.finishLeased({
      id,
      leaseId: lease.id,
      accountNo: lease.accountNo,
      unsettledCalls: lease.unsettledCalls,
      keyDay: lease.keyDay,
      isJournaled: record !== null && !lease.isDraining,
      finish,
      ...recordTexts(record, settle ? cost : 0n),
    });
  }

  /** Gives a call a reservation for the amounts that it holds on a lease. Returns false if the lease was swept. */
  async separate({ lease, generationId, at, account, key }: LeasedCall): Promise<boolean> {
    const [row] = await this.sql.query<{ done: boolean }>(
      'select ledger_unlease($1, $2, $3, $4, $5, $6, $7, $8) as done',
      [
        this.ledger.leaseMs,
        lease.accountNo,
        lease.id,
        generationId,
        account,
        key,
        at.toISOString(),
        lease.unsettledCalls - 1,
      ],
    );
    return row!.done;
  }
}
