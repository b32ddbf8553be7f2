import { Module, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { Balances } from './balances.js';
import { Leases } from './ledger/leases.js';
import { Ledger } from './ledger/ledger.js';
import { Spending } from './spending.js';
import { Sweeper } from './sweeper.js';

/** The only room that moves money. */
@Module({
  providers: [
    Balances,
    Ledger,
    Spending,
    Sweeper,
    {
      provide: Leases,
      inject: [Ledger, Clock, Config],
      useFactory: (ledger: Ledger, clock: Clock, config: Config) =>
        new Leases(ledger, clock, config.values.RESERVATION_LEASE_MS),
    },
  ],
  exports: [Balances, Spending],
})
export class BillingModule implements OnModuleDestroy, BeforeApplicationShutdown {
  constructor(
    private readonly ledger: Ledger,
    private readonly leases: Leases,
    private readonly spending: Spending,
    private readonly config: Config,
  ) {}

  /** The server has stopped accepting: calls under way end and are billed before anything below goes away. */
  async beforeApplicationShutdown(): Promise<void> {
    const until = performance.now() + this.config.values.SHUTDOWN_TIMEOUT_MS;
    while (this.spending.openCalls > 0 && performance.now() < until) await sleep(20);
    await this.ledger.idle();
  }

  onModuleDestroy(): void {
    this.leases.stop();
  }
}
