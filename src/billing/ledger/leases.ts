import { Injectable, Logger } from '@nestjs/common';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { Ledger, type OpenReservation } from './ledger.js';

/**
 * Maximum retry interval after a failed renewal. It is short, so that after an outage every replica renews its leases
 * before a sweeper resumes.
 */
const MAX_RETRY_MS = 1_000;

/** Renews the leases of open calls' reservations. */
@Injectable()
export class Leases {
  readonly #live = new Map<string, OpenReservation>();
  readonly #log = new Logger(Leases.name);
  readonly #renewals = new Periodic(
    () => this.#renew(),
    (error) => this.#noteFailure(error),
  );
  /** Whether the last renewal failed. Renewals are then retried sooner, and the outage is logged only once. */
  #isFailing = false;

  constructor(private readonly ledger: Ledger) {
    this.#renewals.start(() => (this.#isFailing ? Math.min(MAX_RETRY_MS, ledger.leaseMs / 6) : ledger.leaseMs / 3));
  }

  hold(reservation: OpenReservation): void {
    this.#live.set(reservation.id, reservation);
  }

  drop(reservationId: string): void {
    this.#live.delete(reservationId);
  }

  /** Resolves when no renewal is running. */
  stop(): Promise<void> {
    return this.#renewals.stop();
  }

  async #renew(): Promise<void> {
    if (this.#live.size > 0) await this.ledger.renew([...this.#live.values()]);
    this.#isFailing = false;
  }

  #noteFailure(error: Error): void {
    if (!this.#isFailing)
      this.#log.warn(`The leases of ${this.#live.size} calls were not renewed; this is retried: ${error.message}`);
    this.#isFailing = true;
  }
}
