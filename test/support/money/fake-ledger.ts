import type { FinishOutcome } from '../../../src/billing/ledger/commits/ledger-commits.port.js';
import {
  Ledger,
  type Finish,
  type OpenReservation,
  type ReservationOutcome,
  type ReservationRequest,
  type SweptReservations,
} from '../../../src/billing/ledger/ledger.js';
import { Sql } from '../../../src/database/sql.js';

const MAX_SWEEP_DELAY_MS = 2_000;

export interface FakeAccount {
  granted: bigint;
  spent: bigint;
  reserved: bigint;
}

export interface FakeKey {
  /** Null = unlimited. */
  limit: bigint | null;
  countsByok: boolean;
  fault: 'unknown' | 'disabled' | 'expired' | undefined;
  /** The spend of this key and of the interns that it created. */
  usage: bigint;
  byokUsage: bigint;
  reserved: bigint;
}

interface Reservation extends ReservationRequest {
  state: 'reserved' | 'settled' | 'released';
  deadline: number;
}

/**
 * The ledger in memory. It counts like the database (test/contracts/ledger.spec.ts compares them), without windows of
 * limits and without records.
 */
export class FakeLedger extends Ledger {
  readonly accounts = new Map<number, FakeAccount>();
  readonly keys = new Map<number, FakeKey>();
  /** Every call, in order. */
  readonly requests: ReservationRequest[] = [];
  readonly outcomes: ReservationOutcome[] = [];
  readonly finishes: Finish[] = [];
  readonly #reservations = new Map<string, Reservation>();

  constructor(leaseMs?: number) {
    // The connection is never opened.
    super(new Sql('', 1), leaseMs);
  }

  addAccount(no: number, granted: bigint): FakeAccount {
    const account = { granted, spent: 0n, reserved: 0n };
    this.accounts.set(no, account);
    return account;
  }

  addKey(no: number, { limit = null, countsByok = false, fault }: Partial<FakeKey> = {}): FakeKey {
    const key = { limit, countsByok, fault, usage: 0n, byokUsage: 0n, reserved: 0n };
    this.keys.set(no, key);
    return key;
  }

  /** Releases every open reservation, like a sweep after their leases have ended. */
  loseReservations(): void {
    for (const reservation of this.#reservations.values())
      if (reservation.state === 'reserved') this.#close(reservation, 'released');
  }

  override async reserve(request: ReservationRequest): Promise<ReservationOutcome> {
    this.requests.push(request);
    const outcome = this.#reserve(request);
    this.outcomes.push(outcome);
    return outcome;
  }

  override async finish(finish: Finish): Promise<FinishOutcome> {
    this.finishes.push(finish);
    const { reservationId, settle, cost, byokCost } = finish;
    const state = settle ? 'settled' : 'released';
    const reservation = this.#reservations.get(reservationId);
    if (reservation?.state !== 'reserved') return reservation?.state === state ? 'done' : 'lost';
    this.#close(reservation, state);
    if (!settle) return 'done';
    this.accounts.get(reservation.accountNo)!.spent += cost;
    for (const no of [reservation.keyNo, reservation.parentNo]) {
      if (no === null) continue;
      this.keys.get(no)!.usage += cost;
      this.keys.get(no)!.byokUsage += byokCost;
    }
    return 'done';
  }

  override async renew(reservations: readonly OpenReservation[]): Promise<void> {
    for (const { id } of reservations) {
      const reservation = this.#reservations.get(id);
      if (reservation?.state === 'reserved') reservation.deadline = Date.now() + this.leaseMs;
    }
  }

  override async databaseTime(): Promise<string> {
    return new Date().toISOString();
  }

  override async sweep(asOf: string, limit: number): Promise<SweptReservations> {
    const now = Date.now();
    if (now - Date.parse(asOf) > MAX_SWEEP_DELAY_MS) return { swept: 0, calls: 0, unlisted: 0 };
    const overdue = [...this.#reservations.values()]
      .filter(({ state, deadline }) => state === 'reserved' && deadline < now)
      .slice(0, limit);
    for (const reservation of overdue) this.#close(reservation, 'released');
    return { swept: overdue.length, calls: overdue.length, unlisted: 0 };
  }

  override post(): Promise<void> {
    return Promise.resolve();
  }

  override postAll(): Promise<void> {
    return Promise.resolve();
  }

  override async forget(before: Date, limit: number): Promise<number> {
    const closed = [...this.#reservations.values()]
      .filter(({ state, at }) => state !== 'reserved' && at < before)
      .slice(0, limit);
    for (const { id } of closed) this.#reservations.delete(id);
    return closed.length;
  }

  override async idle(): Promise<void> {}

  #reserve(request: ReservationRequest): ReservationOutcome {
    const { id, accountNo, keyNo, parentNo, accountAmount, keyAmount, parentAmount, replaces } = request;
    const account = this.accounts.get(accountNo);
    const key = this.keys.get(keyNo);
    const parent = parentNo === null ? undefined : this.keys.get(parentNo);
    if (!account || !key) return { reason: 'key_unknown' };
    if (key.fault) return { reason: `key_${key.fault}` };
    if (parentNo !== null && !parent) return { reason: 'parent_unknown' };
    if (parent?.fault) return { reason: `parent_${parent.fault}` };
    const earlier = this.#reservations.get(id);
    if (earlier) return earlier.state === 'reserved' ? 'reserved' : { reason: 'lease_lost' };
    const replaced = replaces === undefined ? undefined : this.#reservations.get(replaces);
    if (replaces !== undefined && replaced?.state !== 'reserved') return { reason: 'lease_lost' };
    const limits = [
      [
        'insufficient_credits',
        accountAmount,
        account.granted - account.spent - account.reserved,
        replaced?.accountAmount,
      ],
      ['key_limit', keyAmount, freeOf(key, keyAmount), replaced?.keyAmount],
      ['parent_limit', parentAmount, parent && freeOf(parent, parentAmount), replaced?.parentAmount],
    ] as const;
    for (const [reason, amount, free, held = 0n] of limits)
      if (free !== undefined && amount > 0n && amount > free + held)
        return { reason, remaining: free + held > 0n ? free + held : 0n };
    if (replaced) this.#close(replaced, 'released');
    this.#reservations.set(id, { ...request, state: 'reserved', deadline: Date.now() + this.leaseMs });
    account.reserved += accountAmount;
    key.reserved += keyAmount;
    if (parent) parent.reserved += parentAmount;
    return 'reserved';
  }

  #close(reservation: Reservation, state: 'settled' | 'released'): void {
    const { accountNo, keyNo, parentNo, accountAmount, keyAmount, parentAmount } = reservation;
    reservation.state = state;
    this.accounts.get(accountNo)!.reserved -= accountAmount;
    this.keys.get(keyNo)!.reserved -= keyAmount;
    if (parentNo !== null) this.keys.get(parentNo)!.reserved -= parentAmount;
  }
}

/** The remaining amount of the key's limit; without a limit, `amount` itself. */
const freeOf = ({ limit, reserved, usage, byokUsage, countsByok }: FakeKey, amount: bigint): bigint =>
  limit === null ? amount : limit - reserved - usage - (countsByok ? byokUsage : 0n);
