import { Injectable } from '@nestjs/common';
import type { Nano } from '../../kernel/money.js';
import { Sql } from '../../database/sql.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { GroupCommit } from './group-commit.js';

export interface ReservationRequest {
  readonly id: string;
  readonly generationId: string;
  readonly accountNo: number;
  readonly keyNo: number;
  /** Reserved on the account's credits; 0 on the caller's own credential. */
  readonly accountAmount: Nano;
  /** Reserved on the key's limit. */
  readonly keyAmount: Nano;
  readonly deadline: Date;
  /** When the call began, where that is not now: a swapped reservation stays in the window of the first. */
  readonly createdAt?: Date;
  /** The reservation this one takes the place of, released in the same transaction. */
  readonly replaces?: string;
}

export type ReservationOutcome =
  'reserved' | 'insufficient_credits' | 'key_limit' | 'key_disabled' | 'key_expired' | 'key_unknown' | 'lease_lost';

export interface Finish {
  readonly reservationId: string;
  readonly accountNo: number;
  readonly keyNo: number;
  /** Settled at its price, or released. */
  readonly settle: boolean;
  /** Paid from the platform's credits. */
  readonly cost: Nano;
  /** Spent on the caller's own credential. */
  readonly byokCost: Nano;
  readonly record: GenerationRecord | null;
}

export type FinishOutcome = 'done' | 'lost';

const MOST_TIMES = 64;

/** The tables of money behind functions of the database; batches what arrives together. */
@Injectable()
export class Ledger {
  readonly #reservations: GroupCommit<{ request: ReservationRequest; now: Date }, ReservationOutcome>;
  readonly #finishes: GroupCommit<Finish, FinishOutcome>;
  readonly #times = new Map<number, string>();

  constructor(private readonly sql: Sql) {
    this.#reservations = new GroupCommit((items) => this.#flushReservations(items));
    this.#finishes = new GroupCommit((items) => this.#flushFinishes(items));
  }

  reserve(request: ReservationRequest, now: Date): Promise<ReservationOutcome> {
    return this.#reservations.submit({ request, now });
  }

  finish(finish: Finish): Promise<FinishOutcome> {
    return this.#finishes.submit(finish);
  }

  /** Extends the leases of live reservations. Rows locked by a settlement under way are passed over. */
  async renew(ids: readonly string[], deadline: Date): Promise<void> {
    await this.sql.query(
      `update reservation set deadline = $2 where id in (
         select id from reservation where id = any($1::uuid[]) and state = 'reserved' for update skip locked)`,
      [ids, deadline],
    );
  }

  /** Releases reservations whose lease ran out; answers how many. */
  async sweep(now: Date, limit: number): Promise<number> {
    const [row] = await this.sql.query<{ swept: number }>('select ledger_sweep($1, $2) as swept', [now, limit]);
    return row?.swept ?? 0;
  }

  /** Forgets closed reservations made before a time; answers how many. */
  async forget(before: Date, limit: number): Promise<number> {
    const rows = await this.sql.query(
      `delete from reservation where id in (
         select id from reservation where state <> 'reserved' and created_at < $1 limit $2 for update skip locked) returning 1 as gone`,
      [before, limit],
    );
    return rows.length;
  }

  async idle(): Promise<void> {
    await this.#reservations.idle();
    await this.#finishes.idle();
  }

  async #flushReservations(
    items: readonly { request: ReservationRequest; now: Date }[],
  ): Promise<ReservationOutcome[]> {
    const [{ request: only, now: begun }] = items as [(typeof items)[0]];
    if (items.length === 1 && only.replaces === undefined && (only.createdAt ?? begun).getTime() === begun.getTime())
      return [await this.#reserveOne(only, begun)];
    const latest = items.reduce((late, { now }) => (now > late ? now : late), begun);
    const rows = items.map(({ request }) => ({
      r: request.id,
      g: request.generationId,
      a: request.accountNo,
      k: request.keyNo,
      aa: request.accountAmount.toString(),
      ka: request.keyAmount.toString(),
      d: this.#textOf(request.deadline),
      t: request.createdAt && this.#textOf(request.createdAt),
      x: request.replaces,
    }));
    const refused = await this.sql.query<Answer<ReservationOutcome>>(
      `select * from ledger_reserve($1, $2) where outcome <> 'reserved'`,
      [this.#textOf(latest), JSON.stringify(rows)],
    );
    return outcomesOf(rows, refused, 'reserved');
  }

  // The database has a shorter way for a batch of one, which is every batch of a service that is not busy.
  async #reserveOne(
    { id, generationId, accountNo, keyNo, accountAmount, keyAmount, deadline }: ReservationRequest,
    now: Date,
  ): Promise<ReservationOutcome> {
    const [answer] = await this.sql.query<{ outcome: ReservationOutcome }>(
      'select ledger_reserve_one($1, $2, $3, $4, $5, $6, $7, $8) as outcome',
      [this.#textOf(now), id, generationId, accountNo, keyNo, accountAmount, keyAmount, this.#textOf(deadline)],
    );
    return answer!.outcome;
  }

  /** As toISOString, which takes longer than all the rest of a reservation's text: what a batch holds is of a few milliseconds. */
  #textOf(time: Date): string {
    const ms = time.getTime();
    let text = this.#times.get(ms);
    if (text === undefined) {
      if (this.#times.size >= MOST_TIMES) this.#times.clear();
      this.#times.set(ms, (text = time.toISOString()));
    }
    return text;
  }

  async #finishOne(finish: Finish): Promise<FinishOutcome> {
    const { reservationId, accountNo, keyNo, settle, cost, byokCost } = finish;
    const record = leanRecord(finish);
    const [answer] = await this.sql.query<{ outcome: FinishOutcome }>(
      'select ledger_finish_one($1, $2, $3, $4, $5, $6, $7) as outcome',
      [reservationId, accountNo, keyNo, settle, cost, byokCost, record && JSON.stringify(record)],
    );
    return answer!.outcome;
  }

  async #flushFinishes(items: readonly Finish[]): Promise<FinishOutcome[]> {
    if (items.length === 1) return [await this.#finishOne(items[0]!)];
    const rows = items.map((item) => ({
      r: item.reservationId,
      a: item.accountNo,
      k: item.keyNo,
      s: item.settle,
      c: item.cost.toString(),
      b: item.byokCost.toString(),
      g: leanRecord(item),
    }));
    const lost = await this.sql.query<Answer<FinishOutcome>>(
      `select * from ledger_finish($1) where outcome <> 'done'`,
      [JSON.stringify(rows)],
    );
    return outcomesOf(rows, lost, 'done');
  }
}

interface Answer<Outcome> {
  readonly r: string;
  readonly outcome: Outcome;
}

/**
 * Only what did not end as hoped is asked for, which is nearly never anything. Sound as long as the functions of the ledger answer for every
 * item of a batch, which the specs of random batches hold them to.
 */
function outcomesOf<Outcome>(
  rows: readonly { r: string }[],
  unusual: readonly Answer<Outcome>[],
  hoped: Outcome,
): Outcome[] {
  const outcomes = new Map(unusual.map((answer) => [answer.r, answer.outcome]));
  return rows.map(({ r }) => outcomes.get(r) ?? hoped);
}

/** Without what the vendor charged where that is what is recorded as the cost: what is absent takes no space, and readers put the cost in its place. */
function leanRecord({ record, settle, cost }: Finish): object | null {
  return record && record.upstream_cost === (settle ? cost : 0n).toString()
    ? { ...record, upstream_cost: null }
    : record;
}
