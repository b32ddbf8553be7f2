const windowsOf = (spend: string): string[] => ['day', 'week', 'month'].map((window) => `${spend}_${window}`);
const windowsBeforeOf = (spend: string): string[] =>
  ['day', 'week', 'month'].map((window) => `${spend}_prev_${window}`);
const sums = (columns: readonly string[]): string =>
  columns.map((column) => `${column} bigint not null default 0`).join(',\n    ');

/** The spend of the interns that a key created: it counts towards the key's limit but not as the key's usage. */
export const DELEGATED_COLUMNS = ['delegated', 'byok_delegated'].flatMap((spend) => [
  spend,
  ...['day', 'week', 'month'].flatMap((window) => [`${spend}_${window}`, `${spend}_prev_${window}`]),
]);

/** Implausible usage, and completed calls that could not be billed. */
export const ANOMALIES: readonly string[] = [
  `create table billing_anomaly (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    kind text not null,
    account_no int not null,
    key_no int not null,
    generation_id uuid not null,
    request_id text,
    details jsonb not null
  )`,
  'create index billing_anomaly_at on billing_anomaly (at)',
];

/**
 * The tables in which money moves, in nano-dollars, sealed to billing. Its functions are SQL families
 * (src/billing/ledger/sql).
 */
export const LEDGER: readonly string[] = [
  `create table account_balance (
    account_no int primary key,
    granted bigint not null default 0,
    spent bigint not null default 0 check (spent >= 0),
    reserved bigint not null default 0 check (reserved >= 0),
    unknown_outcomes bigint not null default 0
  ) with (fillfactor = 50)`,
  // Each spend has a total and, per window, the amount of the current and of the previous window.
  `create table key_balance (
    key_no int primary key,
    reserved bigint not null default 0 check (reserved >= 0),
    usage bigint not null default 0 check (usage >= 0),
    ${sums(windowsOf('usage'))},
    byok_usage bigint not null default 0 check (byok_usage >= 0),
    ${sums(windowsOf('byok_usage'))},
    day_start date not null default '-infinity',
    week_start date not null default '-infinity',
    month_start date not null default '-infinity',
    ${sums([...windowsBeforeOf('usage'), ...windowsBeforeOf('byok_usage'), ...DELEGATED_COLUMNS])}
  ) with (fillfactor = 50)`,
  // Triggers, so that the statement that creates an account or a key also creates its balance.
  `create or replace function open_account_balance() returns trigger language plpgsql as $$
  begin
    insert into account_balance (account_no) values (new.no);
    return null;
  end $$`,
  `create trigger open_account_balance after insert on account
    for each row execute function open_account_balance()`,
  `create or replace function open_key_balance() returns trigger language plpgsql as $$
  begin
    insert into key_balance (key_no) values (new.no);
    return null;
  end $$`,
  `create trigger open_key_balance after insert on api_key
    for each row execute function open_key_balance()`,
  // deadline: the end of the lease, by the clock of the database.
  `create table reservation (
    id uuid primary key,
    generation_id uuid not null,
    account_no int not null,
    key_no int not null,
    account_amount bigint not null check (account_amount >= 0),
    key_amount bigint not null check (key_amount >= 0),
    created_at timestamptz not null,
    deadline timestamptz not null,
    state text not null check (state in ('reserved', 'settled', 'released')),
    parent_no int,
    parent_amount bigint not null default 0 check (parent_amount >= 0)
  )`,
  // Only the sweep's query implies the second condition. A plan that finds reservations by id must not use this index:
  // it contains an entry of each reservation closed since the last vacuum.
  `create index reservation_open on reservation (deadline)
    where state = 'reserved' and deadline > '-infinity'`,
  `create index reservation_closed on reservation (created_at) where state <> 'reserved'`,
  `create table ledger_entry (
    id bigint generated always as identity primary key,
    account_no int not null,
    key_no int,
    kind text not null check (kind in ('generation', 'grant', 'refund', 'correction')),
    amount bigint not null,
    generation_id uuid,
    idempotency_id text,
    reason text,
    created_at timestamptz not null
  )`,
  `create unique index ledger_entry_idempotency on ledger_entry (account_no, idempotency_id)
    where idempotency_id is not null`,
  'create index ledger_entry_account on ledger_entry (account_no, created_at)',
  ...ANOMALIES,
];
