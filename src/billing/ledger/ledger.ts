import type { Sql } from '../../database/sql.js';
import type { Nano } from '../../kernel/money.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import type { FinishItem, FinishOutcome, LedgerCommits, ReserveItem } from './commits/ledger-commits.port.js';
import { DEFAULT_LEASE_MS, LocalCommits, timeoutOf } from './commits/local-commits.driver.js';
import { postJournal, postJournals } from './commits/journal-posts.js';
import { elementText, IsoTexts } from './composite-text.js';
import { LedgerCells } from './ledger-cells.js';
import type { BudgetHold } from './named-budgets.js';
import { recordTexts, readRefusal, type Refusal } from './ledger-rows.js';

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
   * When the call began. The call counts in the windows of that time. A reservation that replaces another reservation
   * has the time of the call's first reservation.
   */
  readonly at: Date;
  /** The reservation that this one replaces, released in the same transaction. */
  readonly replaces?: string;
  readonly budgets?: readonly BudgetHold[];
}

export type OpenReservation = Pick<ReservationRequest, 'id' | 'accountNo'>;

export type ReservationOutcome = 'reserved' | Refusal;

export interface Finish {
  readonly reservationId: string;
  readonly accountNo: number;
  readonly keyNo: number;
  /** True if the call is settled at its price, false if it is released. */
  readonly settle: boolean;
  /** The amount that is paid from the account's credits. */
  readonly cost: Nano;
  /** The amount that was spent on the caller's own credential. */
  readonly byokCost: Nano;
  readonly record: GenerationRecord | null;
}

/** The result of a sweep. */
export interface SweptReservations {
  /** Number of released reservations, including credit leases. */
  readonly swept: number;
  /** Number of calls with unknown outcome for which the reservations were made. */
  readonly calls: number;
  /** The number of those `calls` that no renewal of their credit lease listed. */
  readonly unlisted: number;
}

/** Accesses the tables of the ledger through functions of the database (sql/). */
export class Ledger {
  readonly #isoTexts = new IsoTexts();

  constructor(
    private readonly sql: Sql,
    /** How long a reservation is valid after its last renewal, by the database's clock. */
    readonly leaseMs = DEFAULT_LEASE_MS,
    readonly cells = new LedgerCells(),
    readonly commits: LedgerCommits = new LocalCommits(sql, leaseMs, cells),
  ) {}

  /** The time that a reservation may wait for the database before its call is refused. */
  get timeoutMs(): number {
    return timeoutOf(this.sql);
  }

  /** `until` = when the caller stops waiting for the outcome, on the clock of performance.now(). */
  async reserve(request: ReservationRequest, until?: number): Promise<ReservationOutcome> {
    const outcome = await this.commits.reserve(this.#reserveItem(request), until);
    return outcome === 'reserved' ? outcome : readRefusal(outcome);
  }

  finish(finish: Finish): Promise<FinishOutcome> {
    return this.commits.finish(finishItem(finish));
  }

  /**
   * Extends the leases of open reservations, including overdue ones. Skips rows that a running settlement has locked.
   */
  async renew(reservations: readonly OpenReservation[]): Promise<void> {
    await this.sql.query(
      `update reservation set deadline = clock_timestamp() + $3 * interval '1 ms' where (account_no, id) in (
         select v.account_no, v.id from unnest($1::int[], $2::uuid[]) as i(account_no, id)
           cross join lateral (
             select v.account_no, v.id from reservation v
             where v.account_no = i.account_no and v.id = i.id and v.state = 'reserved'
             for update skip locked) v)`,
      [reservations.map(({ accountNo }) => accountNo), reservations.map(({ id }) => id), this.leaseMs],
    );
  }

  /** The time of the database's clock, by which leases end. */
  async databaseTime(): Promise<string> {
    const [row] = await this.sql.query<{ now: string }>('select clock_timestamp()::text as now');
    return row!.now;
  }

  /**
   * Releases reservations whose lease has expired. `asOf` = the database's time just before this method is called. A
   * statement that runs much later, because the database was frozen, releases nothing.
   */
  async sweep(asOf: string, limit: number): Promise<SweptReservations> {
    const [row] = await this.sql.query<SweptReservations>('select * from ledger_release_overdue($1, $2)', [
      asOf,
      limit,
    ]);
    return row!;
  }

  /** Posts the calls of an account that ended on credit leases. */
  post(accountNo: number): Promise<void> {
    return postJournal(this.sql, accountNo);
  }

  /** Posts the calls of all accounts that ended on credit leases, also those of services that died. */
  postAll(): Promise<void> {
    return postJournals(this.sql);
  }

  /**
   * Deletes at most `limit` closed reservations that were created before a time, and returns their number. Uses an
   * index, because this method is called often and usually finds none.
   */
  async forget(before: Date, limit: number): Promise<number> {
    const rows = await this.sql.transaction(
      (session) =>
        session.query(
          `delete from reservation where (account_no, id) in (
             select account_no, id from reservation where state <> 'reserved' and created_at < $1
             limit $2 for update skip locked)
           returning 1 as gone`,
          [before, limit],
        ),
      { byIndex: true },
    );
    return rows.length;
  }

  idle(): Promise<void> {
    return this.commits.idle();
  }

  #reserveItem(request: ReservationRequest): ReserveItem {
    const { id, generationId, accountNo, keyNo, parentNo, accountAmount, keyAmount, parentAmount } = request;
    const amounts = [accountAmount, keyAmount, parentAmount].map(String);
    const columns = [id, generationId, accountNo, keyNo, parentNo, ...amounts, this.#isoTexts.of(request.at)];
    const { replaces, budgets } = request;
    const isPlain = replaces === undefined && parentNo === null && !budgets;
    return { id, columns: [...columns, replaces ?? null], isPlain, ...(budgets && { budgets }) };
  }
}

function finishItem({ reservationId: id, accountNo, keyNo, settle, cost, byokCost, record }: Finish): FinishItem {
  const finish = elementText([id, accountNo, keyNo, settle, cost, byokCost]);
  return { id, finish, ...recordTexts(record, settle ? cost : 0n) };
}
