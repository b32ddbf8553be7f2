import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ProcessRole } from '../../config/process-role.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { Clock } from '../../kernel/clock.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { countBudget, lockBudgets, type CountedBudget } from './budget-counts.js';

const CHANGES_MS = 5_000;
const DELETIONS_MS = 60_000;
const BATCH = 100;
/** Maximum number of balances that one statement deletes. It is limited because the statement locks them. */
const MAX_DELETED = 5_000;
/** SQL for the age of a window at which its balance is deleted: two windows, because no call is open that long. */
const OLD = `case t.reset when 'daily' then interval '2 days' when 'weekly' then interval '14 days'
  else interval '62 days' end`;

/**
 * Counts new budgets again, writes events for raises that have ended, and deletes the balances of old windows and of
 * deleted budgets. Deletes the balances of sessions 24 hours after their last call.
 */
@Injectable()
export class BudgetSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(BudgetSweeper.name);
  readonly #changes = this.#periodic((now) => this.#noteChanges(now));
  /** Deletions run less often than other work, because they read all balances. */
  readonly #deletions = this.#periodic((now) => this.#deleteOld(now));

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly role: ProcessRole = new ProcessRole(),
  ) {}

  onApplicationBootstrap(): void {
    if (this.role.isWorker) return;
    this.#changes.start(CHANGES_MS);
    this.#deletions.start(DELETIONS_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.#changes.stop(), this.#deletions.stop()]);
  }

  async sweep(): Promise<void> {
    const now = this.clock.now();
    await this.#noteChanges(now);
    await this.#deleteOld(now);
  }

  #periodic(job: (now: Date) => Promise<void>): Periodic {
    return new Periodic(
      () => job(this.clock.now()),
      (error) => this.#log.warn(`Budgets were not swept; this is retried: ${error.message}`),
    );
  }

  async #noteChanges(now: Date): Promise<void> {
    while (await this.sql.transaction((session) => this.#recountOne(now, session)));
    await this.#endRaises(now);
    await this.#noteEndedKeyRaises(now);
  }

  /** Returns false if no budget needs a recount. */
  async #recountOne(now: Date, session: SqlSession): Promise<boolean> {
    const [next] = await session.query<{ no: number; account_no: number }>(
      'select no, account_no from budget where recount_at <= $1 order by recount_at limit 1',
      [now],
    );
    if (!next) return false;
    await lockBudgets(session, next.account_no);
    const [budget] = await session.query<CountedBudget & { at: Date }>(
      `update budget set recount_at = null where no = $1 and recount_at is not null
       returning no, account_no, scope, each, reset, created_at as at`,
      [next.no],
    );
    if (budget) await countBudget(budget, budget.at, session);
    return true;
  }

  async #endRaises(now: Date): Promise<void> {
    await this.sql.query(
      `with ended as (
         update budget set raise_nano = 0, raise_until = null
         where no in (select no from budget where raise_until <= $1 limit $2 for update skip locked) returning *
       ), judged_again as (
         update budget_balance x set alert_at = 0 from ended t
           where x.account_no = t.account_no and x.budget_no = t.no)
       insert into event (account_no, type, data)
         select t.account_no, 'budget.raise.ended',
           event_budget(t, null) || jsonb_build_object('limit', event_usd(t.limit_nano))
         from ended t where t.deleted_at is null and t.account_no <> 0`,
      [now, BATCH],
    );
  }

  /** Only writes events. The limit needs no change, because a raise that has ended does not count. */
  async #noteEndedKeyRaises(now: Date): Promise<void> {
    await this.sql.query(
      `insert into event (account_no, type, data, once)
       select a.no, 'key.limit.raise.ended', event_key(k) || jsonb_build_object('limit', event_usd(k.limit_nano)),
         k.no || ' ' || k.raise_until
       from api_key k join account a on a.id = k.account_id
       where k.raise_until <= $1 and k.raise_until > $1::timestamptz - interval '1 day' and k.deleted_at is null
       on conflict do nothing`,
      [now],
    );
  }

  async #deleteOld(now: Date): Promise<void> {
    while ((await this.#deleteSome(now)) === MAX_DELETED);
  }

  async #deleteSome(now: Date): Promise<number> {
    const [row] = await this.sql.query<{ deleted: number }>(
      `with gone as (delete from budget_balance b using (
         select x.account_no, x.budget_no, x.value, x.window_start, x.used_at
         from budget_balance x join budget t on t.no = x.budget_no
         where x.reserved = 0
           and (t.deleted_at < $1::timestamptz - interval '1 day' or x.used_at < $1::timestamptz - interval '1 day'
             or t.reset is not null and x.window_start < ($1::timestamptz - ${OLD})::date)
         limit $2) o
       where b.account_no = o.account_no and b.budget_no = o.budget_no and b.value = o.value
         and b.window_start = o.window_start and b.reserved = 0 and b.used_at is not distinct from o.used_at
         returning 1)
       select count(*)::int as deleted from gone`,
      [now, MAX_DELETED],
    );
    return row!.deleted;
  }
}
