import { GatewayError } from '../kernel/errors.js';
import { newId } from '../kernel/ids.js';
import type { Nano } from '../kernel/money.js';
import type { GenerationRecord } from '../usage/generation-record.js';
import type { Leases } from './ledger/leases.js';
import type { Ledger, ReservationOutcome } from './ledger/ledger.js';
import { persistently } from './persistently.js';

/** Who pays for a call. */
export interface Payer {
  readonly accountNo: number;
  readonly keyNo: number;
}

/** One try at one endpoint: the most it can cost, and from whose credential. */
export interface Attempt {
  readonly worstCase: Nano;
  readonly source: 'platform' | 'own_credential';
  /** On an own credential: whether the key counts such spend in its limit. */
  readonly countsInLimit?: boolean;
}

/** What a completed call costs and what is recorded of it. */
export interface Bill {
  /** The true price in nano-dollars. */
  readonly price: Nano;
  readonly record: GenerationRecord;
}

const REFUSALS: Record<Exclude<ReservationOutcome, 'reserved'>, GatewayError> = {
  insufficient_credits: new GatewayError(
    'insufficient_credits',
    'Insufficient credits: the account does not cover the most this request can cost. Add credits or ask for less.',
  ),
  key_limit: new GatewayError(
    'insufficient_credits',
    "The key's spending limit does not cover the most this request can cost. Raise the limit or wait for its reset.",
  ),
  key_disabled: new GatewayError('unauthenticated', 'This API key is disabled'),
  key_expired: new GatewayError('unauthenticated', 'This API key has expired'),
  key_unknown: new GatewayError('unauthenticated', 'Invalid API key'),
  lease_lost: new GatewayError('provider_timeout', 'The call took too long and was given up'),
};

/** A call whose worst case is reserved. It ends exactly once: settled or released. */
export class OpenCall {
  #reservationId = '';
  #attempt: Attempt;
  #createdAt: Date;
  #ended = false;

  constructor(
    readonly generationId: string,
    private readonly payer: Payer,
    private readonly ledger: Ledger,
    private readonly leases: Leases,
    now: Date,
    first: Attempt,
  ) {
    this.#createdAt = now;
    this.#attempt = first;
  }

  /** The attempt that is reserved for at present. */
  get attempt(): Attempt {
    return this.#attempt;
  }

  /** Reserves the first attempt; throws the refusal. */
  reserve(): Promise<void> {
    return this.#reserve(this.#attempt, undefined);
  }

  /** Moves the reservation to the next attempt, atomically; on refusal the present one stays. */
  async moveTo(next: Attempt): Promise<void> {
    const previous = this.#reservationId;
    await this.#reserve(next, previous);
    this.leases.drop(previous);
    this.#attempt = next;
  }

  /** Durable when it resolves. Throws where the reservation was lost: the answer must then be cut. */
  settle(bill: Bill): Promise<void> {
    const own = this.#attempt.source === 'own_credential';
    return this.#end(true, own ? 0n : bill.price, own ? bill.price : 0n, bill.record);
  }

  /** Nothing is billed; what happened is still recorded where a record is given. */
  release(record: GenerationRecord | null): Promise<void> {
    return this.#end(false, 0n, 0n, record);
  }

  async #reserve(attempt: Attempt, replaces: string | undefined): Promise<void> {
    const own = attempt.source === 'own_credential';
    // The first reservation has the id of its call, later ones have their own.
    const id = replaces === undefined ? this.generationId : newId();
    // One id for all tries: a reservation whose answer was lost is found again, and held once.
    const outcome = await persistently(() =>
      this.ledger.reserve(
        {
          id,
          generationId: this.generationId,
          accountNo: this.payer.accountNo,
          keyNo: this.payer.keyNo,
          accountAmount: own ? 0n : attempt.worstCase,
          keyAmount: own && !attempt.countsInLimit ? 0n : attempt.worstCase,
          deadline: this.leases.deadline(),
          createdAt: this.#createdAt,
          replaces,
        },
        this.#createdAt,
      ),
    );
    if (outcome !== 'reserved') throw REFUSALS[outcome];
    this.#reservationId = id;
    this.leases.hold(id);
  }

  async #end(settle: boolean, cost: Nano, byokCost: Nano, record: GenerationRecord | null): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    try {
      const outcome = await persistently(() =>
        this.ledger.finish({
          reservationId: this.#reservationId,
          accountNo: this.payer.accountNo,
          keyNo: this.payer.keyNo,
          settle,
          cost,
          byokCost,
          record,
        }),
      );
      if (outcome === 'lost' && settle)
        throw new GatewayError(
          'internal',
          'The reservation of this call was lost before it could be settled; it is not billed',
        );
    } finally {
      this.leases.drop(this.#reservationId);
    }
  }
}
