import { newId } from '../../../kernel/ids.js';
import type { Nano } from '../../../kernel/money.js';
import type { NamedBudgets } from '../named-budgets.js';

const DAY_MS = 86_400_000;
const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

/** The amounts that a call, or the idle part of a lease, holds on the account's credits and on the key's limit. */
export interface LeasedAmounts {
  readonly account: Nano;
  readonly key: Nano;
}

/** A call that is about to begin. */
export interface NewCall extends LeasedAmounts {
  readonly generationId: string;
  readonly model: string;
  readonly at: Date;
}

/** An open call on a lease. */
export interface LeasedCall extends NewCall {
  readonly lease: CreditLease;
}

/**
 * Credits that this process may spend on the calls of one key on one day (UTC) without a statement for each call. In
 * the database a lease is a reservation of at least these amounts. A call reserves its worst case on the lease from its
 * start to its settlement.
 */
export class CreditLease {
  readonly id = newId();
  readonly #calls = new Map<string, LeasedCall>();
  #settling = 0;
  #idle: LeasedAmounts = { account: 0n, key: 0n };
  /** Calls may begin until this time, on the clock of performance.now(). */
  #lendsUntil = -Infinity;
  /** Calls must begin before this time, in Unix milliseconds. */
  #endsAt = Infinity;
  #isDraining = false;

  constructor(
    readonly accountNo: number,
    readonly keyNo: number,
    /** The lease counts in the limit windows that contain this time. */
    readonly at: Date,
    /** Budgets on which the lease holds the same amount as on the account. */
    readonly budgets?: NamedBudgets,
  ) {}

  /** The amounts that no call holds. */
  get idle(): LeasedAmounts {
    return this.#idle;
  }

  /** Whether no further call may begin on the lease. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  get openCalls(): Iterable<LeasedCall> {
    return this.#calls.values();
  }

  get hasOpenCalls(): boolean {
    return this.#calls.size > 0;
  }

  /** The number of open calls whose settlement was not sent yet. */
  get unsettledCalls(): number {
    return this.#calls.size - this.#settling;
  }

  /** Key and day of the lease, for comparisons. */
  get keyDay(): string {
    return `${this.keyNo} ${dayOf(this.at)}`;
  }

  /** Whether, at this time, the lease's day is over, its key has expired, or the raise of a limit has ended. */
  isOver(at: Date): boolean {
    return dayOf(this.at) !== dayOf(at) || at.getTime() >= this.#endsAt;
  }

  /** Begins a call. Returns undefined if the lease does not lend or its idle amounts are too small. */
  take(call: NewCall): LeasedCall | undefined {
    const { at } = call;
    if (this.#isDraining || performance.now() >= this.#lendsUntil || this.isOver(at)) return undefined;
    const taken = { lease: this, ...call };
    return this.#hold(taken, 0n, 0n) ? taken : undefined;
  }

  /** Changes the amounts that a call holds. Returns undefined if the lease's idle amounts are too small. */
  resize(call: LeasedCall, { account, key }: LeasedAmounts): LeasedCall | undefined {
    const resized = { ...call, account, key };
    return this.#hold(resized, call.account, call.key) ? resized : undefined;
  }

  /** Ends a call. Its spend leaves the lease, and the rest of its amounts becomes idle. */
  end({ generationId, account, key }: LeasedCall, spent: LeasedAmounts): void {
    if (this.#calls.delete(generationId)) this.add({ account: account - spent.account, key: key - spent.key });
  }

  /**
   * Must be called when the settlement of a call is sent. When the outcome of the settlement is known, `settled` must
   * be called.
   */
  settling(): void {
    this.#settling++;
  }

  /** Must be called when the outcome of a settlement is known. Forgets the call if `end` was not called. */
  settled(call: LeasedCall): void {
    this.#settling--;
    this.forget(call);
  }

  /** Ends a call without returning its amounts, because they may be settled or have a reservation of their own. */
  forget({ generationId }: LeasedCall): void {
    this.#calls.delete(generationId);
  }

  add({ account, key }: LeasedAmounts): void {
    this.#idle = { account: this.#idle.account + account, key: this.#idle.key + key };
  }

  /** Removes and returns all idle amounts. */
  empty(): LeasedAmounts {
    const idle = this.#idle;
    this.#idle = { account: 0n, key: 0n };
    return idle;
  }

  drain(): void {
    this.#isDraining = true;
  }

  /** Allows no call to begin until `lend` is called. */
  pause(): void {
    this.#lendsUntil = -Infinity;
  }

  /** Allows calls to begin until a time on the clock of performance.now(), and before `endsAt`. */
  lend(until: number, endsAt: Date | null): void {
    this.#lendsUntil = until;
    this.#endsAt = endsAt?.getTime() ?? Infinity;
  }

  #hold(call: LeasedCall, accountBefore: Nano, keyBefore: Nano): boolean {
    const account = this.#idle.account + accountBefore - call.account;
    const key = this.#idle.key + keyBefore - call.key;
    if (account < 0n || key < 0n) return false;
    this.#idle = { account, key };
    this.#calls.set(call.generationId, call);
    return true;
  }
}
