import { Injectable } from '@nestjs/common';
import type { GenerationRecord } from '../usage/generation-record.js';
import { FreeCallLedger } from './ledger/free-call-ledger.js';
import { CreditLeases } from './ledger/leases/credit-leases.js';
import { Ledger } from './ledger/ledger.js';
import { amountsOf, type AttemptBudget, type Payer } from './bill.js';
import { refusalError } from './reservation-refusals.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

export interface FreeCallRequest {
  /** The id contains the time `at`. */
  readonly generationId: string;
  readonly at: Date;
  readonly payer: Payer;
  readonly record: GenerationRecord;
  /** The maximum cost of the call if it were sent to a vendor. Absent: the limits were already checked. */
  readonly budget?: AttemptBudget;
}

/** Records calls that cost nothing because they reuse the response of another call. */
@Injectable()
export class FreeCalls {
  constructor(
    private readonly calls: FreeCallLedger,
    private readonly ledger: Ledger,
    private readonly leases: CreditLeases,
  ) {}

  /** Throws the error of a refused reservation if `budget` could not be reserved. Nothing is recorded then. */
  async record({ generationId: id, at, payer, record, budget }: FreeCallRequest): Promise<void> {
    const { accountNo, keyNo, parentKey } = payer;
    const amounts = budget && amountsOf(budget, payer);
    const call = { id, at, accountNo, keyNo, parentNo: parentKey?.no ?? null, record, amounts };
    const until = performance.now() + this.ledger.timeoutMs;
    const outcome = await this.leases.withRecall(accountNo, () =>
      retryWhileUnavailable(until, () => this.calls.record(call)),
    );
    if (outcome !== 'done') throw refusalError(outcome);
  }
}
