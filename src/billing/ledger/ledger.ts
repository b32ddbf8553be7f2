import type { Nano } from '../../kernel/money.js';
import type { Sql, StatementOptions } from '../../database/sql.js';
import { timeLeftMs } from '../../database/time-left.js';
import { DatabaseUnavailable } from '../../kernel/errors/database-unavailable.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { compositeArrayText, compositeText, type CompositeRow } from './composite-text.js';
import { GroupCommit } from './group-commit.js';
import { IsoTexts } from './iso-texts.js';
import { LedgerCells } from './ledger-cells.js';
import {
  detailRow,
  detailsText,
  outcomesOf,
  toRefusal,
  usageRow,
  type OutcomeRow,
  type Refusal,
} from './ledger-rows.js';

/** The amounts that a reservation takes from each limit. */
export interface ReservedAmounts {
  /** Reserved on the account's credits; 0 on the caller's own credential. */
  readonly accountAmount: Nano;
  /** Reserved on the key's limit. */
  readonly keyAmount: Nano;
  /** Reserved on the limit of the parent key. */
  readonly parentAmount: Nano;
}

export interface ReservationRequest extends ReservedAmounts {
  readonly id: string;
  readonly generationId: string;
  readonly accountNo: number;
  readonly keyNo: number;
  /** On an intern's key: the key that created the intern. Its limit covers the call too. */
  readonly parentNo: number | null;
  /**
   * When the call began; the call counts in the windows of that time. A replacement keeps the time of the first
   * reservation.
   */
  readonly at: Date;
  /** The reservation that this one replaces, released in the same transaction. */
  readonly replaces?: string;
}

export type ReservationOutcome = 'reserved' | Refusal;

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

const DEFAULT_LEASE_MS = 30_000;
const DEFAULT_TIMEOUT_MS = 4_000;
/** A batch with less than this share of the default timeout left gets a timeout of its own. */
const FULL_TIMEOUT_SHARE = 0.9;
/**
 * The share of its timeout in which a reservation must commit. The rest is for the network, so that the database never
 * commits what this process has given up.
 */
export const COMMIT_SHARE = 0.9;

/** The tables of money behind functions of the database (sql/); batches what arrives together. */
export class Ledger {
  readonly #reservations: GroupCommit<ReservationRequest, ReservationOutcome>;
  readonly #finishes: GroupCommit<Finish, FinishOutcome>;
  readonly #isoTexts = new IsoTexts();

