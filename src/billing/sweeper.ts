import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { Ledger } from './ledger/ledger.js';

const EVERY_MS = 5_000;
const BATCH = 500;
/** Closed reservations answer a repeated settlement; after this long nobody repeats one. */
const KEEP_CLOSED_MS = 3_600_000;

/** Releases what services that died left reserved, and keeps the reservation table small. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(Sweeper.name);
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(
      () => void (this.#running ??= this.sweep().finally(() => (this.#running = undefined))),
      EVERY_MS,
    );
    this.#timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** One round; never throws, because the next round does what this one could not. */
  async sweep(): Promise<void> {
    try {
      const now = this.clock.now();
      let swept: number;
      do {
        swept = await this.ledger.sweep(now, BATCH);
        if (swept > 0) this.#log.warn(`Released ${swept} reservations of unknown outcome: their lease had run out`);
      } while (swept === BATCH);
      const before = new Date(now.getTime() - KEEP_CLOSED_MS);
      while ((await this.ledger.forget(before, BATCH)) === BATCH);
    } catch (error) {
      this.#log.warn(`The sweep was put off: ${(error as Error).message}`);
    }
  }
}
