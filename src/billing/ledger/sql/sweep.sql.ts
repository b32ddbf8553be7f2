import type { SqlFamily } from '../../../database/sql-family.js';
import { BUDGETS_OF, HELD, useOf } from './budgets.sql.js';

/**
 * Releases at most p_limit reservations whose lease has expired by the database's clock, and counts them as calls of
 * unknown outcome. p_as_of is the time of the request. A statement that was delayed, for example because the database
 * was frozen, does nothing, because the services could not renew their leases during the delay. The partial index has
 * the condition `deadline > '-infinity'`. No other statement implies this condition, so no other plan uses the index.
 *
 * For a credit lease, a call is counted if the last renewal listed it and it has no record and no reservation of its
 * own. Each of these calls gets an anomaly. If the last statement of the service for the lease reported more open calls
 * than these, the remaining calls are counted too, and one anomaly has their number and the amounts that the lease held
 * at its end.
 *
 * Returns the number of reservations, of calls of unknown outcome, and of calls among them that no renewal listed.
 */
const SWEEP = `create or replace function ledger_release_overdue(p_as_of timestamptz, p_limit int,
  out swept int, out calls int, out unlisted int)
language plpgsql as $$
declare
  due timestamptz := clock_timestamp();
  account_nos int[]; ids uuid[]; key_accounts int[]; key_nos int[];
begin
  select 0, 0, 0 into swept, calls, unlisted;
  if due - p_as_of > interval '2 s' then return; end if;
  select array_agg(o.account_no), array_agg(o.id) into account_nos, ids from (
    select v.account_no, v.id from reservation v
    where v.state = 'reserved' and v.deadline > '-infinity' and v.deadline < due
    order by v.deadline limit p_limit) o;
  if ids is null then return; end if;
  select array_agg(v.account_no), array_agg(n.no) into key_accounts, key_nos
    from unnest(account_nos, ids) as o(account_no, id)
      join reservation v on v.account_no = o.account_no and v.id = o.id
      cross join lateral (values (v.key_no), (v.parent_no)) n(no)
    where n.no is not null;
  perform ledger_lock(account_nos, key_accounts, key_nos);
  perform ledger_end_journal(account_nos, ids);
  perform ledger_settle_budgets(s.uses) from (
    select array_agg(${useOf('v.unposted_spent', '0', 'v.created_at', HELD)}) as uses
    from unnest(account_nos, ids) as o(account_no, id)
      join reservation v on v.account_no = o.account_no and v.id = o.id
      cross join lateral ${BUDGETS_OF}
    where v.state = 'reserved' and v.deadline < due) s
    where s.uses is not null;
  with closed as (
    update reservation v set state = 'released'
    from unnest(account_nos, ids) as o(account_no, id)
    where v.account_no = o.account_no and v.id = o.id and v.state = 'reserved' and v.deadline < due
    returning v.id, v.account_no, v.key_no, v.parent_no, v.account_amount, v.key_amount, v.parent_amount,
      v.lends_until, v.open_calls, v.open_count
  ), listed as (
    select c.id as lease, c.account_no, c.key_no, (o.call ->> 'id')::uuid as id, o.call - '{id,at}'::text[] as details
    from closed c cross join lateral jsonb_array_elements(c.open_calls) as o(call)
    where (select g.id from generation g
      where g.account_no = c.account_no and g.created_at = (o.call ->> 'at')::timestamptz
        and g.id = (o.call ->> 'id')::uuid) is null
      and (select v.id from reservation v
        where v.account_no = c.account_no and v.id = (o.call ->> 'id')::uuid) is null
  ), counted as (
    select c.*, c.open_count - (select count(*) from listed l where l.lease = c.id)::int as calls from closed c
    where c.lends_until is not null
  ), noted as (
    insert into billing_anomaly (kind, account_no, key_no, generation_id, details)
    select 'outcome_unknown', l.account_no, l.key_no, l.id, l.details from listed l
    union all
    select 'outcome_unknown', o.account_no, o.key_no, null, jsonb_build_object('calls', o.calls,
      'account_nano', o.account_amount::text, 'key_nano', o.key_amount::text) from counted o where o.calls > 0
  ), lost as (
    select c.account_no, c.account_amount, case when c.lends_until is null then 1 else 0 end as calls, 0 as unlisted
    from closed c
    union all select l.account_no, 0, 1, 0 from listed l
    union all select o.account_no, 0, o.calls, o.calls from counted o where o.calls > 0
  ), accounts as (
    update account_balance b set reserved = b.reserved - t.freed, unknown_outcomes = b.unknown_outcomes + t.calls,
      unlisted_outcomes = b.unlisted_outcomes + t.unlisted
    from (select l.account_no, sum(l.account_amount)::bigint as freed, sum(l.calls) as calls,
        sum(l.unlisted) as unlisted from lost l group by 1) t
    where b.account_no = t.account_no
  ), keys as (
    update key_balance b set reserved = b.reserved - t.freed
    from (select m.account_no, m.key_no, sum(m.amount)::bigint as freed from (
        select c.account_no, c.key_no, c.key_amount as amount from closed c
        union all select c.account_no, c.parent_no, c.parent_amount from closed c where c.parent_no is not null) m
      group by 1, 2) t
    where b.account_no = t.account_no and b.key_no = t.key_no
  )
  select (select count(*) from closed), coalesce(sum(l.calls), 0), coalesce(sum(l.unlisted), 0)
    into swept, calls, unlisted from lost l;
end $$`;

export const SWEEP_FUNCTIONS: SqlFamily = { name: 'ledger sweep', version: 8, statements: [SWEEP] };
