import type { SqlFamily } from '../../../database/sql-family.js';
import { HOLDS_IDLE, NEW_ENTRIES_MS, PLANS, raised, startOf, WINDOWS } from './limits.sql.js';
import { THRESHOLDS } from './thresholds.sql.js';

/** The first day of a budget's window at a time. A budget without reset has one window, which begins at -infinity. */
const BUDGET_START = `create or replace function ledger_budget_start(p_reset text, p_at timestamptz)
returns date language sql immutable as $$
  select case p_reset
    ${WINDOWS.map(({ period, reset }) => `when '${reset}' then ${startOf(period, 'p_at')}`).join('\n    ')}
    else '-infinity'::date end
$$`;

/** The limit at a time, including a raise. */
const BUDGET_LIMIT = `create or replace function ledger_budget_limit(t budget, p_at timestamptz)
returns bigint language sql immutable as $$
  select case when p_at < t.raise_until then ${raised('t')} else t.limit_nano end
$$`;

/** The spend of a window that counts towards the limit. */
const BUDGET_USED = `create or replace function ledger_budget_used(t budget, x budget_balance)
returns bigint language sql immutable as $$
  select x.spent + case when t.counts_byok then x.byok_spent else 0 end
$$`;

/** SQL for the limit of a balance `x` of a budget at a time. Calls may have lowered the limit of their session. */
export const limitOf = (budget: string, at: string): string =>
  `least(ledger_budget_limit(${budget}, ${at}), x.limit_nano)`;

/** The limit at a time, minus the spend and the open reservations. x = the balance of the window of that time. */
const BUDGET_FREE = `create or replace function ledger_budget_free(t budget, x budget_balance, p_at timestamptz)
returns bigint language sql immutable as $$
  select ${limitOf('t', 'p_at')} - x.reserved - ledger_budget_used(t, x)
$$`;

/** SQL that joins the balance `x` of a budget `def` for the value `u.v` and for the window that contains a time. */
export const joinBalance = (at: string): string => `join budget_balance x on x.account_no = def.account_no
          and x.budget_no = def.no and x.value = u.v and x.window_start = ledger_budget_start(def.reset, ${at})`;

/**
 * Locks the balances of the budgets in which calls count. They are locked after the balances of accounts and keys, in
 * the order of account, budget, value and window. Creates missing rows. The lock of an account also protects the
 * budgets of the account, but budgets of the installation need locks of their own.
 */
const LOCK_BUDGETS = `create or replace function ledger_lock_budgets(p_uses ledger_budget_use[])
returns void language plpgsql ${PLANS} as $$
declare
  found_rows int; named int;
begin
  perform from (
      select distinct t.account_no, t.no, u.v, ledger_budget_start(t.reset, u.t) as start, t.reset
      from unnest(p_uses) u join budget t on t.no = u.n
      order by 1, 2, 3, 4) t
    cross join lateral (
      select from budget_balance x where x.account_no = t.account_no and x.budget_no = t.no and x.value = t.v
        and x.window_start = t.start for update) x;
  get diagnostics found_rows = row_count;
  select count(*) into named from (
    select distinct t.no, u.v, ledger_budget_start(t.reset, u.t) from unnest(p_uses) u join budget t on t.no = u.n) n;
  if found_rows < named then
    insert into budget_balance (account_no, budget_no, value, window_start)
      select distinct t.account_no, t.no, u.v, ledger_budget_start(t.reset, u.t)
      from unnest(p_uses) u join budget t on t.no = u.n
      order by 1, 2, 3, 4
      on conflict do nothing;
  end if;
end $$`;

/** SQL: the thresholds of a limit, each as its percentage and its amount. `p_limit` is the limit. */
const AMOUNTS = THRESHOLDS.map(({ percent, rest }) => `(${percent}, p_limit - ${rest})`).join(', ');

/** The data of a budget for events, without amounts. */
const EVENT_BUDGET = `create or replace function event_budget(t budget, p_value text)
returns jsonb language sql stable as $$
  select jsonb_build_object('budget_id', case when t.session_key_no is null then t.id end, 'name', t.name,
    'level', t.level, 'interval', coalesce(t.reset, 'lifetime'), 'value', nullif(p_value, ''))
$$`;

/**
 * Writes events for the thresholds that the last call has reached. Stores in `alert_at` the spend below which no
 * further threshold can be reached, as ledger_check_thresholds does for a key. Sessions have no thresholds.
 */
const CHECK_BUDGET = `create or replace function ledger_check_budget(x budget_balance, p_cost bigint,
  p_byok bigint, p_at timestamptz)
returns void language plpgsql ${PLANS} as $$
declare
  t budget; p_limit bigint; v_used bigint; v_added bigint; v_next bigint;
begin
  select * into t from budget where no = x.budget_no;
  v_added := p_cost + case when t.counts_byok then p_byok else 0 end;
  p_limit := case when t.session_key_no is null then ledger_budget_limit(t, p_at) end;
  v_used := ledger_budget_used(t, x);
  if t.deleted_at is null and t.account_no <> 0 and p_limit is not null then
    insert into event (account_no, type, data, once)
      select t.account_no, 'budget.threshold', event_budget(t, x.value) || jsonb_build_object('threshold', a.percent,
          'limit', event_usd(p_limit), 'usage', event_usd(v_used),
          'window_start', case when t.reset is not null then x.window_start end),
        concat_ws(' ', 'budget', t.no, x.value, coalesce(x.window_start::text, ''),
          case when t.reset is null then p_limit end, a.percent)
      from (values ${AMOUNTS}) as a(percent, amount)
      where a.amount > v_used - v_added and a.amount <= v_used
      order by a.percent
      on conflict do nothing;
  end if;
  select least(min(a.amount) filter (where a.amount > v_used) - v_used, min(a.amount)) into v_next
    from (values ${AMOUNTS}) as a(percent, amount);
  update budget_balance b
    set alert_at = case when v_next is null then 9223372036854775807
      else b.spent + b.byok_spent + greatest(v_next, 1) end
    where b.account_no = x.account_no and b.budget_no = x.budget_no and b.value = x.value
      and b.window_start = x.window_start;
end $$`;

