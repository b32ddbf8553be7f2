import { Injectable } from '@nestjs/common';
import type { GatewayError } from '../kernel/errors/errors.js';
import { Overload } from '../kernel/scheduling/overload.js';
import type { AttemptBudget, BudgetSubject, Payer } from './bill.js';
import { BudgetDirectory } from './budgets/budget-directory.js';
import { LeasedCalls } from './ledger/leases/leased-calls.js';
import { Leases } from './ledger/leases.js';
import type { Refusal } from './ledger/ledger-rows.js';
import { Ledger } from './ledger/ledger.js';
import type { FoundBudgets } from './ledger/named-budgets.js';
import { toBudgetRefusal, refusalError } from './reservation-refusals.js';

/** The services that reserve and settle calls. */
@Injectable()
export class LedgerAccess {
  constructor(
    readonly ledger: Ledger,
    readonly leases: Leases,
    /** Absent if each call has a reservation of its own. */
    readonly credit?: LeasedCalls,
    /** Absent if no call counts in a budget. */
    readonly budgets?: BudgetDirectory,
    /** Receives the number of running calls, and the duration of settlements. */
    readonly overload?: Overload,
  ) {}

  /** The budgets that an attempt of a call counts in. */
  budgetsOf(request: OpenRequest, attempt: AttemptBudget): FoundBudgets {
    return this.budgets?.of(request.payer, request, attempt);
  }

  /** The error for a refused reservation; `at` = the start of the call. */
  async refusalOf(refusal: Refusal, at: Date): Promise<GatewayError> {
    const budget = refusal.budget && (await this.budgets?.budget(refusal.budget.no));
    return budget ? toBudgetRefusal(refusal, budget, at) : refusalError(refusal);
  }
}

/** A call to reserve. */
export interface OpenRequest extends BudgetSubject {
  readonly payer: Payer;
  /** The requested model. */
  readonly model: string;
  /** The first attempt. */
  readonly first: AttemptBudget;
  /** Called after a budget has refused an attempt. Returns the next attempt to reserve; undefined = refuse the call. */
  readonly afterRefusal?: (error: unknown) => AttemptBudget | undefined;
}
