import type { Finish, FinishOutcome, ReservationOutcome, ReservationRequest } from './ledger/ledger.js';

/** A ledger that remembers what was asked of it, and answers as it is told to. */
export class FakeLedger {
  readonly reservations: ReservationRequest[] = [];
  readonly finishes: Finish[] = [];
  reserveOutcome: ReservationOutcome = 'reserved';
  finishOutcome: FinishOutcome = 'done';

  async reserve(request: ReservationRequest): Promise<ReservationOutcome> {
    this.reservations.push(request);
    return this.reserveOutcome;
  }

  async finish(finish: Finish): Promise<FinishOutcome> {
    this.finishes.push(finish);
    return this.finishOutcome;
  }
}
