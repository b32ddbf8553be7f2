import { Anomalies } from '../../../src/billing/ledger/anomalies.js';
import { Balances } from '../../../src/billing/balances.js';
import { FreeCalls } from '../../../src/billing/free-calls.js';
import type { LedgerCommits } from '../../../src/billing/ledger/commits/ledger-commits.port.js';
import { FreeCallLedger } from '../../../src/billing/ledger/free-call-ledger.js';
import { CreditLeases } from '../../../src/billing/ledger/leases/credit-leases.js';
import { LeasedCalls } from '../../../src/billing/ledger/leases/leased-calls.js';
import { Leases } from '../../../src/billing/ledger/leases.js';
import { Ledger } from '../../../src/billing/ledger/ledger.js';
import type { AttemptBudget, BudgetSubject, Payer } from '../../../src/billing/bill.js';
import { BudgetDirectory } from '../../../src/billing/budgets/budget-directory.js';
import { LedgerAccess } from '../../../src/billing/ledger-access.js';
import type { OpenCall } from '../../../src/billing/open-call.js';
import { Spending } from '../../../src/billing/spending.js';
import { Notifications } from '../../../src/database/notifications.js';
import { Sql } from '../../../src/database/sql.js';
import { SystemClock, type Clock } from '../../../src/kernel/clock.js';
import type { GenerationRecord } from '../../../src/usage/generation-record.js';

/** The worst case and the price of a call. */
export interface LeasedSpend {
  readonly worstCase: bigint;
  /** A function is called at the end of the call. */
  readonly price: bigint | (() => bigint);
  /** The call ends when this resolves; default: immediately. */
  readonly until?: Promise<unknown>;
  readonly source?: AttemptBudget['source'];
  /** With an own credential: whether it counts towards the key's limit. */
  readonly countsInLimit?: boolean;
  /** The properties that budgets use, in addition to the account and the key. */
  readonly subject?: BudgetSubject & Pick<Payer, 'workspaceNo' | 'creatorUserId' | 'countsByok' | 'sessionBudget'>;
  readonly model?: string;
  /** Default: the record of the service. */
  readonly record?: GenerationRecord;
  /** Runs before the call ends. */
  readonly during?: (call: OpenCall) => Promise<unknown>;
}

interface LeaseServiceOptions {
  readonly leaseMs?: number;
  readonly clock?: Clock;
  /** Default: the service's own. */
  readonly commits?: LedgerCommits;
}

/** The billing components of one service, from the call to the rows in the database, with separate connections. */
export class LeaseService {
  readonly #sql: Sql;
  readonly #notifications: Notifications;
  readonly ledger: Ledger;
  readonly leases: Leases;
  readonly balances: Balances;
  readonly freeCalls: FreeCalls;
  readonly credit: LeasedCalls;
  readonly spending: Spending;

  constructor(
    url: string,
    private readonly record: GenerationRecord,
    { leaseMs = 30_000, clock = new SystemClock(), commits }: LeaseServiceOptions = {},
  ) {
    this.#sql = new Sql(url, 4);
    this.#notifications = new Notifications(url);
    this.ledger = new Ledger(this.#sql, leaseMs, undefined, commits);
    this.leases = new Leases(this.ledger);
    const credit = new CreditLeases(this.#sql, this.ledger, clock, {
      notifications: this.#notifications,
      isOn: true,
    });
    this.credit = new LeasedCalls(this.#sql, this.ledger, credit);
    this.balances = new Balances(this.#sql, clock, credit);
    this.freeCalls = new FreeCalls(new FreeCallLedger(this.#sql), this.ledger, credit);
    this.spending = new Spending(
      new LedgerAccess(this.ledger, this.leases, this.credit, new BudgetDirectory(this.#sql, this.#notifications)),
      clock,
      new Anomalies(this.#sql),
    );
  }

  start(): Promise<void> {
    return this.#notifications.start();
  }

  /** Makes a call. Resolves to the reason if it was refused. */
  async call(
    accountNo: number,
    keyNo: number,
    { worstCase, price, until, source = 'platform', countsInLimit, subject, model, record, during }: LeasedSpend,
  ): Promise<string> {
    const work = async (call: OpenCall) => {
      await until;
      await during?.(call);
      return {
        result: 'done',
        bill: { price: typeof price === 'function' ? price() : price, record: record ?? this.record },
      };
    };
    return this.spending
      .spend(
        {
          ...subject,
          payer: { accountNo, keyNo, parentKey: null, ...subject },
          model: model ?? 'vendor/model',
          first: { worstCase, source, countsInLimit, model },
          signal: new AbortController().signal,
          requestId: () => null,
          recordFailure: () => null,
        },
        work,
      )
      .catch((error: Error) => error.message);
  }

  async stop(): Promise<void> {
    await this.ledger.idle();
    await this.credit.leases.stop();
    await this.ledger.idle();
    await this.leases.stop();
    await this.abandon();
  }

  /** Closes the connections, as if the service had been killed. */
  async abandon(): Promise<void> {
    await this.#notifications.close();
    await this.#sql.close();
  }
}
