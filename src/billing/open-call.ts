import { GatewayError } from '../kernel/errors/errors.js';
import { newId } from '../kernel/ids.js';
import { lesser, type Nano } from '../kernel/money.js';
import { currentRequest } from '../kernel/request-scope.js';
import type { GenerationRecord } from '../usage/generation-record.js';
import { amountsOf, type AttemptBudget, type Bill, type Payer } from './bill.js';
import type { LedgerAccess, OpenRequest } from './ledger-access.js';
import type { FinishOutcome } from './ledger/commits/ledger-commits.port.js';
import type { LeasedAmounts, LeasedCall } from './ledger/leases/credit-lease.js';
import type { Ledger, ReservationOutcome } from './ledger/ledger.js';
import { holdsOf, mayLease, type NamedBudgets } from './ledger/named-budgets.js';
import { refusalError } from './reservation-refusals.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

/** A call whose worst case has its own reservation or is held on a credit lease. Settled or released exactly once. */
export class OpenCall {
  /** Whether no other call of the account was open in this process at any time since this call began. */
  isAlone = true;
  readonly #receivedAt = currentRequest()?.receivedAt ?? performance.now();
  #reservationId = '';
  /** The amounts that the call holds on a credit lease; undefined = the call has a reservation of its own. */
  #leased: LeasedCall | undefined;
  #attempt: AttemptBudget;
  /** The budgets that the attempt counts in; undefined = none. */
  #budgets: NamedBudgets | undefined;
  #ended = false;
  #vendorMs = 0;
  #isAtVendor = false;

  constructor(
    readonly generationId: string,
    private readonly request: OpenRequest,
    private readonly access: LedgerAccess,
    private readonly startedAt: Date,
  ) {
    this.#attempt = request.first;
  }

  get payer(): Payer {
    return this.request.payer;
  }

  /** The attempt of the current reservation. */
  get attempt(): AttemptBudget {
    return this.#attempt;
  }

