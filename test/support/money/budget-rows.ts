import { postJournals } from '../../../src/billing/ledger/commits/journal-posts.js';
import { levelOf, rankOf, type BudgetScope, type ScopeMember } from '../../../src/billing/budget-scope.js';
import { type BudgetInterval } from '../../../src/billing/budget-window.js';
import { balancesOf } from '../../../src/billing/budgets/budget-rows.js';
import type { Sql } from '../../../src/database/sql.js';
import { newId } from '../../../src/kernel/ids.js';

export interface BudgetColumns {
  readonly scope?: BudgetScope;
  readonly each?: ScopeMember;
  readonly interval?: BudgetInterval;
  readonly limit: bigint;
  readonly countsByok?: boolean;
  readonly isSoft?: boolean;
}

/** Inserts a budget directly into its table. Returns its number. Account 0 means the installation. */
export async function insertBudget(
  sql: Sql,
  accountNo: number,
  { scope = {}, each, interval = 'lifetime', limit, countsByok = false, isSoft = false }: BudgetColumns,
): Promise<number> {
  const level = levelOf(scope, each);
  const [row] = await sql.query<{ no: number }>(
    `insert into budget (id, account_no, scope, each, level, rank, reset, limit_nano, counts_byok, is_soft, created_at)
     values ($1, $2, $3, $4, $5, $6, nullif($7, 'lifetime'), $8, $9, $10, now()) returning no`,
    [
      newId(),
      accountNo,
      JSON.stringify(scope),
      each ?? null,
      level,
      rankOf(level, interval),
      interval,
      limit,
      countsByok,
      isSoft,
    ],
  );
  return row!.no;
}

/** Gives each account three budgets that count all of its calls and refuse none. */
export async function insertWideBudgets(sql: Sql): Promise<void> {
  const accounts = await sql.query<{ no: number }>('select no from account');
  for (const { no } of accounts)
    for (const interval of ['lifetime', 'weekly', 'daily'] as const)
      await insertBudget(sql, no, { each: 'model', interval, limit: 1_000_000_000_000n });
}

/**
 * Checks that the spend of the wide budgets equals the cost in the records of their accounts, over all windows, and
 * that they have no reservations.
 */
export async function expectBudgetsCounted(sql: Sql): Promise<void> {
  const wrong = await sql.query(
    `select t.account_no, t.reset, s.spent, s.reserved, g.cost
     from budget t
       cross join lateral (
         select coalesce(sum(x.spent), 0)::bigint as spent, coalesce(sum(x.reserved), 0)::bigint as reserved
         from ${balancesOf('t.account_no')} x where x.budget_no = t.no) s
       cross join lateral (
         select coalesce(sum(g.cost), 0)::bigint as cost from generation g
         where g.account_no = t.account_no and not g.synthetic) g
     where t.each = 'model' and t.scope = '{}' and (s.spent <> g.cost or s.reserved <> 0)`,
  );
  expect(wrong).toEqual([]);
}

/**
 * What a budget has spent and reserved: the sums of its balances of all windows and all values of `each`. Posts the
 * calls before.
 */
export async function budgetSums(sql: Sql, no: number): Promise<{ spent: bigint; byok: bigint; reserved: bigint }> {
  await postJournals(sql);
  const [row] = await sql.query<{ spent: bigint; byok: bigint; reserved: bigint }>(
    `select coalesce(sum(spent), 0)::bigint as spent, coalesce(sum(byok_spent), 0)::bigint as byok,
       coalesce(sum(reserved), 0)::bigint as reserved
     from ${balancesOf('(select account_no from budget where no = $1)')} x where budget_no = $1`,
    [no],
  );
  return row!;
}
