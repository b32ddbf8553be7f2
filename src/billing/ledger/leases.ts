import { Logger } from '@nestjs/common';
import type { Clock } from '../../kernel/clock.js';
import type { Ledger } from './ledger.js';

/** Keeps the reservations of live calls from running out. */
export class Leases {
  readonly #live = new Set<string>();
  readonly #log = new Logger(Leases.name);
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly leaseMs: number,
  ) {
    this.#timer = setInterval(() => void this.#renew(), leaseMs / 3);
    this.#timer.unref();
  }

  deadline(): Date {
    return new Date(this.clock.now().getTime() + this.leaseMs);
  }

  hold(reservationId: string): void {
    this.#live.add(reservationId);
  }

  drop(reservationId: string): void {
    this.#live.delete(reservationId);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    if (this.#live.size === 0) return;
    try {
      await this.ledger.renew([...this.#live], this.deadline());
    } catch (error) {
      this.#log.warn(`Leases were not renewed and will be tried again: ${(error as Error).message}`);
    }
  }
}
