import { Injectable } from '@nestjs/common';
import type { InChange, InTransaction } from '../database/session-of.js';
import { Sql, type SqlSession } from '../database/sql.js';
import type { Reach } from '../kernel/access/reach.js';
import { Clock } from '../kernel/clock.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import type { Page, Paged } from '../kernel/page.js';
import type { BalanceOrder, Budget, BudgetBalance, BudgetChanges, NewBudget } from './budget.js';
import { INSTALLATION, isOfInstallation, workspaceOf } from './budget-scope.js';
import { lockBudgets } from './budgets/budget-counts.js';
import {
  endBudget,
  insertBudget,
  resetAlerts,
  setWorkspaceCountsByok,
  workspaceCountsByok,
} from './budgets/budget-statements.js';
import {
  balancesOf,
  BUDGETS,
  toBalance,
  toBudget,
  WITHIN,
  type BalanceRow,
  type BudgetRow,
} from './budgets/budget-rows.js';

/** The budgets of accounts. */
@Injectable()
export class Budgets {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  async list(reach: Reach, { offset, limit }: Page): Promise<Paged<Budget>> {
    const params = [this.clock.now(), ...withinOf(reach)];
    const rows = await this.sql.query<BudgetRow>(
      `${BUDGETS} where ${WITHIN} and t.deleted_at is null order by t.no offset $5 limit $6`,
      [...params, offset, limit],
    );
    const [total] = await this.sql.query<{ count: bigint }>(
      `select count(*) from budget t where ${WITHIN} and t.deleted_at is null and $1::timestamptz is not null`,
      params,
    );
    return { items: rows.map((row) => toBudget(row, this.clock.now())), total: Number(total!.count) };
  }

  async find(reach: Reach, id: string, session: SqlSession = this.sql): Promise<Budget | undefined> {
    const [row] = await session.query<BudgetRow>(`${BUDGETS} where ${WITHIN} and t.id = $5 and t.deleted_at is null`, [
      this.clock.now(),
      ...withinOf(reach),
      id,
    ]);
    return row && toBudget(row, this.clock.now());
  }

  /**
   * Creates a budget. Its initial spend is the spend of its scope in the current window, or 0 if `countFrom` is `now`.
   * `countsByok` applies to all budgets of the workspace if the scope has only the workspace; absent = unchanged.
   * Throws a 400 if the scope is empty and `each` is absent, or if the scope has the member that `each` names. Throws
   * the conflicts of insertBudget.
   */
  async create(reach: Reach, wanted: NewBudget, inTransaction: InTransaction<Budget>): Promise<Budget> {
    const { scope, each } = wanted;
    if (Object.keys(scope).length === 0 && !each)
      throw invalidRequest('scope must have at least one member, or each must be set');
    if (each && scope[each] !== undefined) throw invalidRequest('each must name a member that scope does not have');
    return this.sql.transaction(async (session) => {
      await lockBudgets(session, reach.accountNo);
      const workspace = workspaceOf(reach.accountNo, wanted);
      const countsByok = wanted.countsByok ?? (workspace && (await workspaceCountsByok(workspace, session)));
      const row = await insertBudget(
        session,
        isOfInstallation(scope) ? INSTALLATION : reach.accountNo,
        { ...wanted, countsByok },
        this.clock.now(),
      );
      if (workspace && countsByok !== undefined) await setWorkspaceCountsByok(workspace, countsByok, session);
      const budget = (await this.find({ ...reach, only: undefined }, row.id, session))!;
      await inTransaction(budget, session);
      return budget;
    });
  }

