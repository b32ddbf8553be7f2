import type { GenerationRecord } from '../../../usage/generation-record.js';
import { detailOf, INTO_DETAIL } from './detail.sql.js';
import { INTO_LOW_EVENTS, fellLow } from './thresholds.sql.js';
import { WINDOWS } from './limits.sql.js';

/** SQL that adds an amount to a spend and to its three windows. Must be used only if none of the windows has ended. */
export const grow = (spend: string, amount: string): string =>
  ['', ...WINDOWS.map(({ period }) => `_${period}`)]
    .map((suffix) => `${spend}${suffix} = b.${spend}${suffix} + ${amount}`)
    .join(',\n        ');

/** The columns of `generation` that the service supplies, in the order of the type ledger_usage. */
export const USAGE_COLUMNS = [
  'upstream_cost',
  'workspace_no',
  'model',
  'provider',
  'external_user',
  'app',
  'origin',
  'finish_reason',
  'tokens_prompt',
  'tokens_completion',
  'tokens_reasoning',
  'tokens_cached',
  'characters',
  'latency_ms',
  'duration_ms',
  'status',
  'images',
  'modality',
  'is_byok',
  'streamed',
] as const satisfies readonly (keyof GenerationRecord)[];
export const INTO_GENERATION = `insert into generation (id, created_at, cost, account_no, key_no, synthetic,
      ${USAGE_COLUMNS.join(', ')})`;

/** SQL for the columns of a record; `workspace_no` is null if there is no record. */
export const usageColumnsOf = (composite: string): string =>
  USAGE_COLUMNS.map((column) => `${composite}.${column}`).join(', ');

/** SQL that writes one outbox entry for all rows of `calls`, if there are any. */
export const intoOutbox = (id: string, time: string, calls: string): string =>
  `insert into outbox (generation_ids, times)
    select array_agg(${id}), array_agg(${time}) from ${calls} having count(*) > 0`;

/** SQL that writes the records of closed calls and their outbox entry, in the statement that changes the balances. */
export const RECORD_CLOSED = `recorded as (
    ${INTO_GENERATION}
    select c.generation_id, c.created_at, c.cost, c.account_no, c.key_no, false,
      ${usageColumnsOf('c')}
    from closed c where c.workspace_no is not null
  ), announced as (
    ${intoOutbox('c.generation_id', 'c.created_at', 'closed c where c.workspace_no is not null')}
  )`;

/** SQL for the outcome of each item of a batch that closes reservations. */
export const OUTCOMES = `select i.r, case
      when c.id is not null then 'done'
      when (select v.state from reservation v where v.account_no = i.a and v.id = i.r)
        = case when i.s then 'settled' else 'released' end then 'done'
      else 'lost' end
  from item i left join closed c on c.id = i.r`;

/** Moves the amounts of closed calls from reserved to spent on their accounts. */
export const ACCOUNT_MOVED = `account_moved as (
    update account_balance b set reserved = b.reserved - t.freed, spent = b.spent + t.cost
    from (
      select c.account_no, sum(c.account_amount)::bigint as freed, sum(c.cost)::bigint as cost
      from closed c group by 1) t
    where b.account_no = any(account_nos) and b.account_no = t.account_no
    returning b.*, t.cost
  ), lowered as (
    ${INTO_LOW_EVENTS}
      from account_moved b where ${fellLow('b.cost')}
  )`;

/** Moves the amounts of closed calls from reserved to spent on their keys. Must be used only if no window ends. */
export const KEY_MOVED = `key_moved as (
    update key_balance b set reserved = b.reserved - t.freed,
      ${grow('usage', 't.cost')},
      ${grow('byok_usage', 't.byok')}
    from (
      select c.account_no, c.key_no,
        sum(c.key_amount)::bigint as freed, sum(c.cost)::bigint as cost, sum(c.byok)::bigint as byok
      from closed c group by 1, 2) t
    where b.account_no = t.account_no and b.key_no = any(key_nos) and b.key_no = t.key_no
    returning b.*, t.cost, t.byok
  )`;

/** SQL that closes the reservations of a batch. A reservation that the batch contains twice is closed once. */
export const CLOSED = `item as (
    select distinct on (i.r) i.* from rows from (unnest(p_items), unnest(p_usages)) as i
  ), moved as (
    update reservation v set state = case when v.id = any(released_ids) then 'released' else 'settled' end
    where v.account_no = any(account_nos) and v.id = any(ids) and v.state = 'reserved'
    returning v.id, v.account_no, v.key_no, v.parent_no,
      v.account_amount, v.key_amount, v.parent_amount, v.generation_id, v.created_at
  ), closed as (
    select m.*, ${usageColumnsOf('i')},
      case when i.s then i.c else 0 end as cost, case when i.s then i.b else 0 end as byok
    from moved m join item i on i.r = m.id
  ), ${ACCOUNT_MOVED}`;

export const READ_ITEMS = `select array_agg(i.r), coalesce(array_agg(i.r) filter (where i.s is not true), '{}'),
      array_agg(distinct i.a), array_agg(i.a), array_agg(i.k)
    into ids, released_ids, account_nos, key_accounts, key_nos
    from unnest(p_items) i`;

/**
 * Writes the details of calls before their reservations are closed, under the locks of their balances. Finds
 * reservations one by one, as ledger_reserve_items does.
 */
export const WRITE_DETAILS = `if p_details is not null then
    ${INTO_DETAIL}
      select v.account_no, v.generation_id, v.created_at, ${detailOf('i', 'i.r')}
      from (
          select distinct on (i.r) i.* from rows from (unnest(p_items), unnest(p_usages), unnest(p_details)) as i
          where i.workspace_no is not null and i.cancelled is not null) i
        cross join lateral (
          select * from reservation v where v.account_no = i.a and v.id = i.r and v.state = 'reserved' limit 1) v;
  end if`;
/**
 * Makes the commit wait for the disk and for a synchronous standby, even if the transaction writes nothing else. A
 * retry needs this if the first attempt has stopped waiting for the standby, because the settlement of that attempt is
 * then committed only on the primary.
 */
export const DURABLE = `if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  if current_setting('synchronous_standby_names') <> '' then
    perform pg_logical_emit_message(true, 'gatehouse', '');
  end if`;
