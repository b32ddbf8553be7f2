import { TRIGGER_FUNCTIONS } from './baseline/baseline.js';
import { ANOMALIES, DELEGATED_COLUMNS } from './baseline/ledger.sql.js';
import { PREVIOUS_SECRETS } from './baseline/vaults.sql.js';
import { GENERATION, GENERATION_INDEX, LEDGER_USAGE, USAGE_LABEL_COUNT } from './baseline/usage.sql.js';

/**
 * The migrations that the baseline replaced. A database with exactly these is upgraded to the baseline in place, and a
 * backup of one can be restored.
 */
const OLD_CHAIN: readonly string[] = [
  '0001-accounts',
  '0002-ledger',
  '0003-ledger-functions',
  '0004-secrets',
  '0005-ledger-windows',
  '0006-account-resources',
  '0007-audit',
  '0008-interns',
  '0009-byok',
  '0010-catalogue',
  '0011-usage-feed',
  '0012-egress',
  '0013-files',
  '0014-ledger-plans',
  '0015-lean-usage',
  '0016-ledger-quick-ways',
  '0017-ledger-single-calls',
  '0018-open-reservations',
];

export const isOldChain = (migrations: readonly string[]): boolean =>
  migrations.length === OLD_CHAIN.length && OLD_CHAIN.every((name, index) => name === migrations[index]);

/** Columns that exist only in the old chain; its rows are restored with them. */
export const OLD_COLUMNS: readonly { readonly table: string; readonly column: string; readonly type: string }[] = [
  { table: 'key_balance', column: 'last_used_at', type: 'timestamptz' },
];

/**
 * Sets the parent key of interns of the old chain, whose limit covers their calls: the oldest live key of their creator
 * in their workspace. An intern whose creator has no such key gets a limit of 0.
 */
export const PARENT_KEYS_OF_INTERNS: readonly string[] = [
  `update intern i set creator_key_no = (
    select k.no from api_key k
    where k.account_id = i.account_id and k.workspace_id = i.workspace_id and k.creator_user_id = i.creator_user_id
      and k.key_class = 'standard' and not k.disabled and k.deleted_at is null
      and (k.expires_at is null or k.expires_at > now())
    order by k.created_at, k.no limit 1)`,
  `update api_key k set parent_no = i.creator_key_no, limit_nano = case when i.creator_key_no is null then 0 end
    from intern i where i.id = k.intern_id and k.deleted_at is null`,
];

/** The ledger's functions became SQL families with other signatures. */
const DROPPED_FUNCTIONS = [
  'ledger_reserve_one(timestamptz, uuid, uuid, int, int, bigint, bigint, timestamptz)',
  'ledger_reserve(timestamptz, json)',
  'ledger_finish_one(uuid, int, int, boolean, bigint, bigint, json)',
  'ledger_finish(json)',
  'ledger_finish_generally(json)',
  'ledger_sweep(timestamptz, int)',
  'ledger_lock(int[], int[])',
];

/** Copies the usage records into a table with the columns of the baseline, partition by partition. */
const WIDER_GENERATION = [
  'alter table generation rename to old_generation',
  GENERATION,
  `do $$
  declare
    old record;
    columns text;
  begin
    select string_agg(quote_ident(attname), ', ') into columns
      from pg_attribute where attrelid = 'generation'::regclass and attnum > 0;
    for old in
      select c.relname, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'old_generation'::regclass
    loop
      execute format('alter table %I rename to %I', old.relname, 'old_' || old.relname);
      execute format('create table %I partition of generation %s', old.relname, old.bounds);
      execute format('insert into %I (%s) select %s from %I', old.relname, columns, columns, 'old_' || old.relname);
    end loop;
  end $$`,
  'drop table old_generation',
  GENERATION_INDEX,
  // PostgreSQL appended numbers to names that the old table still used: rename them.
  `do $$
  declare
    numbered text;
  begin
    for numbered in
      select conname from pg_constraint where conrelid = 'generation'::regclass and conname like '%\\_not\\_null1'
    loop
      execute format('alter table generation rename constraint %I to %I', numbered, rtrim(numbered, '1'));
    end loop;
  end $$`,
];

/** Converts the schema of the old chain to the baseline; run it in one transaction. */
export const UPGRADE: readonly string[] = [
  ...DROPPED_FUNCTIONS.map((signature) => `drop function ${signature}`),
  'drop type ledger_usage',
  LEDGER_USAGE,
  ...WIDER_GENERATION,
  USAGE_LABEL_COUNT,
  ...ANOMALIES,
  'alter table api_key add column parent_no int',
  'create index api_key_parent_no_index on api_key (parent_no)',
  'alter table intern add column creator_key_no int',
  ...PARENT_KEYS_OF_INTERNS,
  ...OLD_COLUMNS.map(({ table, column }) => `alter table ${table} drop column ${column}`),
  ...DELEGATED_COLUMNS.map((column) => `alter table key_balance add column ${column} bigint not null default 0`),
  `alter table reservation add column parent_no int,
    add column parent_amount bigint not null default 0 check (parent_amount >= 0)`,
  'alter table vault add column version int not null default 0',
  ...PREVIOUS_SECRETS,
  ...TRIGGER_FUNCTIONS,
  'delete from migration',
];
