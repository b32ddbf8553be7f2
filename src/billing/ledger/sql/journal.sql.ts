import type { SqlFamily } from '../../../database/sql-family.js';
import { DURABLE } from './closed-calls.sql.js';
import { PLANS } from './limits.sql.js';

/**
 * Writes calls that ended on a credit lease to the journal, durably, in one entry. Returns false, and writes nothing,
 * if the lease is closed or drains. The row of the lease is locked against ledger_end_journal, but not against changes
 * of its amounts. p_open is the number of open calls that stay on the lease.
 */
const WRITE = `create or replace function ledger_write_journal(p_account int, p_lease uuid, p_key_day text,
  p_open int, p_items text, p_usages text, p_details text, p_tags text)
returns boolean language plpgsql ${PLANS} as $$
begin
  ${DURABLE};
  insert into ledger_journal (account_no, lease_id, key_day, open_count, items, usages, details, tags)
    select p_account, p_lease, p_key_day, p_open, p_items, p_usages, p_details, p_tags
    from reservation v where v.account_no = p_account and v.id = p_lease and v.state = 'reserved'
      and v.lends_until > '-infinity'
    for key share;
  return found;
end $$`;

/**
 * Settles calls of the journal one by one, after they failed as a batch. If the lease has less than a call holds, as
 * after a failover that lost its growth, the call is settled without the amounts of the lease. Returns the calls that
 * cannot be settled.
 */
const POST_EACH = `create or replace function ledger_post_each(p_items ledger_leased_item[], p_usages ledger_usage[],
  p_details ledger_detail[], p_open jsonb, p_tags jsonb)
returns setof uuid language plpgsql ${PLANS} as $$
declare
  item ledger_leased_item; v_outcome text;
begin
  for n in 1 .. cardinality(p_items) loop
    item := p_items[n];
    begin
      select f.outcome into v_outcome
        from ledger_finish_leased(array[item], p_usages[n:n], p_details[n:n], p_open, p_tags) f;
    exception when integrity_constraint_violation or data_exception then
      item.fa := 0;
      item.fk := 0;
      begin
        select f.outcome into v_outcome
          from ledger_finish_leased(array[item], p_usages[n:n], p_details[n:n], p_open, p_tags) f;
      exception when integrity_constraint_violation or data_exception then
        v_outcome := 'lost';
      end;
    end;
    if v_outcome <> 'done' then
      return next item.r;
    end if;
  end loop;
end $$`;

/**
 * Posts the journal of an account: settles the calls of its entries with ledger_finish_lease, in one batch for each key
 * and day. Ignores entries that are older than p_age_ms; null = none. Locks the account before it reads the entries, so
 * each entry is posted once. A call that cannot be settled, because its lease is closed or it violates a constraint,
 * becomes an anomaly. Returns the number of these calls.
 */
const POST = `create or replace function ledger_post_journal(p_account int, p_age_ms int default null)
returns int language plpgsql ${PLANS} as $$
declare
  since timestamptz := coalesce(clock_timestamp() - p_age_ms * interval '1 ms', '-infinity');
  batch record; items ledger_leased_item[]; lost uuid[]; all_lost int := 0;
begin
  if not exists (select from ledger_journal j where j.account_no = p_account and j.at > since) then
    return 0;
  end if;
  perform from account_balance b where b.account_no = p_account for update;
  for batch in
    with taken as (
      delete from ledger_journal j where j.account_no = p_account and j.at > since returning j.*
    )
    select jsonb_object_agg(t.lease_id, t.open_count order by t.at, t.no) as open,
      '{' || string_agg(t.items, ',' order by t.at, t.no) || '}' as items,
      ('{' || string_agg(t.usages, ',' order by t.at, t.no) || '}')::ledger_usage[] as usages,
      ('{' || string_agg(t.details, ',' order by t.at, t.no) || '}')::ledger_detail[] as details,
      ('{' || string_agg(t.tags, ',' order by t.at, t.no) || '}')::jsonb as tags
    from taken t group by t.key_day
  loop
    items := batch.items;
    begin
      select array_agg(f.r) into lost
        from ledger_finish_lease(items, batch.usages, batch.details, batch.open, batch.tags) f;
    exception when integrity_constraint_violation or data_exception then
      select array_agg(r) into lost
        from ledger_post_each(items, batch.usages, batch.details, batch.open, batch.tags) r;
    end;
    all_lost := all_lost + (select count(*) from unnest(items) i where i.r = any(lost) and i.s);
    insert into billing_anomaly (kind, account_no, key_no, generation_id, details)
      select 'settlement_failed', i.a, i.k, i.r, jsonb_build_object('cost_nano', i.c::text,
        'reason', 'the call could not be posted from the journal')
      from unnest(items) i where i.r = any(lost) and i.s;
  end loop;
  return all_lost;
end $$`;

/**
 * Posts the journals of some accounts, and allows no further entry for some of their leases. Waits for the entries that
 * are being written. The caller must hold the locks of the accounts.
 */
const END = `create or replace function ledger_end_journal(p_accounts int[], p_leases uuid[])
returns void language plpgsql ${PLANS} as $$
begin
  perform from reservation v where v.account_no = any(p_accounts) and v.id = any(p_leases)
    order by v.account_no, v.id for update;
  update reservation v set lends_until = '-infinity'
    where v.account_no = any(p_accounts) and v.id = any(p_leases) and v.lends_until > '-infinity';
  perform ledger_post_journal(a.no) from (select distinct no from unnest(p_accounts) no order by 1) a(no);
end $$`;

/** Posts the calls of a lease, and releases the rest of its amounts. */
const CLOSE = `create or replace function ledger_close_lease(p_account int, p_key int, p_lease uuid)
returns void language plpgsql ${PLANS} as $$
begin
  perform ledger_lock(array[p_account], array[p_account], array[p_key]);
  perform ledger_end_journal(array[p_account], array[p_lease]);
  perform ledger_finish_one(row(p_lease, p_account, p_key, false, 0, 0)::ledger_finish_item, null, null);
end $$`;

export const JOURNAL_FUNCTIONS: SqlFamily = {
  name: 'ledger journal',
  version: 2,
  statements: ['drop function if exists ledger_post_journal(int, int)', WRITE, POST_EACH, POST, END, CLOSE],
};
