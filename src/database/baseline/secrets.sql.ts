/**
 * Envelope encryption: the ids of the master keys (never the keys themselves), the data keys that the master keys wrap,
 * and callers' provider credentials, which are sealed with the data key of their workspace.
 */
export const SECRETS: readonly string[] = [
  `create table master_key (
    id text primary key,
    state text not null check (state in ('current', 'retiring', 'retired')),
    check_value bytea not null,
    created_at timestamptz not null
  )`,
  `create unique index master_key_one_current on master_key (state) where state = 'current'`,
  `create table data_key (
    id uuid primary key,
    master_key_id text not null references master_key (id),
    wrapped bytea not null,
    created_at timestamptz not null
  )`,
  'create index data_key_master_key_id_index on data_key (master_key_id)',
  // These notifications make running services drop a destroyed data key from memory, and read their key file again when
  // a master key changes.
  `create or replace function data_key_destroyed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('data_key_destroyed', old.id::text);
    return null;
  end $$`,
  `create trigger data_key_destroyed after delete on data_key
    for each row execute function data_key_destroyed()`,
  `create or replace function master_key_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('master_key_changed', '');
    return null;
  end $$`,
  `create trigger master_key_changed after insert or update or delete on master_key
    for each statement execute function master_key_changed()`,
  `create table byok_credential (
    id uuid not null,
    account_id uuid not null,
    workspace_id uuid not null,
    provider text not null,
    name text,
    label text not null,
    data_key_id uuid not null,
    sealed bytea not null,
    disabled boolean not null,
    is_fallback boolean not null,
    sort_order int not null,
    allowed_models text[],
    allowed_api_key_hashes text[],
    allowed_user_ids text[],
    created_at timestamptz not null,
    updated_at timestamptz,
    primary key (id)
  )`,
  'create index byok_credential_account_id_index on byok_credential (account_id)',
  'create index byok_credential_workspace_id_provider_index on byok_credential (workspace_id, provider)',
  'create table workspace_data_key (workspace_id uuid primary key, data_key_id uuid not null)',
  // Inference caches the credentials of a workspace until it is notified of a change.
  `create or replace function byok_credential_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('byok_credential_changed', coalesce(new.workspace_id, old.workspace_id)::text);
    return null;
  end $$`,
  `create trigger byok_credential_changed after insert or update or delete on byok_credential
    for each row execute function byok_credential_changed()`,
  // The running services that use this database. Each service writes its own row.
  `create table replica (
    id text primary key,
    started_at timestamptz not null,
    heartbeat_at timestamptz not null,
    schema_version text not null,
    master_key_ids text[] not null,
    opens_secrets boolean not null
  )`,
];