  constructor(
    private readonly sql: Sql,
    /** How long a reservation is valid after its last renewal, by the database's clock. */
    readonly leaseMs = DEFAULT_LEASE_MS,
    readonly cells = new LedgerCells(),
  ) {
    this.#reservations = new GroupCommit(
      (items, timeoutMs) => this.#flushReservations(items, timeoutMs),
      undefined,
      undefined,
      (size, seconds) => cells.batch('reserve', size, seconds),
    );
    this.#finishes = new GroupCommit(
      (items) => this.#flushFinishes(items),
      undefined,
      undefined,
      (size, seconds) => cells.batch('finish', size, seconds),
    );
  }

  /** How long a reservation may wait for the database before its call is refused. */
  get timeoutMs(): number {
    return this.sql.timeoutMs || DEFAULT_TIMEOUT_MS;
  }

  /** `until` = when the outcome becomes useless, of performance.now(). */
  reserve(request: ReservationRequest, until?: number): Promise<ReservationOutcome> {
    return this.#reservations.submit(request, until);
  }

  finish(finish: Finish): Promise<FinishOutcome> {
    return this.#finishes.submit(finish);
  }

  /**
   * Extends the leases of open reservations, including overdue ones. Skips rows that a running settlement has locked.
   */
  async renew(ids: readonly string[]): Promise<void> {
    await this.sql.query(
      `update reservation set deadline = clock_timestamp() + $2 * interval '1 ms' where id in (
         select id from reservation where id = any($1::uuid[]) and state = 'reserved' for update skip locked)`,
      [ids, this.leaseMs],
    );
  }

  /** The database's clock, which leases use. */
  async databaseTime(): Promise<string> {
    const [row] = await this.sql.query<{ now: string }>('select clock_timestamp()::text as now');
    return row!.now;
  }

  /**
   * Releases reservations whose lease has expired; returns how many. `asOf` = the database's time just before. A
   * statement that runs much later, because the database was frozen, releases nothing.
   */
  async sweep(asOf: string, limit: number): Promise<number> {
    const [row] = await this.sql.query<{ swept: number }>('select ledger_sweep($1, $2) as swept', [asOf, limit]);
    return row?.swept ?? 0;
  }

  /** Deletes closed reservations made before a time; returns how many. It runs often, mostly to find none. */
  async forget(before: Date, limit: number): Promise<number> {
    const rows = await this.sql.transaction(
      (session) =>
        session.query(
          `delete from reservation where id in (
             select id from reservation where state <> 'reserved' and created_at < $1 limit $2 for update skip locked)
           returning 1 as gone`,
          [before, limit],
        ),
      { byIndex: true },
    );
    return rows.length;
  }

  async idle(): Promise<void> {
    await this.#reservations.idle();
    await this.#finishes.idle();
  }

  async #flushReservations(items: readonly ReservationRequest[], timeoutMs: number): Promise<ReservationOutcome[]> {
    if (timeoutMs <= 0) throw new DatabaseUnavailable('the database did not respond while reservations waited for it');
    // The default timeout needs no timer of its own. Items that waited behind a failed batch have less time left.
    const limit = timeoutMs < this.timeoutMs * FULL_TIMEOUT_SHARE ? { timeoutMs } : undefined;
    const commitUntil = performance.now() + COMMIT_SHARE * Math.min(timeoutMs, this.sql.timeoutMs || Infinity);
    const [only] = items as [ReservationRequest];
    if (items.length === 1 && only.replaces === undefined && only.parentNo === null)
      return [await this.#reserveOne(only, commitUntil, limit)];
    const rows = items.map((request) => [
      request.id,
      request.generationId,
      request.accountNo,
      request.keyNo,
      request.parentNo,
      request.accountAmount,
      request.keyAmount,
      request.parentAmount,
      this.#isoTexts.of(request.at),
      request.replaces,
    ]);
    const refused = await this.sql.query<OutcomeRow<string>>(
      `select * from ledger_reserve_batch($1, $2, $3) where outcome <> 'reserved'`,
      [this.leaseMs, compositeArrayText(rows), timeLeftMs(commitUntil)],
      limit,
    );
    return outcomesOf(items.map(idOf), refused, 'reserved').map(toReservationOutcome);
  }

  /** Fast path for a batch of one, which is the usual batch at low load. */
  async #reserveOne(
    { id, generationId, accountNo, keyNo, accountAmount, keyAmount, at }: ReservationRequest,
    commitUntil: number,
    limit?: StatementOptions,
  ): Promise<ReservationOutcome> {
    const [answer] = await this.sql.query<{ outcome: string }>(
      'select ledger_reserve_one($1, $2, $3, $4, $5, $6, $7, $8, $9) as outcome',
      [
        this.leaseMs,
        id,
        generationId,
        accountNo,
        keyNo,
        accountAmount,
        keyAmount,
        this.#isoTexts.of(at),
        timeLeftMs(commitUntil),
      ],
      limit,
    );
    return toReservationOutcome(answer!.outcome);
  }

  async #finishOne(finish: Finish): Promise<FinishOutcome> {
    const [answer] = await this.sql.query<{ outcome: FinishOutcome }>(
      'select ledger_finish_one($1, $2, $3) as outcome',
      [compositeText(finishRow(finish)), compositeText(usageRowOf(finish)), compositeText(detailRow(finish.record))],
    );
    return answer!.outcome;
  }

  async #flushFinishes(items: readonly Finish[]): Promise<FinishOutcome[]> {
    if (items.length === 1) return [await this.#finishOne(items[0]!)];
    const lost = await this.sql.query<OutcomeRow<FinishOutcome>>(
      `select * from ledger_finish($1, $2, $3) where outcome <> 'done'`,
      [
        compositeArrayText(items.map(finishRow)),
        compositeArrayText(items.map(usageRowOf)),
        detailsText(items.map(({ record }) => record)),
      ],
    );
    return outcomesOf(
      items.map(({ reservationId }) => reservationId),
      lost,
      'done',
    );
  }
}

const idOf = ({ id }: { readonly id: string }): string => id;

const finishRow = ({ reservationId, accountNo, keyNo, settle, cost, byokCost }: Finish): CompositeRow => [
  reservationId,
  accountNo,
  keyNo,
  settle,
  cost,
  byokCost,
];
const usageRowOf = ({ record, settle, cost }: Finish): CompositeRow => usageRow(record, settle ? cost : 0n);

const toReservationOutcome = (text: string): ReservationOutcome => (text === 'reserved' ? text : toRefusal(text));
