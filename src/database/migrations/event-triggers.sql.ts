/** Statements of migration 0030: functions and triggers that write events. */
export const EVENT_TRIGGERS: readonly string[] = [
  // The deliveries of an event are created with it, so that no event is missed and none is delivered before its cause
  // is committed.
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
  // A limit that is set or lowered may be reached already. The update locks the balance, so that the spend is complete.
  `create function api_key_limit_event() returns trigger language plpgsql as $$
  declare
    b key_balance; v_used bigint; v_before int;
  begin
    update key_balance set alert_at = 0 where key_no = new.no returning * into b;
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
  `create or replace function open_account_balance() returns trigger language plpgsql as $$
  begin
    insert into account_balance (account_no, low_at)
      select new.no, coalesce((select credits_low from event_setting), 5000000000);
    return null;
  end $$`,
];