  enterVendor(): void {
    if (!this.#isAtVendor) this.access.overload?.callLeft();
    this.#isAtVendor = true;
  }

  /** `ms` = the time that the call spent at the vendor. */
  leaveVendor(ms = 0): void {
    if (this.#isAtVendor) this.access.overload?.callReturned();
    this.#isAtVendor = false;
    this.#vendorMs += ms;
  }

  /** Reserves the first attempt. Rejects if it is refused. Returns undefined if it was reserved on a credit lease. */
  reserve(): Promise<void> | undefined {
    const budgets = this.access.budgetsOf(this.request, this.#attempt);
    return budgets instanceof Promise
      ? budgets.then((named) => this.#reserveFirst(named))
      : this.#reserveFirst(budgets);
  }

  /**
   * Replaces the reservation by one for the next attempt, atomically. If this fails, the current reservation remains.
   */
  async moveTo(next: AttemptBudget): Promise<void> {
    const found = this.access.budgetsOf(this.request, next);
    const budgets = found instanceof Promise ? await found : found;
    if (!this.#resize(next, budgets)) {
      await this.#leaveLease();
      const previous = this.#reservationId;
      await this.#reserve(next, budgets, previous);
      this.access.leases.drop(previous);
    }
    this.#attempt = next;
    this.#budgets = budgets;
  }

  /** Durable when the promise resolves. Throws if the reservation was lost. The response must then be aborted. */
  settle(bill: Bill): Promise<void> {
    const own = isOwn(this.#attempt);
    return this.#end(true, own ? 0n : bill.price, own ? bill.price : 0n, bill.record);
  }

  /** Ends the call without billing; writes the record if there is one. */
  release(record: GenerationRecord | null): Promise<void> {
    return this.#end(false, 0n, 0n, record);
  }

  get #ledger(): Ledger {
    return this.access.ledger;
  }

  #reserveFirst(budgets: NamedBudgets | undefined): Promise<void> | undefined {
    this.#budgets = budgets;
    this.#leased = this.#take();
    if (!this.#leased) return budgets ? this.#reserveAny() : this.#reserve(this.#attempt, undefined);
    this.#ledger.cells.reservations.count('reserved');
    return undefined;
  }

  /** Reserves the first attempt that the budgets cover. */
  async #reserveAny(): Promise<void> {
    try {
      await this.#reserve(this.#attempt, this.#budgets);
    } catch (error) {
      const next = this.request.afterRefusal?.(error);
      if (!next) throw error;
      this.#attempt = next;
      this.#budgets = await this.access.budgetsOf(this.request, next);
      await this.#reserveAny();
    }
  }

  #take(): LeasedCall | undefined {
    const { credit } = this.access;
    if (!credit || this.payer.parentKey || !mayLease(this.#budgets, isOwn(this.#attempt))) return undefined;
    const { generationId, startedAt: at } = this;
    const { model } = this.request;
    const call = { generationId, model, at, ...this.#leasedAmounts(this.#attempt) };
    return credit.leases.take(this.payer, call, this.#budgets);
  }

  #leasedAmounts(attempt: AttemptBudget): LeasedAmounts {
    const { accountAmount: account, keyAmount: key } = amountsOf(attempt, this.payer);
    return { account, key };
  }

  #resize(next: AttemptBudget, budgets: NamedBudgets | undefined): boolean {
    if (budgets !== this.#budgets || !mayLease(budgets, isOwn(next))) return false;
    const resized = this.#leased?.lease.resize(this.#leased, this.#leasedAmounts(next));
    this.#leased = resized ?? this.#leased;
    return resized !== undefined;
  }

  /** Gives the call a reservation of its own instead of the amounts that it holds on a lease. */
  async #leaveLease(): Promise<void> {
    const leased = this.#leased;
    if (!leased) return;
    const until = performance.now() + this.#ledger.timeoutMs;
    const separated = await retryWhileUnavailable(until, () => this.access.credit!.separate(leased));
    if (!separated) throw refusalError({ reason: 'lease_lost' });
    leased.lease.forget(leased);
    this.#leased = undefined;
    this.#reservationId = this.generationId;
    this.access.leases.hold({ id: this.generationId, accountNo: this.payer.accountNo });
  }

  async #reserve(attempt: AttemptBudget, budgets: NamedBudgets | undefined, replaces?: string): Promise<void> {
    const { accountNo, keyNo, parentKey } = this.payer;
    // Retries use the same id, so that a reservation is found again. The first reservation of a call has the call's id.
    const id = replaces === undefined ? this.generationId : newId();
    const request = {
      id,
      generationId: this.generationId,
      accountNo,
      keyNo,
      parentNo: parentKey?.no ?? null,
      ...amountsOf(attempt, this.payer),
      at: this.startedAt,
      replaces,
      ...(budgets && { budgets: holdsOf(budgets, attempt.worstCase, isOwn(attempt)) }),
    };
    const { reservations } = this.#ledger.cells;
    const until = performance.now() + this.#ledger.timeoutMs;
    const reserve = (): Promise<ReservationOutcome> =>
      retryWhileUnavailable(until, () => this.#ledger.reserve(request, until));
    const outcome = await (this.access.credit?.leases.withRecall(accountNo, reserve) ?? reserve()).catch(
      (error: unknown) => {
        reservations.count('unavailable');
        throw error;
      },
    );
    reservations.count(outcome === 'reserved' ? outcome : outcome.reason);
    if (outcome !== 'reserved') throw await this.access.refusalOf(outcome, this.startedAt);
    this.#reservationId = id;
    this.access.leases.hold({ id, accountNo });
  }

  async #end(settle: boolean, cost: Nano, byokCost: Nano, record: GenerationRecord | null): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const end = { settle, cost, byokCost, record };
    const outcome = await (this.#leased ? this.#endLeased(this.#leased, end) : this.#endReserved(end));
    if (outcome === 'lost' && settle)
      throw new GatewayError(
        'unavailable',
        'This call could not be billed in time and was dropped. It is not billed; try again.',
      );
    if (settle) this.#ledger.cells.overhead.observe((performance.now() - this.#receivedAt - this.#vendorMs) / 1000);
  }

  async #endReserved(end: CallEnd): Promise<FinishOutcome> {
    const { accountNo, keyNo } = this.payer;
    const finish = { reservationId: this.#reservationId, accountNo, keyNo, ...end };
    try {
      return await this.#untilLeaseEnds(() => this.#ledger.finish(finish));
    } finally {
      this.access.leases.drop(this.#reservationId);
    }
  }

  async #endLeased(call: LeasedCall, end: CallEnd): Promise<FinishOutcome> {
    const { lease } = call;
    const spent = { account: lesser(end.cost, call.account), key: lesser(end.cost + end.byokCost, call.key) };
    if (!end.settle && end.record === null) {
      lease.end(call, spent);
      return 'done';
    }
    let isRepeated = false;
    lease.settling();
    try {
      const outcome = await this.#untilLeaseEnds(() => {
        const finish = { call, spent, ...end, isRepeated };
        isRepeated = true;
        return this.access.credit!.finish(finish);
      });
      if (outcome === 'done') lease.end(call, spent);
      return outcome;
    } finally {
      lease.settled(call);
    }
  }

  /** Retries for the length of a lease. While the database is unavailable, no reservation is swept. */
  async #untilLeaseEnds(finish: () => Promise<FinishOutcome>): Promise<FinishOutcome> {
    const startedAt = performance.now();
    const outcome = await retryWhileUnavailable(startedAt + this.#ledger.leaseMs, finish);
    this.access.overload?.recordCommitWait(performance.now() - startedAt);
    return outcome;
  }
}

const isOwn = ({ source }: AttemptBudget): boolean => source === 'own_credential';

/** How a call ended. */
interface CallEnd {
  readonly settle: boolean;
  readonly cost: Nano;
  readonly byokCost: Nano;
  readonly record: GenerationRecord | null;
}
