import { Logger, Module, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../config/config.js';
import { ProcessRole } from '../config/process-role.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { Anomalies } from './ledger/anomalies.js';
import { Balances } from './balances.js';
import { Budgets } from './budgets.js';
import { BudgetDirectory } from './budgets/budget-directory.js';
import { BillingMetrics } from './billing-metrics.js';
import { BudgetSweeper } from './budgets/budget-sweeper.js';
import { FreeCalls } from './free-calls.js';
import { FreeCallLedger } from './ledger/free-call-ledger.js';
import { KeyList } from './key-list.js';
import { LedgerEntries } from './ledger-entries.js';
import { FailoverLosses } from './ledger/commits/failover-losses.js';
import { LocalCommits, timeoutOf } from './ledger/commits/local-commits.driver.js';
import { RemoteCommits } from './ledger/commits/remote-commits.driver.js';
import { CreditLeases } from './ledger/leases/credit-leases.js';
import { LeasedCalls } from './ledger/leases/leased-calls.js';
import { Leases } from './ledger/leases.js';
import { LedgerCells } from './ledger/ledger-cells.js';
import { Ledger } from './ledger/ledger.js';
import { LedgerAccess } from './ledger-access.js';
import { WorkspaceBudgets } from './workspace-budgets.js';
import { Spending } from './spending.js';
import { Sweeper } from './sweeper.js';

/** Balances, reservations and the ledger. Only this module changes them. */
@Module({
  imports: [TelemetryModule],
  providers: [
    Anomalies,
    Balances,
    BillingMetrics,
    BudgetDirectory,
    Budgets,
    WorkspaceBudgets,
    BudgetSweeper,
    FreeCallLedger,
    FreeCalls,
    KeyList,
    LeasedCalls,
    Leases,
    LedgerAccess,
    LedgerCells,
    LedgerEntries,
    Spending,
    Sweeper,
    {
      provide: Ledger,
      inject: [Sql, Config, LedgerCells, ProcessRole, FailoverLosses],
      useFactory: (
        sql: Sql,
        { values }: Config,
        cells: LedgerCells,
        { committerSocket }: ProcessRole,
        losses: FailoverLosses,
      ) => {
        const leaseMs = values.RESERVATION_LEASE_MS;
        const commits =
          committerSocket === undefined
            ? new LocalCommits(sql, leaseMs, cells, losses)
            : new RemoteCommits(committerSocket, timeoutOf(sql));
        return new Ledger(sql, leaseMs, cells, commits);
      },
    },
    {
      provide: FailoverLosses,
      inject: [Sql],
      useFactory: (sql: Sql) => new FailoverLosses(sql, (line) => new Logger('database').error(line)),
    },
    {
      provide: CreditLeases,
      inject: [Sql, Ledger, Clock, Notifications, Config],
      useFactory: (sql: Sql, ledger: Ledger, clock: Clock, notifications: Notifications, { values }: Config) =>
        new CreditLeases(sql, ledger, clock, { notifications, isOn: values.CREDIT_LEASES === 'on' }),
    },
  ],
  exports: [Balances, Budgets, WorkspaceBudgets, FreeCalls, KeyList, LedgerEntries, Spending],
})
export class BillingModule implements OnModuleDestroy, BeforeApplicationShutdown {
  constructor(
    private readonly ledger: Ledger,
    private readonly freeCalls: FreeCallLedger,
    private readonly leases: Leases,
    private readonly leasedCalls: LeasedCalls,
    private readonly spending: Spending,
    private readonly config: Config,
  ) {}

  /**
   * Waits until open calls are billed, for at most SHUTDOWN_TIMEOUT_MS. In this phase of the shutdown, no further
   * requests are accepted, and the modules used here still run.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const until = performance.now() + this.config.values.SHUTDOWN_TIMEOUT_MS;
    while (this.spending.openCalls > 0 && performance.now() < until) await sleep(20);
    await this.ledger.idle();
    await this.leasedCalls.leases.stop();
    await this.freeCalls.idle();
  }

  onModuleDestroy(): Promise<void> {
    return this.leases.stop();
  }
}
