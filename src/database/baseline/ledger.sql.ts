const windowsOf = (spend: string): string[] => ['day', 'week', 'month'].map((window) => `${spend}_${window}`);
const windowsBeforeOf = (spend: string): string[] =>
  ['day', 'week', 'month'].map((window) => `${spend}_prev_${window}`);
const sums = (columns: readonly string[]): string =>
  columns.map((column) => `${column} bigint not null default 0`).join(',\n    ');

/** The spend of the interns that a key created. It counts towards the key's limit but not as the key's usage. */
const DELEGATED_COLUMNS = ['delegated', 'byok_delegated'].flatMap((spend) => [
  spend,
  ...['day', 'week', 'month'].flatMap((window) => [`${spend}_${window}`, `${spend}_prev_${window}`]),
]);

/**
 * The tables of the ledger. Amounts are in nano-dollars. Only the SQL of billing names these tables. Their keys begin
 * with `account_no`, like the keys of usage records, so that the rows can be distributed by account
 * (test/system/start/money-keys.e2e-spec.ts). The functions of the ledger are SQL families (src/billing/ledger/sql).
 */
export const LEDGER: readonly string[] = [
  // low_at: the remaining credits below which `credits.low` is written. unknown_outcomes: the number of calls of
  // unknown outcome. unlisted_outcomes: how many of these calls have no anomaly of their own.
  `create table account_balance (
    account_no int primary key,
    granted bigint not null default 0,
    spent bigint not null default 0 check (spent >= 0),
    reserved bigint not null default 0 check (reserved >= 0),
    unknown_outcomes bigint not null default 0,
    unlisted_outcomes bigint not null default 0,
    low_at bigint not null default 5000000000
  ) with (fillfactor = 50)`,
  // Each kind of spend has a total and, for each length of window, the amounts of the current and the previous window.
  // alert_at: the total spend of the key below which no threshold of its limit can be reached.
  `create table key_balance (
    account_no int not null,
    key_no int not null,
    reserved bigint not null default 0 check (reserved >= 0),
    usage bigint not null default 0 check (usage >= 0),
    ${sums(windowsOf('usage'))},
    byok_usage bigint not null default 0 check (byok_usage >= 0),
    ${sums(windowsOf('byok_usage'))},
    day_start date not null default '-infinity',
    week_start date not null default '-infinity',
    month_start date not null default '-infinity',
    ${sums([...windowsBeforeOf('usage'), ...windowsBeforeOf('byok_usage'), ...DELEGATED_COLUMNS])},
    alert_at bigint not null default 0,
    primary key (account_no, key_no)
  ) with (fillfactor = 50)`,
  // For batches of many accounts. A search of the primary key by a list of accounts and a list of keys would try each
  // pair.
  'create index key_balance_key on key_balance (key_no)',
  // Triggers create the balances, so that every statement that creates an account or a key also creates its balance.
  `create or replace function open_account_balance() returns trigger language plpgsql as $$
  begin
    insert into account_balance (account_no, low_at)
      select new.no, coalesce((select credits_low from event_setting), 5000000000);
    return null;
  end $$`,
  `create trigger open_account_balance after insert on account
    for each row execute function open_account_balance()`,
  `create or replace function open_key_balance() returns trigger language plpgsql as $$
  begin
    insert into key_balance (account_no, key_no)
      values ((select a.no from account a where a.id = new.account_id), new.no);
    return null;
  end $$`,
  `create trigger open_key_balance after insert on api_key
    for each row execute function open_key_balance()`,
  // deadline: the end of the lease, by the clock of the database. lends_until: the time until which the service that
  // holds a credit lease may begin calls on it; null = a reservation of one call. open_calls: the calls that the last
  // renewal of a credit lease listed. open_count: the number of open calls as of the last statement for the lease.
  `create table reservation (
    account_no int not null,
    id uuid not null,
    generation_id uuid not null,
    key_no int not null,
    account_amount bigint not null check (account_amount >= 0),
    key_amount bigint not null check (key_amount >= 0),
    created_at timestamptz not null,
    deadline timestamptz not null,
    state text not null check (state in ('reserved', 'settled', 'released')),
    parent_no int,
    parent_amount bigint not null default 0 check (parent_amount >= 0),
    lends_until timestamptz,
    open_calls jsonb,
    open_count int,
    primary key (account_no, id)
  )`,
  // The second condition limits the index to the query of the sweep, because only this query implies the condition.
  // Queries by id must not use the index, because it contains an entry of each reservation that was closed since the
  // last vacuum.
  `create index reservation_open on reservation (deadline)
    where state = 'reserved' and deadline > '-infinity'`,
  `create index reservation_lease on reservation (account_no) where state = 'reserved' and lends_until is not null`,
  `create index reservation_closed on reservation (created_at) where state <> 'reserved'`,
  `create table ledger_entry (
    account_no int not null,
    id bigint generated always as identity,
    key_no int,
    kind text not null check (kind in ('generation', 'grant', 'refund', 'correction')),
    amount bigint not null,
    generation_id uuid,
    idempotency_id text,
    reason text,
    created_at timestamptz not null,
    primary key (account_no, id)
  )`,
  `create unique index ledger_entry_idempotency on ledger_entry (account_no, idempotency_id)
    where idempotency_id is not null`,
  'create index ledger_entry_account on ledger_entry (account_no, created_at)',
  // The changes of the credits of an account: calls with a cost, and ledger entries for everything else. If the records
  // of a day were removed, a single ledger entry replaces all calls of this day.
  `create view ledger_line as
    select account_no, key_no, kind, amount, generation_id, created_at from ledger_entry
    union all
    select account_no, key_no, 'generation', -cost, id, created_at from generation
    where cost <> 0 and not synthetic`,
  // Implausible usage, calls that could not be billed, and calls that were lost because their service crashed.
  // generation_id: null if the anomaly represents several calls whose ids are unknown.
  `create table billing_anomaly (
    account_no int not null,
    id bigint generated always as identity,
    at timestamptz not null default clock_timestamp(),
    kind text not null,
    key_no int not null,
    generation_id uuid,
    request_id text,
    details jsonb not null,
    primary key (account_no, id)
  )`,
  'create index billing_anomaly_at on billing_anomaly (at)',
  // The parameter types of the ledger's functions, except `ledger_usage` (usage.sql.ts). PostgreSQL reads composite
  // values faster than JSON.
  `create type ledger_reservation_item as (
    r uuid, g uuid, a int, k int, p int, aa bigint, ka bigint, pa bigint, t timestamptz, x uuid
  )`,
  'create type ledger_finish_item as (r uuid, a int, k int, s boolean, c bigint, b bigint)',
  `create type ledger_free_item as (
    r uuid, a int, k int, p int, t timestamptz, aa bigint, ka bigint, pa bigint
  )`,
  `create type ledger_detail as (
    cache_discount bigint,
    native_tokens_completion_images bigint,
    num_media_prompt int,
    num_input_audio_prompt int,
    cancelled boolean,
    usage_estimated boolean,
    native_finish_reason text,
    upstream_id text,
    request_id text,
    session_id text,
    user_agent text,
    http_referer text,
    title text,
    categories text,
    service_tier text,
    response_cache_source_id uuid,
    provider_responses jsonb,
    price_lines jsonb
  )`,
  `create type ledger_lease_item as (
    r uuid, a int, k int, t timestamptz, da bigint, dk bigint, unit bigint, lends boolean, calls jsonb
  )`,
  `create type ledger_leased_item as (
    r uuid, l uuid, a int, k int, t timestamptz, fa bigint, fk bigint, s boolean, c bigint, b bigint, again boolean
  )`,
];
