import { useOf } from './budgets.sql.js';
import { detailOf, INTO_DETAIL } from './detail.sql.js';
import { DURABLE, grow, INTO_GENERATION, usageColumnsOf } from './closed-calls.sql.js';
import { PLANS, startOf } from './limits.sql.js';
import { fellLow, INTO_LOW_EVENTS, MAY_HAVE_REACHED } from './thresholds.sql.js';

/**
 * Fast path for one reservation that has no parent key and was made on the current day of the key's balance. Finds rows
 * by their primary keys. In any other case, undoes its changes and calls ledger_finish.
 */
export const FINISH_ONE = `create or replace function ledger_finish_one(i ledger_finish_item, u ledger_usage,
  d ledger_detail, p_tags jsonb default null)
returns text language plpgsql ${PLANS} as $$
declare
  v_cost bigint := case when i.s then i.c else 0 end;
  v_byok bigint := case when i.s then i.b else 0 end;
  v_account_amount bigint; v_key_amount bigint; v_parent int; v_generation uuid; v_at timestamptz;
  v_may_have_reached boolean; v_is_low boolean; v_budgets int[]; v_values text[]; v_amounts bigint[];
begin
  ${DURABLE};
  -- A second finish of the same reservation at the same moment waits here, and finds it closed in what it reads next.
  perform from account_balance b where b.account_no = i.a for update;
  update reservation v set state = case when i.s then 'settled' else 'released' end
    where v.account_no = i.a and v.id = i.r and v.state = 'reserved' and v.key_no = i.k
      and (v.lends_until is null or v.budget_nos is null)
    returning v.account_amount, v.key_amount, v.parent_no, v.generation_id, v.created_at,
      v.budget_nos, v.budget_values, v.budget_amounts
    into v_account_amount, v_key_amount, v_parent, v_generation, v_at, v_budgets, v_values, v_amounts;
  if found then
    update key_balance b set reserved = b.reserved - v_key_amount,
        ${grow('usage', 'v_cost')},
        ${grow('byok_usage', 'v_byok')}
      where b.account_no = i.a and b.key_no = i.k and b.day_start = ${startOf('day', 'v_at')} and v_parent is null
      returning ${MAY_HAVE_REACHED} into v_may_have_reached;
    if found then
      update account_balance b set reserved = b.reserved - v_account_amount, spent = b.spent + v_cost
        where b.account_no = i.a
        returning ${fellLow('v_cost')} into v_is_low;
      if v_is_low then
        ${INTO_LOW_EVENTS}
        from account_balance b where b.account_no = i.a;
      end if;
      if v_may_have_reached then
        perform ledger_check_thresholds(i.a, i.k, v_at, v_cost, v_byok);
      end if;
      if v_budgets is not null then
        perform ledger_settle_budgets(array_agg(${useOf('v_cost', 'v_byok', 'v_at', 'v_account_amount')}))
          from unnest(v_budgets, v_values, v_amounts) as n(no, value, amount);
      end if;
      if u.workspace_no is not null then
        ${INTO_GENERATION}
        values (v_generation, v_at, v_cost, i.a, i.k, false, ${usageColumnsOf('u')});
        insert into outbox (generation_ids, times) values (array[v_generation], array[v_at]);
        if d.cancelled is not null then
          ${INTO_DETAIL}
            values (i.a, v_generation, v_at, ${detailOf('d', 'i.r')});
        end if;
      end if;
      return 'done';
    end if;
    -- Its windows have to roll first, or its parent key is charged too.
    update reservation v set state = 'reserved' where v.account_no = i.a and v.id = i.r;
  end if;
  return (select outcome from ledger_finish(array[i], array[u],
    case when d.cancelled is not null then array[d] end, p_tags));
end $$`;
