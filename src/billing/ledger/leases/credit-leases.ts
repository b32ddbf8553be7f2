import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Notifications } from '../../../database/notifications.js';
import type { Sql } from '../../../database/sql.js';
import type { Clock } from '../../../kernel/clock.js';
import { Periodic } from '../../../kernel/scheduling/periodic.js';
import { CreditLease, type LeasedAmounts, type LeasedCall, type NewCall } from './credit-lease.js';
import { KeyUse } from './key-use.js';
import { BUDGET_CHANGED, type NamedBudgets } from '../named-budgets.js';
import type { Refusal } from '../ledger-rows.js';
import type { Ledger } from '../ledger.js';
import { closeLease, renewLeases, type Change, type LeaseRow } from './lease-changes.js';

/** The channel on which services request the idle credits of an account. */
const RECALL_CHANNEL = 'credit_recalled';
const RENEWAL_MS = 1_000;
/** A renewal may begin this much earlier, because timers are not exact. */
const TIMER_SLACK_MS = 50;
/** Maximum number of leases in one statement, which locks their balances. */
const MAX_CHANGES = 64;
/** Calls may begin for this long after a renewal. A change of the key therefore applies on every replica within 5 s. */
const LENDS_MS = 4_000;
/** How long an account gets no lease after its credits were recalled. */
const RECALLED_MS = 2_000;
/** The time that the other services have for returning idle credits. */
const RECALL_WAIT_MS = 10;
/** How long a refused reservation is retried, because a busy service may need this long to return credits. */
const RECALL_TIMEOUT_MS = 2_000;
/** Minimum time between two requests for the growth of a lease. After a refused request, REFUSED_MS applies. */
const ASK_AGAIN_MS = 20;
const REFUSED_MS = 1_000;

export interface CreditLeaseOptions {
  readonly notifications: Notifications;
  /** If false, every call has a reservation of its own. */
  readonly isOn: boolean;
}

/**
 * The credit leases of this process. Calls of a key are reserved in memory if the key is used often and enough credits
 * are free. Other calls have reservations of their own.
 */
