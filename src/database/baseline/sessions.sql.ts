/**
 * Sessions of the console, and the one-time codes that open them. Session tokens and codes are stored only as SHA-256.
 */
export const SESSIONS: readonly string[] = [
  // main_key_hash, calls_key_hash: the keys that the session acts with, equal if the session was opened with a key.
  `create table console_session (
    id uuid not null primary key,
    token_hash character(64) not null unique,
    account_id uuid not null,
    user_id uuid,
    opened_by text not null check (opened_by in ('code', 'key')),
    main_key_hash character(64) not null,
    calls_key_hash character(64) not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index console_session_expires_at_index on console_session (expires_at)',
  'create index console_session_main_key_hash_index on console_session (main_key_hash)',
  // A used code is kept until it expires, so that a second use is recorded with the account of the code.
  `create table console_code (
    code_hash character(64) not null primary key,
    account_id uuid not null,
    user_id uuid not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  // This trigger makes every statement that disables or deletes a key end the sessions that were opened with the key or
  // with one of its former secrets. Enabling the key again must not reactivate these sessions.
  `create or replace function end_sessions_of_key() returns trigger language plpgsql as $$
  begin
    delete from console_session where opened_by = 'key' and main_key_hash in (
      select new.hash union all select former.hash from key_alias former where former.key_no = new.no);
    return null;
  end $$`,
  `create trigger end_sessions_of_key after update of disabled, deleted_at on api_key
    for each row when (new.disabled or new.deleted_at is not null) execute function end_sessions_of_key()`,
  `create or replace function console_session_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('console_session_changed', old.token_hash);
    return null;
  end $$`,
  `create trigger console_session_changed after update or delete on console_session
    for each row execute function console_session_changed()`,
];
