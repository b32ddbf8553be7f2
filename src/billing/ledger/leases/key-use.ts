import type { NamedBudgets } from '../named-budgets.js';
import type { CreditLease, LeasedAmounts } from './credit-lease.js';

/** Minimum number of calls per second for a lease. At a lower rate, a lease takes more work than it saves. */
const MIN_CALLS = 20;
const PERIOD_MS = 1_000;
/** A lease is filled with credit for this many seconds of calls, each as expensive as the largest recent call. */
const SECONDS = 1;

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** Measures the rate of this process's calls of one key that count in the same budgets. Holds their leases. */
export class KeyUse {
  /** The lease on which calls begin. */
  lease: CreditLease | undefined;
  /** Leases with open calls on which no further call may begin. */
  readonly draining = new Set<CreditLease>();
  /**
   * Before this time, on the clock of performance.now(), calls do not request growth of the lease. A periodic renewal
   * may still increase an existing lease.
   */
  asksAfter = -Infinity;
  #since = performance.now();
  #calls = 0;
  #rate = 0;
  #largest: LeasedAmounts = { account: 0n, key: 0n };
  #largestBefore: LeasedAmounts = { account: 0n, key: 0n };

  constructor(
    readonly accountNo: number,
    readonly keyNo: number,
    readonly budgets?: NamedBudgets,
  ) {}

  /** Calls of one key that count in different budgets have different leases. */
  static idOf(keyNo: number, budgets: NamedBudgets | undefined): number | string {
    return budgets ? `${keyNo} ${budgets.key}` : keyNo;
  }

  get id(): number | string {
    return KeyUse.idOf(this.keyNo, this.budgets);
  }

  /** Counts a call with its worst case. */
  count({ account, key }: LeasedAmounts): void {
    this.#roll();
    this.#calls++;
    this.#largest = { account: larger(this.#largest.account, account), key: larger(this.#largest.key, key) };
  }

  /** Whether calls come often enough for a lease. */
  get isHot(): boolean {
    this.#roll();
    return Math.max(this.#calls, this.#rate) >= MIN_CALLS;
  }

  /** Whether no call was made for at least a second. */
  get isIdle(): boolean {
    this.#roll();
    return this.#calls === 0 && this.#rate === 0;
  }

  /** The largest amounts of a recent call. */
  get unit(): LeasedAmounts {
    const { account, key } = this.#largest;
    return { account: larger(account, this.#largestBefore.account), key: larger(key, this.#largestBefore.key) };
  }

  /** The idle amounts that the lease should have. */
  get wanted(): LeasedAmounts {
    const calls = BigInt(Math.ceil(Math.max(this.#rate, this.#calls, MIN_CALLS) * SECONDS));
    const { account, key } = this.unit;
    return { account: account * calls, key: key * calls };
  }

  /** Whether the lease should be filled now. */
  get isLow(): boolean {
    const { account, key } = this.wanted;
    const idle = this.lease?.idle ?? { account: 0n, key: 0n };
    return idle.account * 2n < account || idle.key * 2n < key;
  }

  /** Allows no further call to begin on the lease. */
  drain(): void {
    if (!this.lease) return;
    this.lease.drain();
    this.draining.add(this.lease);
    this.lease = undefined;
  }

  /** Forgets a lease. Its open calls can be settled as long as the row of the lease has the state `reserved`. */
  abandon(lease: CreditLease): void {
    lease.drain();
    this.draining.delete(lease);
    if (this.lease === lease) this.lease = undefined;
  }

  #roll(): void {
    const now = performance.now();
    const elapsedMs = now - this.#since;
    if (elapsedMs < PERIOD_MS) return;
    this.#rate = elapsedMs < 2 * PERIOD_MS ? (this.#calls * 1_000) / elapsedMs : 0;
    this.#since = now;
    this.#calls = 0;
    this.#largestBefore = this.#largest;
    this.#largest = { account: 0n, key: 0n };
  }
}