/**
 * Moves the amounts that calls reserved on their budgets to the spend, each in the window of the call's time. The
 * caller must hold the locks of the accounts.
 */
const SETTLE_BUDGETS = `create or replace function ledger_settle_budgets(p_uses ledger_budget_use[])
returns void language plpgsql ${PLANS} as $$
declare
  moved record;
begin
  if exists (select from unnest(p_uses) u join budget t on t.no = u.n where t.account_no = 0) then
    perform ledger_lock_budgets(p_uses);
  end if;
  for moved in
    with sum as (
      select t.account_no, t.no, u.v, ledger_budget_start(t.reset, u.t) as start, sum(u.f)::bigint as freed,
        sum(u.c)::bigint as cost, sum(u.b)::bigint as byok, max(u.t) as at
      from unnest(p_uses) u join budget t on t.no = u.n
      group by 1, 2, 3, 4
    )
    update budget_balance x set reserved = x.reserved - s.freed, spent = x.spent + s.cost,
      byok_spent = x.byok_spent + s.byok
    from sum s
    where x.account_no = s.account_no and x.budget_no = s.no and x.value = s.v and x.window_start = s.start
    returning x as balance, s.cost, s.byok, s.at, x.spent + x.byok_spent >= x.alert_at as may_have_reached
  loop
    if moved.may_have_reached and moved.cost + moved.byok > 0 then
      perform ledger_check_budget(moved.balance, moved.cost, moved.byok, moved.at);
    end if;
  end loop;
end $$`;

/** SQL for the ledger_budget_use of a call. The reservation `v` of the call is joined with its budgets as `n`. */
export const useOf = (cost: string, byok: string, at = 'v.created_at', amount = 'v.account_amount'): string =>
  `row(n.no, coalesce(n.value, ''), ${at}, coalesce(n.amount, ${amount}), ${cost}, ${byok})::ledger_budget_use`;

/** SQL for the two costs of an item `i` of a batch: from the account's credits, and on own credentials. */
export const COSTS_OF_ITEM = ['case when i.s then i.c else 0 end', 'case when i.s then i.b else 0 end'] as const;

/**
 * SQL: the amount that a reservation `v` frees on its budgets when it is closed. For a lease, this includes the amounts
 * of its closed calls that were not posted to the budgets yet.
 */
export const HELD = 'v.account_amount + v.unposted_freed';

/** SQL: the budgets of a reservation as `n`. */
export const BUDGETS_OF = 'unnest(v.budget_nos, v.budget_values, v.budget_amounts) as n(no, value, amount)';

/** SQL: the open leases `v` of an account. */
const OPEN_LEASES = `v.account_no = p_account and v.state = 'reserved' and v.lends_until is not null`;

/** Posts the spend of calls on open leases of an account to the budgets. The caller must hold the account's lock. */
const POST_LEASES = `create or replace function ledger_post_leases(p_account int)
returns void language plpgsql ${PLANS} as $$
begin
  perform ledger_post_journal(p_account, ${NEW_ENTRIES_MS});
  perform ledger_settle_budgets(s.uses) from (
    select array_agg(${useOf('v.unposted_spent', '0', 'v.created_at', 'v.unposted_freed')}) as uses
    from reservation v cross join lateral ${BUDGETS_OF}
    where ${OPEN_LEASES}) s
    where s.uses is not null;
  update reservation v set unposted_freed = 0, unposted_spent = 0
    where ${OPEN_LEASES} and v.unposted_freed + v.unposted_spent > 0;
end $$`;

/** Returns ' lent' if a lease that counts in the budget may hold idle credits; otherwise ''. */
const BUDGET_LENT = `create or replace function ledger_budget_lent(p_account int, p_budget int)
returns text language sql stable as $$
  select case when exists (
    select from reservation v
    where v.account_no = p_account and p_budget = any(v.budget_nos) and ${HOLDS_IDLE}) then ' lent'
    else '' end
$$`;

/** The first four functions are plain SQL, which PostgreSQL inlines into the statements that call them. */
export const BUDGET_FUNCTIONS: SqlFamily = {
  name: 'ledger budgets',
  version: 5,
  statements: [
    BUDGET_START,
    BUDGET_LIMIT,
    BUDGET_USED,
    BUDGET_FREE,
    LOCK_BUDGETS,
    EVENT_BUDGET,
    CHECK_BUDGET,
    SETTLE_BUDGETS,
    POST_LEASES,
    'drop function if exists ledger_spend_on_budgets(int, int[], text[], timestamptz, bigint, bigint, bigint)',
    BUDGET_LENT,
  ],
};
