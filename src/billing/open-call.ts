import { GatewayError } from '../kernel/errors/errors.js';
import { newId } from '../kernel/ids.js';
import type { Nano } from '../kernel/money.js';
import { currentRequest } from '../kernel/request-scope.js';
import type { GenerationRecord } from '../usage/generation-record.js';
import type { Leases } from './ledger/leases.js';
import type { Ledger, ReservedAmounts } from './ledger/ledger.js';
import { toRefusal } from './reservation-refusals.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

/** Who pays for a call. */
export interface Payer {
  readonly accountNo: number;
  readonly keyNo: number;
  /** On an intern's key: the key that created the intern. Its limit covers the call too. */
  readonly parentKey: { readonly no: number; readonly countsByok: boolean } | null;
}

/** The maximum cost of one attempt, and whose credential pays it. */
export interface AttemptBudget {
  readonly worstCase: Nano;
  readonly source: 'platform' | 'own_credential';
  /** With an own credential: whether such spend counts towards the key's limit. */
  readonly countsInLimit?: boolean;
}

/** Missing or implausible usage in a vendor's report. */
export interface UsageAnomaly {
  readonly kind: 'usage_missing' | 'usage_invalid' | 'usage_excessive' | 'usage_inconsistent' | 'usage_unpriced';
  readonly details: Readonly<Record<string, unknown>>;
}

/** The price and the record of a completed call. */
export interface Bill {
  /** The actual price in nano-dollars. */
  readonly price: Nano;
  readonly record: GenerationRecord;
  readonly anomaly?: UsageAnomaly;
}

/** The amounts that an attempt reserves on each limit. */
export function amountsOf({ worstCase, source, countsInLimit }: AttemptBudget, { parentKey }: Payer): ReservedAmounts {
  const own = source === 'own_credential';
  return {
    accountAmount: own ? 0n : worstCase,
    keyAmount: own && !countsInLimit ? 0n : worstCase,
    parentAmount: !parentKey || (own && !parentKey.countsByok) ? 0n : worstCase,
  };
}

/** A call whose worst case is reserved. It ends exactly once: settled or released. */
export class OpenCall {
  /** Time spent at vendors so far, in milliseconds. */
  vendorMs = 0;
  /** Whether no other call of the account was open in this process at any time since it began. */
  isAlone = true;
  readonly #receivedAt = currentRequest()?.receivedAt ?? performance.now();
  #reservationId = '';
  #attempt: AttemptBudget;
  #ended = false;

  constructor(
    readonly generationId: string,
    readonly payer: Payer,
    private readonly ledger: Ledger,
    private readonly leases: Leases,
    private readonly startedAt: Date,
    first: AttemptBudget,
  ) {
    this.#attempt = first;
  }

  /** The attempt of the current reservation. */
  get attempt(): AttemptBudget {
    return this.#attempt;
  }

  /** Reserves the first attempt; throws the refusal. */
  reserve(): Promise<void> {
    return this.#reserve(this.#attempt, undefined);
  }

  /** Replaces the reservation by the next attempt's, atomically; on refusal the current one remains. */
  async moveTo(next: AttemptBudget): Promise<void> {
    const previous = this.#reservationId;
    await this.#reserve(next, previous);
    this.leases.drop(previous);
    this.#attempt = next;
  }

  /** Durable when it resolves. Throws if the reservation was lost: the response must then be aborted. */
  settle(bill: Bill): Promise<void> {
    const own = this.#attempt.source === 'own_credential';
    return this.#end(true, own ? 0n : bill.price, own ? bill.price : 0n, bill.record);
  }

  /** Bills nothing; writes the record if there is one. */
  release(record: GenerationRecord | null): Promise<void> {
    return this.#end(false, 0n, 0n, record);
  }

  async #reserve(attempt: AttemptBudget, replaces: string | undefined): Promise<void> {
    const { accountNo, keyNo, parentKey } = this.payer;
    // The first reservation has the id of its call, later ones a new id. All retries use the same id, so that a
    // reservation whose response was lost is found again.
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
    };
    const { reservations } = this.ledger.cells;
    const until = performance.now() + this.ledger.timeoutMs;
    const outcome = await retryWhileUnavailable(until, () => this.ledger.reserve(request, until)).catch(
      (error: unknown) => {
        reservations.count('unavailable');
        throw error;
      },
    );
    reservations.count(outcome === 'reserved' ? outcome : outcome.reason);
    if (outcome !== 'reserved') throw toRefusal(outcome);
    this.#reservationId = id;
    this.leases.hold(id);
  }

  async #end(settle: boolean, cost: Nano, byokCost: Nano, record: GenerationRecord | null): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const finish = {
      reservationId: this.#reservationId,
      accountNo: this.payer.accountNo,
      keyNo: this.payer.keyNo,
      settle,
      cost,
      byokCost,
      record,
    };
    try {
      // While the database is unavailable no reservation is swept, so a settlement may wait for as long as a lease
      // lasts.
      const outcome = await retryWhileUnavailable(performance.now() + this.ledger.leaseMs, () =>
        this.ledger.finish(finish),
      );
      if (outcome === 'lost' && settle)
        throw new GatewayError(
          'unavailable',
          'This call could not be billed in time and was dropped. It is not billed; try again.',
        );
      if (settle) this.ledger.cells.overhead.observe((performance.now() - this.#receivedAt - this.vendorMs) / 1000);
    } finally {
      this.leases.drop(this.#reservationId);
    }
  }
}
