import type { Nano } from '../../kernel/money.js';
import type { Budget, BudgetBalance } from '../budget.js';
import { resetAfter, type BudgetInterval } from '../budget-window.js';

export interface BudgetRow extends Pick<
  Budget,
  'no' | 'id' | 'name' | 'scope' | 'each' | 'level' | 'spent' | 'reserved'
> {
  readonly key_hash: string | null;
  readonly reset: Exclude<BudgetInterval, 'lifetime'> | null;
  readonly limit_nano: Nano;
  readonly effective_limit: Nano;
  readonly byok_spent: Nano;
  readonly counts_byok: boolean;
  readonly is_soft: boolean;
  readonly raise_nano: Nano;
  readonly raise_until: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date | null;
}

/**
 * SQL: the balances of the budgets of an account, including the spend of calls on open leases that was not posted yet.
 * `account` = SQL for the number of the account.
 */
export const balancesOf = (account: string): string => `(
  select x.budget_no, x.value, x.window_start, x.byok_spent,
    x.spent + coalesce(u.spent, 0)::bigint as spent, x.reserved - coalesce(u.freed, 0)::bigint as reserved
  from budget_balance x
    left join (
      select n.no, coalesce(n.value, '') as value, ledger_budget_start(def.reset, v.created_at) as start,
        sum(v.unposted_spent) as spent, sum(v.unposted_freed) as freed
      from reservation v
        cross join lateral unnest(v.budget_nos, v.budget_values) as n(no, value)
        join budget def on def.no = n.no
      where v.account_no = ${account} and v.state = 'reserved' and v.lends_until is not null
      group by 1, 2, 3) u on u.no = x.budget_no and u.value = x.value and u.start = x.window_start
  where x.account_no = ${account})`;

/** SQL: budgets `t` with the sums of the window that contains the time $1. */
export const BUDGETS = `select t.*, (select k.hash from api_key k where k.no = (t.scope ->> 'key')::int) as key_hash,
    ledger_budget_limit(t, $1) as effective_limit, s.spent, s.byok_spent, s.reserved
  from budget t
    cross join lateral (
      select coalesce(sum(x.spent), 0)::bigint as spent, coalesce(sum(x.byok_spent), 0)::bigint as byok_spent,
        coalesce(sum(x.reserved), 0)::bigint as reserved
      from ${balancesOf('t.account_no')} x
      where x.budget_no = t.no and x.window_start = ledger_budget_start(t.reset, $1)) s`;

/**
 * SQL condition for the budgets of the accounts $2. If $3 is not null, it selects only the budgets of the workspaces $3
 * and of the member $4.
 */
export const WITHIN = `t.account_no = any($2::int[]) and t.session_key_no is null
  and ($3::int[] is null or (t.scope ->> 'workspace')::int = any($3) or t.scope ->> 'user' = $4::text)`;

export function toBudget(row: BudgetRow, now: Date): Budget {
  const interval = row.reset ?? 'lifetime';
  const used = row.spent + row.reserved + (row.counts_byok ? row.byok_spent : 0n);
  const left = row.effective_limit - used;
  return {
    no: row.no,
    id: row.id,
    name: row.name,
    scope: row.scope,
    keyHash: row.key_hash,
    each: row.each,
    level: row.level,
    interval,
    limit: row.limit_nano,
    effectiveLimit: row.effective_limit,
    spent: row.spent,
    byokSpent: row.byok_spent,
    reserved: row.reserved,
    remaining: row.each ? null : left > 0n ? left : 0n,
    resetsAt: resetAfter(interval, now),
    isSoft: row.is_soft,
    countsByok: row.counts_byok,
    raise: row.raise_until && row.raise_until > now ? { amount: row.raise_nano, until: row.raise_until } : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** `start` is `-infinity` if the budget never resets, and `value` is '' if the budget has no `each`. */
export interface BalanceRow extends Pick<BudgetBalance, 'spent' | 'byokSpent' | 'reserved'> {
  readonly start: string;
  readonly value: string;
}

export function toBalance({ start, value, ...sums }: BalanceRow, interval: BudgetInterval): BudgetBalance {
  return {
    ...sums,
    start: interval === 'lifetime' ? null : start,
    end: resetAfter(interval, new Date(`${start}T00:00:00Z`)),
    value: value === '' ? null : value,
  };
}
