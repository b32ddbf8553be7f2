import type { SqlFamily } from '../../../database/sql-family.js';
import { detailOf, INTO_DETAIL } from './detail.sql.js';
import { INTO_GENERATION, intoOutbox, usageColumnsOf } from './closed-calls.sql.js';
import { PLANS } from './limits.sql.js';

/**
 * Records a batch of calls that reuse a response and cost nothing. Takes no lock and changes no reservation or balance.
 * Outcomes: done, or the refusal that a reservation of the same amounts would get from ledger_reserve_batch.
 *
 * Item (ledger_free_item): r generation, a account, k key, p parent key or null, t the time of the call; aa, ka and pa
 * the amounts that the call would reserve if it were sent to a vendor, null if they are not checked. p_usages has the
 * usage record of each item, p_details its detail or null, p_tags the tags of the calls of the batch (detailOf).
 *
 * Rows are found by the numbers and ids of the batch, as in ledger_reserve_items.
 *
 * No balance depends on these rows. They need not survive a crash of the database, so synchronous_commit is off.
 */
const RECORD_FREE = `create or replace function ledger_record_free(p_items ledger_free_item[], p_usages ledger_usage[],
  p_details ledger_detail[], p_tags jsonb default null)
returns table (r uuid, outcome text) language plpgsql ${PLANS} as $$
declare
  account_nos int[]; key_nos int[];
begin
  select array_agg(distinct i.a), array_agg(distinct i.k) || array_agg(distinct i.p) filter (where i.p is not null)
    into account_nos, key_nos
    from unnest(p_items) i;
  perform set_config('synchronous_commit', 'off', true);
  return query
  with judged as (
    select i.*, case
        when i.aa is null then 'done'
        when account.account_no is null or own_balance.key_no is null
          or ledger_key_fault(own, i.t) = 'unknown' then 'key_unknown'
        when ledger_key_fault(own, i.t) is not null then 'key_' || ledger_key_fault(own, i.t)
        when i.p is not null and (parent_balance.key_no is null or ledger_key_fault(parent, i.t) = 'unknown')
          then 'parent_unknown'
        when ledger_key_fault(parent, i.t) is not null then 'parent_' || ledger_key_fault(parent, i.t)
        when i.aa > 0 and i.aa > account.granted - account.spent - account.reserved then
          'insufficient_credits ' || greatest(account.granted - account.spent - account.reserved, 0)
            || ledger_lent(i.a, null)
        when i.ka > 0 and i.ka > ledger_limit_free(own, own_balance, i.t) then
          'key_limit ' || greatest(ledger_limit_free(own, own_balance, i.t), 0) || ledger_lent(i.a, i.k)
        when i.pa > 0 and i.pa > ledger_limit_free(parent, parent_balance, i.t) then
          'parent_limit ' || greatest(ledger_limit_free(parent, parent_balance, i.t), 0) || ledger_lent(i.a, i.p)
        else 'done' end as verdict
    from rows from (unnest(p_items), unnest(p_usages), unnest(p_details)) as i
      left join account_balance account on account.account_no = i.a and account.account_no = any(account_nos)
      left join api_key own on own.no = i.k and own.no = any(key_nos)
      left join key_balance own_balance on own_balance.account_no = i.a
        and own_balance.key_no = i.k and own_balance.key_no = any(key_nos)
      left join api_key parent on parent.no = i.p and parent.no = any(key_nos)
      left join key_balance parent_balance on parent_balance.account_no = i.a
        and parent_balance.key_no = i.p and parent_balance.key_no = any(key_nos)
  ), fresh as (
    -- A batch whose outcome was lost is sent again.
    select j.* from judged j where j.verdict = 'done'
      and (select n.id from generation n where n.account_no = j.a and n.created_at = j.t and n.id = j.r) is null
  ), recorded as (
    ${INTO_GENERATION}
    select f.r, f.t, 0, f.a, f.k, false,
      ${usageColumnsOf('f')}
    from fresh f
  ), announced as (
    ${intoOutbox('f.r', 'f.t', 'fresh f')}
  ), detailed as (
    ${INTO_DETAIL}
    select f.a, f.r, f.t, ${detailOf('f', 'f.r')} from fresh f where f.cancelled is not null
  )
  select j.r, j.verdict from judged j;
end $$`;

export const FREE_CALL_FUNCTIONS: SqlFamily = {
  name: 'ledger free calls',
  version: 7,
  statements: [
    // Drops the signature of the previous version. Services of that version call the function without p_tags, which has
    // a default.
    'drop function if exists ledger_record_free(ledger_free_item[], ledger_usage[], ledger_detail[])',
    RECORD_FREE,
  ],
};
