import type { GenerationRecord } from '../../../usage/generation-record.js';
import { detailOf, INTO_DETAIL } from './detail.sql.js';
import { INTO_LOW_EVENTS, fellLow } from './thresholds.sql.js';
import { WINDOWS } from './limits.sql.js';

/** Adds to a spend and to its three windows if none of them has ended. */
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

/** SQL for the columns of a record; `workspace_no` is null where there is no record. */
export const usageOf = (composite: string): string =>
  USAGE_COLUMNS.map((column) => `${composite}.${column}`).join(', ');

/** SQL that writes one outbox entry for all rows of `calls`, if there are some. */
export const intoOutbox = (id: string, time: string, calls: string): string =>
  `insert into outbox (generation_ids, times)
    select array_agg(${id}), array_agg(${time}) from ${calls} having count(*) > 0`;

/** The records of closed calls and their outbox entry; written in the same statement as the balances. */
export const RECORD_CLOSED = `recorded as (
    ${INTO_GENERATION}
    select c.generation_id, c.created_at, c.cost, c.account_no, c.key_no, false,
      ${usageOf('c')}
    from closed c where c.workspace_no is not null
  ), announced as (
    ${intoOutbox('c.generation_id', 'c.created_at', 'closed c where c.workspace_no is not null')}
  )`;

/** The outcome of each item of a batch of reservations. */
export const OUTCOMES = `select i.r, case
      when c.id is not null then 'done'
      when (select v.state from reservation v where v.account_no = i.a and v.id = i.r)
        = case when i.s then 'settled' else 'released' end then 'done'
      else 'lost' end
  from item i left join closed c on c.id = i.r`;

/** Moves the amounts of closed calls from the reserved ones of their accounts to the spend. */
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

/** The same for keys, where no window ends. */
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

/** A reservation that is finished twice in one batch is finished once. */
export const CLOSED = `item as (
    select distinct on (i.r) i.* from rows from (unnest(p_items), unnest(p_usages)) as i
  ), moved as (
    update reservation v set state = case when v.id = any(released_ids) then 'released' else 'settled' end
    where v.account_no = any(account_nos) and v.id = any(ids) and v.state = 'reserved'
    returning v.id, v.account_no, v.key_no, v.parent_no,
      v.account_amount, v.key_amount, v.parent_amount, v.generation_id, v.created_at
  ), closed as (
    select m.*, ${usageOf('i')},
      case when i.s then i.c else 0 end as cost, case when i.s then i.b else 0 end as byok
    from moved m join item i on i.r = m.id
  ), ${ACCOUNT_MOVED}`;

export const READ_ITEMS = `select array_agg(i.r), coalesce(array_agg(i.r) filter (where i.s is not true), '{}'),
      array_agg(distinct i.a), array_agg(i.a), array_agg(i.k)
    into ids, released_ids, account_nos, key_accounts, key_nos
    from unnest(p_items) i`;

/**
 * Writes the details of calls whose reservations are still open: before they are closed, under the locks of their
 * balances. Reservations are found one by one, as in ledger_reserve_items.
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
export const DURABLE = `if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if`;
