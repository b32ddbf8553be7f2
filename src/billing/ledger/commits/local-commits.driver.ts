import type { Sql } from '../../../database/sql.js';
import { timeLeftMs } from '../../../database/time-left.js';
import { DatabaseUnavailable } from '../../../kernel/errors/database-unavailable.js';
import { arrayText, compositeArrayText, NULL_ELEMENT } from '../composite-text.js';
import { LedgerCells, type BatchKind } from '../ledger-cells.js';
import { outcomesOf, tagsText, type OutcomeRow } from '../ledger-rows.js';
import { budgetTexts, sessionLimitsText } from '../named-budgets.js';
import type { FailoverLosses } from './failover-losses.js';
import { GroupCommit } from './group-commit.js';
import { Journal } from './journal.js';
import {
  LedgerCommits,
  type FinishItem,
  type FinishOutcome,
  type LeasedFinishItem,
  type ReserveItem,
} from './ledger-commits.port.js';

export const DEFAULT_LEASE_MS = 30_000;
const DEFAULT_TIMEOUT_MS = 4_000;
/** A batch whose items have less than this share of the default timeout left gets a timeout of its own. */
const FULL_TIMEOUT_SHARE = 0.9;
/**
 * The share of its timeout in which a reservation must commit. The rest is for the network, so that the database never
 * commits a reservation after this process has stopped waiting for it.
 */
export const COMMIT_SHARE = 0.9;

const RESERVE_ONE = 'select ledger_reserve_one($1, $2, $3, $4, $5, $6, $7, $8, $9) as outcome';
const RESERVE_BATCH = `select * from ledger_reserve_batch($1, $2, $3) where outcome <> 'reserved'`;
const RESERVE_BUDGETED = `select * from ledger_reserve_budgeted($1, $2, $3, $4, $6, $5) where outcome <> 'reserved'`;
const FINISH_ONE = `select ledger_finish_one(($1::ledger_finish_item[])[1], ($2::ledger_usage[])[1],
  ($3::ledger_detail[])[1], $4) as outcome`;
const FINISH_BATCH = `select * from ledger_finish($1, $2, $3, $4) where outcome <> 'done'`;
const FINISH_LEASED = `select * from ledger_finish_leased($1, $2, $3, $5, $4) where outcome <> 'done'`;

/** How long a statement of the ledger may take, in milliseconds. */
export const timeoutOf = (sql: Sql): number => sql.timeoutMs || DEFAULT_TIMEOUT_MS;

/** Commits through functions of the database (../sql/). */
export class LocalCommits extends LedgerCommits {
  readonly #reservations: GroupCommit<ReserveItem, string>;
  readonly #finishes: GroupCommit<FinishItem, FinishOutcome>;
  readonly #leasedFinishes: GroupCommit<LeasedFinishItem, FinishOutcome>;
  readonly #journal: Journal;
  readonly #journalWrites: GroupCommit<LeasedFinishItem, boolean>;

