import {
  levelOf,
  rankOf,
  type BudgetInterval,
  type BudgetScope,
  type ScopeMember,
} from '../../../src/billing/budget-scope.js';
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

/** Writes a budget straight into its table; returns its number. Account 0 is the installation. */
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

/** What a budget has spent and holds, over all of its values and windows. */
export async function budgetSums(sql: Sql, no: number): Promise<{ spent: bigint; byok: bigint; reserved: bigint }> {
  const [row] = await sql.query<{ spent: bigint; byok: bigint; reserved: bigint }>(
    `select coalesce(sum(spent), 0)::bigint as spent, coalesce(sum(byok_spent), 0)::bigint as byok,
       coalesce(sum(reserved), 0)::bigint as reserved from budget_balance where budget_no = $1`,
    [no],
  );
  return row!;
}