  /**
   * Changes the given members. Returns undefined if there is no such budget. The change applies to the next call on
   * every replica. `countsByok` applies to all budgets of the workspace if the scope has only the workspace.
   */
  async update(
    reach: Reach,
    id: string,
    { limit, isSoft, countsByok, name, raise }: BudgetChanges,
    inTransaction: InChange<Budget>,
  ): Promise<Budget | undefined> {
    return this.#change(reach, id, inTransaction, async (session, budget) => {
      await session.query(
        `with changed as (
           update budget set limit_nano = coalesce($2, limit_nano), is_soft = coalesce($3, is_soft),
           counts_byok = coalesce($4, counts_byok), name = case when $5 then $6 else name end,
           raise_nano = case when $7 then $8::bigint else raise_nano end,
           raise_until = case when $7 then $9::timestamptz else raise_until end, updated_at = $10
           where id = $1 returning *)
         insert into event (account_no, type, data)
           select c.account_no, 'budget.raised', event_budget(c, null) || jsonb_build_object(
             'amount', event_usd(c.raise_nano), 'limit', event_usd(c.limit_nano), 'until', c.raise_until)
           from changed c where $7 and c.raise_until > $10 and c.account_no <> 0`,
        [
          id,
          limit ?? null,
          isSoft ?? null,
          countsByok ?? null,
          name !== undefined,
          name ?? null,
          raise !== undefined,
          raise?.amount ?? 0n,
          raise?.until ?? null,
          this.clock.now(),
        ],
      );
      const workspace = workspaceOf(reach.accountNo, budget);
      if (workspace && countsByok !== undefined) await setWorkspaceCountsByok(workspace, countsByok, session);
    });
  }

  /** Returns false if there is no such budget. */
  async delete(reach: Reach, id: string, inTransaction: InTransaction<Budget>): Promise<boolean> {
    const deleted = await this.#change(reach, id, inTransaction, (session, { no }) =>
      endBudget(session, no, this.clock.now()),
    );
    return deleted !== undefined;
  }

  /** The sums of a budget by window and value, newest window first. `at`: only the window that contains this time. */
  async balances(
    { no, interval, countsByok }: Budget,
    { offset, limit, order, at }: Page & { readonly order: BalanceOrder; readonly at?: Date },
  ): Promise<Paged<BudgetBalance>> {
    const reset = interval === 'lifetime' ? null : interval;
    const ofAccount = '(select account_no from budget where no = $1)';
    const where = `budget_no = $1
       and ($2::timestamptz is null or window_start = ledger_budget_start($3, $2))`;
    const ofBudget = [no, at ?? null, reset];
    const used = `spent + reserved + case when $6 then byok_spent else 0 end`;
    const rows = await this.sql.query<BalanceRow>(
      `select value, window_start::text as start, spent, byok_spent as "byokSpent", reserved
       from ${balancesOf(ofAccount)} x where ${where}
       order by window_start desc, case when $7 then ${used} end desc, value offset $4 limit $5`,
      [...ofBudget, offset, limit, countsByok, order === 'used'],
    );
    const [total] = await this.sql.query<{ count: bigint }>(
      `select count(*) from budget_balance where account_no = ${ofAccount} and ${where}`,
      ofBudget,
    );
    return { items: rows.map((row) => toBalance(row, interval)), total: Number(total!.count) };
  }

  /** The number of a key of the account; undefined if there is no such key. */
  async keyNo({ accountId }: Pick<Reach, 'accountId'>, hash: string): Promise<number | undefined> {
    const [row] = await this.sql.query<{ no: number }>(
      'select no from api_key where hash = $1 and account_id = $2 and deleted_at is null',
      [hash, accountId],
    );
    return row?.no;
  }

  /** Returns the hashes of keys by key number. The numbers are text, as in the values of `each`. */
  async keyHashes(numbers: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.sql.query<{ no: string; hash: string }>(
      'select no::text, hash from api_key where no = any($1::int[])',
      [numbers],
    );
    return new Map(rows.map(({ no, hash }) => [no, hash]));
  }

  async #change(
    reach: Reach,
    id: string,
    inTransaction: InChange<Budget>,
    change: (session: SqlSession, budget: Budget) => Promise<unknown>,
  ): Promise<Budget | undefined> {
    return this.sql.transaction(async (session) => {
      // Changes of the budgets of an account wait here for each other.
      await lockBudgets(session, reach.accountNo);
      const budget = await this.find(reach, id, session);
      if (!budget) return undefined;
      await change(session, budget);
      await resetAlerts(session, budget.no);
      const changed = (await this.find(reach, id, session)) ?? budget;
      await inTransaction(changed, session, budget);
      return changed;
    });
  }
}

/**
 * The parameters of WITHIN: the account (for the operator also the installation), and the workspaces and the member
 * whose budgets are covered.
 */
const withinOf = ({ accountNo, isOperator, only }: Reach): unknown[] => [
  isOperator ? [accountNo, INSTALLATION] : [accountNo],
  only ? only.workspaces.map(({ workspaceNo }) => workspaceNo) : null,
  only?.userId ?? null,
];