export class CreditLeases {
  readonly #log = new Logger(CreditLeases.name);
  readonly #uses = new Map<number | string, KeyUse>();
  /** The time until which an account gets no lease, by account number; on the clock of performance.now(). */
  readonly #recalled = new Map<number, number>();
  readonly #recalls = new Map<number, Promise<void>>();
  readonly #renewals = new Periodic(
    () => this.#renew(),
    (error) => this.#noteFailure(error),
  );
  /** The uses whose leases must change before the next renewal of all leases. */
  readonly #due = new Set<KeyUse>();
  /** When all leases must be renewed, on the clock of performance.now(). */
  #allDueAt = -Infinity;
  #isStopping = false;
  /** Whether the last renewal failed. Used to log an outage only once. */
  #isFailing = false;

  constructor(
    private readonly sql: Sql,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly options: CreditLeaseOptions,
  ) {
    const { notifications } = options;
    notifications.on(RECALL_CHANNEL, (accountNo) => void this.#return(Number(accountNo)));
    for (const channel of ['api_key_changed', BUDGET_CHANGED]) notifications.on(channel, () => void this.#recheck());
    this.#renewals.start(RENEWAL_MS);
  }

  /** Begins a call on the lease of its key; undefined if the call needs a reservation of its own. */
  take(
    { accountNo, keyNo }: Pick<KeyUse, 'accountNo' | 'keyNo'>,
    call: NewCall,
    budgets?: NamedBudgets,
  ): LeasedCall | undefined {
    if (this.#isStopping || !this.options.isOn) return undefined;
    const id = KeyUse.idOf(keyNo, budgets);
    let use = this.#uses.get(id);
    if (!use) this.#uses.set(id, (use = new KeyUse(accountNo, keyNo, budgets)));
    use.count(call);
    const taken = use.lease?.take(call);
    if (performance.now() >= use.asksAfter && use.isHot && use.isLow) {
      use.asksAfter = performance.now() + ASK_AGAIN_MS;
      void this.#renewNow([use]);
    }
    return taken;
  }

  /** While an attempt is refused and idle credits are lent, recalls them and retries, for at most RECALL_TIMEOUT_MS. */
  async withRecall<Outcome extends string | boolean | Refusal>(
    accountNo: number,
    attempt: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const until = performance.now() + RECALL_TIMEOUT_MS;
    let outcome = await attempt();
    while (typeof outcome === 'object' && outcome.isLent && performance.now() < until) {
      await this.recall(accountNo);
      outcome = await attempt();
    }
    return outcome;
  }

  /** Makes every service return the idle credits of an account. */
  recall(accountNo: number): Promise<void> {
    let recall = this.#recalls.get(accountNo);
    if (!recall) {
      recall = this.#recall(accountNo).finally(() => this.#recalls.delete(accountNo));
      this.#recalls.set(accountNo, recall);
    }
    return recall;
  }

  /** Returns all credits. Must be called only when no call is open. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const use of this.#uses.values()) use.drain();
    await this.#renewNow(this.#uses.values());
    await this.#renewals.stop();
  }

  /** Allows no calls to begin on leases until their keys and budgets have been read again. */
  async #recheck(): Promise<void> {
    if (this.#uses.size === 0) return;
    for (const { lease } of this.#uses.values()) lease?.pause();
    await this.#renewNow(this.#uses.values());
  }

  async #recall(accountNo: number): Promise<void> {
    await this.#return(accountNo);
    await this.ledger.post(accountNo);
    await this.sql.query('select pg_notify($1, $2)', [RECALL_CHANNEL, String(accountNo)]);
    await sleep(RECALL_WAIT_MS);
  }

  async #return(accountNo: number): Promise<void> {
    this.#recalled.set(accountNo, performance.now() + RECALLED_MS);
    const uses = [...this.#uses.values()].filter((use) => use.accountNo === accountNo && use.lease);
    if (uses.length === 0) return;
    uses.forEach((use) => use.drain());
    await this.#renewNow(uses);
  }

  /** Renews the leases of these keys now, even if they were just renewed. */
  #renewNow(uses: Iterable<KeyUse>): Promise<void> {
    for (const use of uses) this.#due.add(use);
    return this.#renewals.trigger();
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    const isForAll = now >= this.#allDueAt;
    if (isForAll) this.#allDueAt = now + RENEWAL_MS - TIMER_SLACK_MS;
    const due = isForAll ? [...this.#uses.values()] : [...this.#due];
    this.#due.clear();
    for (const [accountNo, until] of this.#recalled) if (until < now) this.#recalled.delete(accountNo);
    const at = this.clock.now();
    const ended: CreditLease[] = [];
    const changes: Change[] = [];
    for (const use of due) {
      // A lease may have been granted while `stop` was called.
      if (use.lease && (this.#isStopping || use.isIdle || use.lease.isDraining || use.lease.isOver(at))) use.drain();
      for (const lease of use.draining)
        if (lease.hasOpenCalls) changes.push({ lease, ...returned(lease.empty()), unit: use.unit });
        else {
          use.draining.delete(lease);
          ended.push(lease);
        }
      const change = this.#changeOf(use, at, now);
      if (change) changes.push(change);
      else if (!use.lease && use.draining.size === 0 && use.isIdle) this.#uses.delete(use.id);
    }
    await Promise.all([this.#send(changes), ...ended.map((lease) => closeLease(this.sql, lease))]);
    this.#isFailing = false;
  }

  #noteFailure(error: Error): void {
    if (!this.#isFailing) this.#log.warn(`Credit leases were not renewed; this is retried: ${error.message}`);
    this.#isFailing = true;
  }

  /** The change of the lease on which calls begin, or the grant of a new one; undefined = neither. */
  #changeOf(use: KeyUse, at: Date, now: number): Change | undefined {
    const { unit, wanted } = use;
    const mayGrow = use.isHot && use.isLow && !this.#recalled.has(use.accountNo) && !this.#isStopping;
    if (!use.lease) {
      if (!mayGrow || now < use.asksAfter - ASK_AGAIN_MS) return undefined;
      return { lease: new CreditLease(use.accountNo, use.keyNo, at, use.budgets), ...wanted, unit, use };
    }
    const { lease } = use;
    const { account, key } = lease.idle;
    if (mayGrow) {
      const growth = { account: positive(wanted.account - account), key: positive(wanted.key - key) };
      return { lease, ...growth, unit, use };
    }
    const surplus = { account: positive(account - 2n * wanted.account), key: positive(key - 2n * wanted.key) };
    lease.add(returned(surplus));
    return { lease, ...returned(surplus), unit, use };
  }

  async #send(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    const lendsMs = Math.min(LENDS_MS, this.ledger.leaseMs / 2);
    for (let from = 0; from < changes.length; from += MAX_CHANGES) {
      const some = changes.slice(from, from + MAX_CHANGES);
      const until = performance.now() + lendsMs;
      const rows = await renewLeases(this.sql, this.ledger, some, lendsMs);
      rows.forEach((row, index) => this.#apply(some[index]!, row, until));
    }
  }

  /** Forgets a lease whose row is in an earlier state, as after a failover. The sweeper releases the row's amounts. */
  #abandon(lease: CreditLease, { message }: Error): void {
    this.#log.error(`A credit lease of account ${lease.accountNo} was abandoned: ${message}`);
    for (const use of this.#uses.values()) use.abandon(lease);
  }

  #apply({ lease, use, account, key }: Change, row: LeaseRow | Error, until: number): void {
    if (row instanceof Error) return this.#abandon(lease, row);
    const grown = { account: positive(row.account_change), key: positive(row.key_change) };
    if (row.outcome !== 'lost') lease.add(grown);
    if (!use || lease.isDraining) return;
    if (row.outcome === 'lends') {
      lease.lend(until, row.expires_at);
      use.lease = lease;
    }
    // The credits of the account may have been recalled during the statement.
    if (use.lease === lease && (row.outcome !== 'lends' || this.#recalled.has(use.accountNo))) use.drain();
    if ((account > 0n || key > 0n) && grown.account === 0n && grown.key === 0n)
      use.asksAfter = performance.now() + REFUSED_MS;
  }
}

const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
const returned = ({ account, key }: LeasedAmounts): LeasedAmounts => ({ account: -account, key: -key });
