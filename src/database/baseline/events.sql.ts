/** Events, webhooks and their deliveries. */
export const EVENTS: readonly string[] = [
  // The events of accounts. A row is written in the transaction that caused the event. `once` identifies an event that
  // may be written only once. A repetition conflicts with the unique index and is not inserted.
  `create table event (
    id uuid primary key default gen_random_uuid(),
    account_no int not null,
    type text not null,
    data jsonb not null,
    once text,
    created_at timestamptz not null default clock_timestamp(),
    holds_content boolean not null default false
  )`,
  // Secrets are sealed under the webhook's own data key. Until previous_until, deliveries are also signed with the
  // previous secret.
  `create table webhook (
    id uuid primary key,
    account_id uuid not null,
    account_no int not null,
    url text not null,
    format text not null check (format in ('standard', 'otlp')),
    events text[] not null,
    data_key_id uuid not null,
    sealed bytea not null,
    sealed_previous bytea,
    previous_until timestamptz,
    sealed_headers bytea,
    disabled_at timestamptz,
    disabled_by text check (disabled_by in ('owner', 'service')),
    failing_since timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz
  )`,
  // The delivery of one event to one webhook. next_at is null if no further attempt follows. Leases end by the clock of
  // the database.
  `create table webhook_delivery (
    id uuid primary key default gen_random_uuid(),
    webhook_id uuid not null,
    event_id uuid not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
    attempts int not null default 0,
    next_at timestamptz default '-infinity',
    lease_until timestamptz,
    first_attempt_at timestamptz,
    last_attempt_at timestamptz,
    last_status smallint,
    last_error text,
    created_at timestamptz not null default clock_timestamp()
  )`,
  // Endpoints that a replica found unhealthy. With this table, several replicas write only one event for an outage.
  `create table endpoint_outage (
    endpoint text primary key,
    token uuid not null,
    seen_at timestamptz not null default clock_timestamp()
  )`,
  // credits_low: the remaining credits below which `credits.low` is written, in nano-dollars (CREDITS_LOW_USD).
  `create table event_setting (
    only_row boolean primary key default true check (only_row),
    credits_low bigint not null
  )`,
  // The position of the export of records in the outbox. The export has read all entries that are visible in the
  // snapshot `seen`, and the entries up to (xid, seq) that are visible in the snapshot `target`. `seen` is null while
  // no webhook requests records.
  `create table export_position (
    only_row boolean primary key default true check (only_row),
    seen pg_snapshot,
    target pg_snapshot,
    xid xid8 not null default '0',
    seq bigint not null default 0,
    read_at timestamptz not null default clock_timestamp()
  )`,
  'create unique index event_once on event (type, once) where once is not null',
  'create index event_created_at on event (created_at)',
  'create index event_content on event (created_at) where holds_content',
  'create index webhook_account on webhook (account_no, id)',
  'create index webhook_delivery_due on webhook_delivery (webhook_id, next_at) where next_at is not null',
  'create index webhook_delivery_log on webhook_delivery (webhook_id, created_at desc, id)',
  'create index webhook_delivery_created_at on webhook_delivery (created_at)',
  'create index webhook_delivery_event on webhook_delivery (event_id)',
  'insert into event_setting (credits_low) values (5000000000)',
  'insert into export_position default values',
  // The deliveries of an event are created in the transaction of the event, so that no event is missed and none is
  // delivered before its cause is committed.
  `create function event_recorded() returns trigger language plpgsql as $$
  begin
    insert into webhook_delivery (webhook_id, event_id)
      select w.id, new.id from webhook w
      where w.account_no = new.account_no and w.disabled_at is null and new.type = any(w.events);
    if found then
      perform pg_notify('webhook_work', '');
    end if;
    return null;
  end $$`,
  'create trigger event_recorded after insert on event for each row execute function event_recorded()',
  // Events of the installation belong to its first account.
  `create function first_account_no() returns int language sql stable as 'select min(no) from account'`,
  `create function event_usd(p_nano bigint) returns numeric language sql immutable as
    'select trim_scale(p_nano * 0.000000001)'`,
  `create function event_key(k api_key) returns jsonb language sql immutable as $$
    select jsonb_build_object('hash', k.hash, 'name', k.name, 'workspace_id', k.workspace_id)
  $$`,
  `create function api_key_event() returns trigger language plpgsql as $$
  begin
    insert into event (account_no, type, data)
      select a.no, tg_argv[0], event_key(new) from account a where a.id = new.account_id;
    return null;
  end $$`,
  `create trigger api_key_created after insert on api_key
    for each row when (new.key_class <> 'intern') execute function api_key_event('key.created')`,
  `create trigger api_key_disabled after update of disabled on api_key
    for each row when (new.key_class <> 'intern' and new.disabled and not old.disabled and new.deleted_at is null)
    execute function api_key_event('key.disabled')`,
  // A limit that was set or lowered may already be reached. The update locks the balance, so that the spend is
  // complete.
  `create function api_key_limit_event() returns trigger language plpgsql as $$
  declare
    b key_balance; v_used bigint; v_before int;
  begin
    update key_balance k set alert_at = 0 from account a
      where a.id = new.account_id and k.account_no = a.no and k.key_no = new.no returning k.* into b;
    v_used := ledger_limit_used(new, b, clock_timestamp());
    v_before := coalesce(ledger_limit_level(ledger_limit_used(old, b, clock_timestamp()), old.limit_nano), 0);
    if new.limit_nano is null or new.deleted_at is not null then
      return null;
    end if;
    insert into event (account_no, type, data, once)
      select e.* from account a cross join lateral ledger_thresholds(a.no, new,
        ledger_window_start(new, clock_timestamp()), v_used, v_used) e
      where a.id = new.account_id and ledger_limit_level(v_used, new.limit_nano) > v_before
      on conflict do nothing;
    return null;
  end $$`,
  `create trigger api_key_limit_changed after update of limit_nano, limit_reset, include_byok_in_limit on api_key
    for each row when ((new.limit_nano, new.limit_reset, new.include_byok_in_limit)
      is distinct from (old.limit_nano, old.limit_reset, old.include_byok_in_limit))
    execute function api_key_limit_event()`,
  `create function intern_failed_event() returns trigger language plpgsql as $$
  begin
    insert into event (account_no, type, data)
      select a.no, 'intern.failed', jsonb_build_object('id', new.id, 'name', new.name,
        'workspace_id', new.workspace_id, 'message', new.last_failure_message)
      from account a where a.id = new.account_id;
    return null;
  end $$`,
  `create trigger intern_failed after update of status on intern
    for each row when (new.status = 'failed' and old.status <> 'failed') execute function intern_failed_event()`,
];