  constructor(
    private readonly sql: Sql,
    /** How long a reservation is valid after its last renewal, by the database's clock. */
    private readonly leaseMs = DEFAULT_LEASE_MS,
    cells = new LedgerCells(),
    private readonly losses?: Pick<FailoverLosses, 'committed'>,
  ) {
    super();
    const counted = (kind: BatchKind) => (size: number, seconds: number) => cells.batch(kind, size, seconds);
    this.#journal = new Journal(sql, counted('post'));
    this.#reservations = new GroupCommit((items, ms) => this.#reserve(items, ms), counted('reserve'));
    this.#finishes = new GroupCommit(
      (items) => this.#remember('reserved', items, this.#finish(items)),
      counted('finish'),
    );
    this.#journalWrites = new GroupCommit((items) => this.#writeJournal(items), counted('finish'));
    this.#leasedFinishes = new GroupCommit(
      (items) => this.#remember('leased', items, this.#query(FINISH_LEASED, items, [openCallsOf(items)])),
      counted('finish'),
    );
  }

  reserve(item: ReserveItem, until?: number): Promise<string> {
    return this.#reservations.submit(item, until);
  }

  finish(item: FinishItem): Promise<FinishOutcome> {
    return this.#finishes.submit(item);
  }

  /** Settles a call at once if it is not for the journal, or if its lease is closed. */
  async finishLeased(item: LeasedFinishItem): Promise<FinishOutcome> {
    if (item.isJournaled && (await this.#journalWrites.submit(item))) return 'done';
    return this.#leasedFinishes.submit(item);
  }

  async idle(): Promise<void> {
    await this.#journalWrites.idle();
    await Promise.all([this.#reservations.idle(), this.#finishes.idle(), this.#leasedFinishes.idle()]);
    await this.#journal.post();
  }

  async #reserve(items: readonly ReserveItem[], timeoutMs: number): Promise<string[]> {
    if (timeoutMs <= 0) throw new DatabaseUnavailable('the database did not respond while reservations waited for it');
    // If nearly the whole default timeout is left, use the default, because a different timeout needs a timer. Items
    // that waited for a failed batch have less time left.
    const limit = timeoutMs < timeoutOf(this.sql) * FULL_TIMEOUT_SHARE ? { timeoutMs } : undefined;
    const commitUntil = performance.now() + COMMIT_SHARE * Math.min(timeoutMs, this.sql.timeoutMs || Infinity);
    const [only] = items as [ReserveItem];
    if (items.length === 1 && only.isPlain) {
      // Fast path for a batch of one item, the usual batch at low load.
      const [id, generation, account, key, , accountAmount, keyAmount, , at] = only.columns;
      const [row] = await this.sql.query<{ outcome: string }>(
        RESERVE_ONE,
        [this.leaseMs, id, generation, account, key, accountAmount, keyAmount, at, timeLeftMs(commitUntil)],
        limit,
      );
      return [row!.outcome];
    }
    const rows = compositeArrayText(items.map(({ columns }) => columns));
    const budgets = items.map((item) => item.budgets);
    const named = budgets.some(Boolean) ? [...budgetTexts(budgets), sessionLimitsText(budgets)] : [];
    const refused = await this.sql.query<OutcomeRow<string>>(
      named.length > 0 ? RESERVE_BUDGETED : RESERVE_BATCH,
      [this.leaseMs, rows, ...named, timeLeftMs(commitUntil)],
      limit,
    );
    return outcomesOf(items.map(idOf), refused, 'reserved');
  }

  /** Remembers the committed settlements, so that losses can be counted after a failover of PostgreSQL. */
  async #remember(
    kind: 'reserved' | 'leased',
    items: readonly FinishItem[],
    finishing: Promise<FinishOutcome[]>,
  ): Promise<FinishOutcome[]> {
    const outcomes = await finishing;
    const done = items.filter((_, at) => outcomes[at] === 'done');
    this.losses?.committed(
      kind,
      done.map(({ finish }) => finish),
    );
    return outcomes;
  }

  async #finish(items: readonly FinishItem[]): Promise<FinishOutcome[]> {
    if (items.length > 1) return this.#query(FINISH_BATCH, items);
    const [row] = await this.sql.query<{ outcome: FinishOutcome }>(FINISH_ONE, arraysOf(items));
    return [row!.outcome];
  }

  /** Returns whether each call was written. */
  async #writeJournal(items: readonly LeasedFinishItem[]): Promise<boolean[]> {
    const written = await this.#journal.write(items);
    this.losses?.committed(
      'leased',
      [...written].map(({ finish }) => finish),
    );
    return items.map((item) => written.has(item));
  }

  async #query(text: string, items: readonly FinishItem[], more: readonly string[] = []): Promise<FinishOutcome[]> {
    const lost = await this.sql.query<OutcomeRow<FinishOutcome>>(text, [...arraysOf(items), ...more]);
    return outcomesOf(items.map(idOf), lost, 'done');
  }
}

const idOf = ({ id }: { readonly id: string }): string => id;

/** The number of open calls of each lease in a batch, from the last item of the lease. */
const openCallsOf = (items: readonly LeasedFinishItem[]): string =>
  JSON.stringify(Object.fromEntries(items.map(({ leaseId, unsettledCalls }) => [leaseId, unsettledCalls])));

/** The parameters of a batch: its calls and their records, details and tags. Details and tags may be null. */
const arraysOf = (items: readonly FinishItem[]): (string | null)[] => [
  arrayText(items.map(({ finish }) => finish)),
  arrayText(items.map(({ usage }) => usage)),
  items.some(({ detail }) => detail !== NULL_ELEMENT) ? arrayText(items.map(({ detail }) => detail)) : null,
  tagsText(items),
];
