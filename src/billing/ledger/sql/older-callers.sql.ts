import type { SqlFamily } from '../../../database/sql-family.js';

const USAGES_AND_DETAILS = `(select array_agg(i.g) from json_to_recordset(p_items) as i(g ledger_usage)),
    (select array_agg(i.d) from json_to_recordset(p_items) as i(d ledger_detail))`;
const itemsOf = (type: string): string =>
  `(select array_agg(i) from json_populate_recordset(null::${type}, p_items) i)`;

const RESERVE = `create or replace function ledger_reserve(p_lease_ms int, p_items json)
returns table (r uuid, outcome text) language sql as $$
  select * from ledger_reserve_batch(p_lease_ms, ${itemsOf('ledger_reservation_item')}, null)
$$`;

const RESERVE_BATCH = `create or replace function ledger_reserve_batch(p_lease_ms int,
  p_items ledger_reservation_item[])
returns table (r uuid, outcome text) language sql as $$
  select * from ledger_reserve_batch(p_lease_ms, p_items, null)
$$`;

const RESERVE_ONE = `create or replace function ledger_reserve_one(p_lease_ms int, p_id uuid, p_generation uuid,
  p_account int, p_key int, p_account_amount bigint, p_key_amount bigint, p_at timestamptz)
returns text language sql as $$
  select ledger_reserve_one(p_lease_ms, p_id, p_generation, p_account, p_key, p_account_amount, p_key_amount, p_at,
    null)
$$`;

const FINISH = `create or replace function ledger_finish(p_items json)
returns table (r uuid, outcome text) language sql as $$
  select * from ledger_finish(${itemsOf('ledger_finish_item')}, ${USAGES_AND_DETAILS})
$$`;

const FINISH_ONE = `create or replace function ledger_finish_one(p_id uuid, p_account int, p_key int,
  p_settle boolean, p_cost bigint, p_byok bigint, p_usage json, p_detail json default null)
returns text language sql as $$
  select ledger_finish_one(row(p_id, p_account, p_key, p_settle, p_cost, p_byok)::ledger_finish_item,
    json_populate_record(null::ledger_usage, p_usage), json_populate_record(null::ledger_detail, p_detail))
$$`;

const RECORD_FREE = `create or replace function ledger_record_free(p_items json)
returns table (r uuid, outcome text) language sql as $$
  select * from ledger_record_free(${itemsOf('ledger_free_item')}, ${USAGES_AND_DETAILS})
$$`;

/**
 * The functions as replicas of older versions call them, which continue while a newer version starts: with JSON, or
 * with composite types and without the timeout of a reservation. The members of an item are the columns of its type,
 * and g the usage record, d its detail. Two functions of one name may not differ in a type only that the callers leave
 * open: hence the name of `ledger_reserve_batch`.
 */
export const OLDER_CALLER_FUNCTIONS: SqlFamily = {
  name: 'ledger older callers',
  version: 2,
  statements: [RESERVE_BATCH, RESERVE_ONE, RESERVE, FINISH, FINISH_ONE, RECORD_FREE],
};
