import { DETAIL, INTO_DETAIL } from './detail.sql.js';
import { DURABLE, grow, INTO_GENERATION, usageOf } from './closed-calls.sql.js';
import { PLANS, startOf } from './limits.sql.js';
import { fellLow, INTO_LOW_EVENTS, MAY_HAVE_REACHED } from './thresholds.sql.js';

/**
 * Fast path for one call, on rows found by their primary keys. In any unusual case it is rolled back and ledger_finish
 * is used.
 */
export const FINISH_ONE = `create or replace function ledger_finish_one(p_id uuid, p_account int, p_key int,
  p_settle boolean, p_cost bigint, p_byok bigint, p_usage json, p_detail json default null)
returns text language plpgsql ${PLANS} as $$
declare
  v_cost bigint := case when p_settle then p_cost else 0 end;
  v_byok bigint := case when p_settle then p_byok else 0 end;
  v_account_amount bigint; v_key_amount bigint; v_parent int; v_generation uuid; v_at timestamptz; u ledger_usage;
  v_may_have_reached boolean; v_is_low boolean;
begin
  ${DURABLE};
  -- A second finish of the same reservation at the same moment waits here, and finds it closed in what it reads next.
  perform from account_balance b where b.account_no = p_account for update;
  update reservation v set state = case when p_settle then 'settled' else 'released' end
    where v.id = p_id and v.state = 'reserved' and v.account_no = p_account and v.key_no = p_key
    returning v.account_amount, v.key_amount, v.parent_no, v.generation_id, v.created_at
    into v_account_amount, v_key_amount, v_parent, v_generation, v_at;
  if found then
    update key_balance b set reserved = b.reserved - v_key_amount,
        ${grow('usage', 'v_cost')},
        ${grow('byok_usage', 'v_byok')}
      where b.key_no = p_key and b.day_start = ${startOf('day', 'v_at')} and v_parent is null
      returning ${MAY_HAVE_REACHED} into v_may_have_reached;
    if found then
      update account_balance b set reserved = b.reserved - v_account_amount, spent = b.spent + v_cost
        where b.account_no = p_account
        returning ${fellLow('v_cost')} into v_is_low;
      if v_is_low then
        ${INTO_LOW_EVENTS}
        from account_balance b where b.account_no = p_account;
      end if;
      if v_may_have_reached then
        perform ledger_check_thresholds(p_account, p_key, v_at, v_cost, v_byok);
      end if;
      if p_usage is not null then
        u := json_populate_record(null::ledger_usage, p_usage);
        ${INTO_GENERATION}
        values (v_generation, v_at, v_cost, p_account, p_key, false, ${usageOf('u')});
        insert into outbox (generation_id, created_at) values (v_generation, v_at);
        if p_detail is not null then
          ${INTO_DETAIL}
            select v_generation, v_at, d.* from json_to_record(p_detail) as ${DETAIL};
        end if;
      end if;
      if v_cost <> 0 then
        insert into ledger_entry (account_no, key_no, kind, amount, generation_id, created_at)
          values (p_account, p_key, 'generation', -v_cost, v_generation, v_at);
      end if;
      return 'done';
    end if;
    -- Its windows have to roll first, or its parent key is charged too.
    update reservation v set state = 'reserved' where v.id = p_id;
  end if;
  return (select outcome from ledger_finish(json_build_array(json_build_object(
    'r', p_id, 'a', p_account, 'k', p_key, 's', p_settle, 'c', p_cost, 'b', p_byok, 'g', p_usage, 'd', p_detail))));
end $$`;
