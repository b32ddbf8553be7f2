import type { SqlFamily } from '../../../database/sql-family.js';

/**
 * Writes one ledger entry for each account and day: the cost of the calls that began before a time, from a partition of
 * `generation`. The caller must remove the records of these calls in the same transaction.
 */
const FOLD_CALLS = `create or replace function ledger_fold_calls(p_partition regclass, p_before timestamptz)
returns void language plpgsql as $$
begin
  execute format('lock table %s in share mode', p_partition);
  execute format(
    'insert into ledger_entry (account_no, kind, amount, reason, created_at)
     select account_no, ''generation'', -sum(cost)::bigint, count(*) || '' calls of '' || day::date, day
     from %s, lateral (select date_trunc(''day'', created_at, ''UTC'') as day) d
     where created_at < $1 and cost <> 0 and not synthetic
     group by account_no, day', p_partition) using p_before;
end $$`;

export const ENTRY_FUNCTIONS: SqlFamily = { name: 'ledger entries', version: 1, statements: [FOLD_CALLS] };
