import { DURABLE, grow, INTO_GENERATION, intoOutbox, usageColumnsOf } from './closed-calls.sql.js';
import { detailOf, INTO_DETAIL } from './detail.sql.js';
import { PLANS, startOf } from './limits.sql.js';
import { fellLow, INTO_LOW_EVENTS, MAY_HAVE_REACHED } from './thresholds.sql.js';

/** SQL for the number of open calls of a lease: the number that its service sent, otherwise the stored number. */
export const openCalls = (id: string): string => `coalesce((p_open ->> ${id}::text)::int, v.open_count)`;

/**
 * SQL: changes the columns of a lease `v` by the amounts that its calls freed and spent. The spend is posted to the
 * budgets at the next renewal.
 */
export const takeFromLease = (freed: string, freedOfKey: string, spent: string): string =>
  `account_amount = v.account_amount - ${freed}, key_amount = v.key_amount - ${freedOfKey},
        unposted_freed = v.unposted_freed + ${freed}, unposted_spent = v.unposted_spent + ${spent},
        open_count = ${openCalls('v.id')}`;

/**
 * SQL: the beginning of a loop that takes the sums of a batch from its first `count` leases. With the sign `-`, the
 * sums are put back. The caller adds the end of the loop.
 */
const moveLeases = (sign: '' | '-', count: string): string => `for n in 1 .. ${count} loop
    update reservation v
      set ${takeFromLease(`(${sign}v_fa[n])`, `(${sign}v_fk[n])`, `(${sign}v_costs[n])`)}
      where v.account_no = lead.a and v.id = lease_ids[n] and v.state = 'reserved'`;

/**
 * Fast path for a batch of new calls of one key and one day, on one lease or on leases of several processes. Each
 * balance is changed once, and rows are found by their primary keys. In any other case, nothing is changed and
 * ledger_finish_leased is called. Returns the outcomes that are not `done`.
 */
export const FINISH_LEASE = `create or replace function ledger_finish_lease(p_items ledger_leased_item[],
  p_usages ledger_usage[], p_details ledger_detail[], p_open jsonb default null,
  p_tags jsonb default null)
returns table (r uuid, outcome text) language plpgsql ${PLANS} as $$
declare
  lead ledger_leased_item := p_items[1];
  lease_ids uuid[]; v_fa bigint[]; v_fk bigint[]; v_costs bigint[]; moved int := 0;
  v_account bigint; v_key bigint; v_cost bigint; v_byok bigint; v_day date;
  v_may_have_reached boolean; v_is_low boolean;
begin
  ${DURABLE};
  select array_agg(t.l), array_agg(t.fa), array_agg(t.fk), array_agg(t.cost),
      sum(t.fa), sum(t.fk), sum(t.cost), sum(t.byok), ${startOf('day', 'min(t.t)')}
    into lease_ids, v_fa, v_fk, v_costs, v_account, v_key, v_cost, v_byok, v_day
    from (
      select i.l, sum(i.fa)::bigint as fa, sum(i.fk)::bigint as fk, min(i.t) as t,
        sum(case when i.s then i.c else 0 end)::bigint as cost,
        sum(case when i.s then i.b else 0 end)::bigint as byok
      from unnest(p_items) i group by i.l) t;
  -- A sweep locks the account too: what the next statements read of the leases stays so.
  perform from account_balance b where b.account_no = lead.a for update;
  ${moveLeases('', 'cardinality(lease_ids)')};
    exit when not found;
    moved := n;
  end loop;
  if moved = cardinality(lease_ids) then
    update key_balance b set reserved = b.reserved - v_key,
        ${grow('usage', 'v_cost')},
        ${grow('byok_usage', 'v_byok')}
      where b.account_no = lead.a and b.key_no = lead.k and b.day_start = v_day
      returning ${MAY_HAVE_REACHED} into v_may_have_reached;
  end if;
  if v_may_have_reached is null then
    ${moveLeases('-', 'moved')};
    end loop;
    return query select f.r, f.outcome
      from ledger_finish_leased(p_items, p_usages, p_details, p_open, p_tags) f where f.outcome <> 'done';
    return;
  end if;
  update account_balance b set reserved = b.reserved - v_account, spent = b.spent + v_cost
    where b.account_no = lead.a
    returning ${fellLow('v_cost')} into v_is_low;
  ${INTO_GENERATION}
    select i.r, i.t, case when i.s then i.c else 0 end, i.a, i.k, false, ${usageColumnsOf('i')}
    from rows from (unnest(p_items), unnest(p_usages)) as i;
  ${intoOutbox('i.r', 'i.t', 'unnest(p_items) i')};
  if p_details is not null then
    ${INTO_DETAIL}
      select i.a, i.r, i.t, ${detailOf('i', 'i.r')} from rows from (unnest(p_items), unnest(p_details)) as i
      where i.cancelled is not null;
  end if;
  if v_is_low then
    ${INTO_LOW_EVENTS}
    from account_balance b where b.account_no = lead.a;
  end if;
  if v_may_have_reached then
    perform ledger_check_thresholds(lead.a, lead.k, lead.t, v_cost, v_byok);
  end if;
end $$`;

/**
 * Drops the signatures of earlier versions. Services of those versions call the present functions, whose last
 * parameters have defaults.
 */
export const DROPS = [
  'ledger_lease(int, int, ledger_lease_item[], int, jsonb)',
  'ledger_finish_lease(ledger_leased_item[], ledger_usage[], ledger_detail[], jsonb)',
  'ledger_finish_leased(ledger_leased_item[], ledger_usage[], ledger_detail[], jsonb)',
].map((signature) => `drop function if exists ${signature}`);
