/** Accounts, the people in them, their workspaces, end users and keys. */
export const ACCOUNTS: readonly string[] = [
  `create table account (
    id uuid not null,
    no serial,
    name text not null,
    created_at timestamptz not null,
    primary key (id),
    constraint account_no_unique unique (no)
  )`,
  `create table app_user (
    id uuid not null,
    no serial,
    name text not null,
    email text,
    created_at timestamptz not null,
    primary key (id),
    constraint app_user_no_unique unique (no),
    constraint app_user_email_unique unique (email)
  )`,
  `create table member (
    account_id uuid not null,
    user_id uuid not null,
    role text not null,
    in_interns_programme boolean not null,
    created_at timestamptz not null,
    primary key (account_id, user_id)
  )`,
  `create table workspace (
    id uuid not null,
    no serial,
    account_id uuid not null,
    name text not null,
    slug text not null,
    description text,
    is_default boolean not null,
    interns_allowed boolean not null,
    created_by uuid,
    created_at timestamptz not null,
    updated_at timestamptz,
    default_text_model text,
    default_image_model text,
    default_provider_sort text,
    io_logging_enabled boolean not null default false,
    broadcast_enabled boolean not null default false,
    data_discount_logging_enabled boolean not null default false,
    io_logging_sampling_rate double precision not null default 1,
    io_logging_key_nos int[],
    deleted_at timestamptz,
    default_max_output_tokens int,
    primary key (id),
    constraint workspace_no_unique unique (no)
  )`,
  'create index workspace_account_id_index on workspace (account_id)',
  'create unique index workspace_one_default on workspace (account_id) where is_default',
  // A deleted workspace keeps its row, because usage records refer to the row; the slug can be reused.
  'create unique index workspace_slug on workspace (account_id, slug) where deleted_at is null',
  // Tracking ids are compared byte by byte, so ids that differ in case, accents or Unicode form are different ids.
  `create table end_user (
    account_id uuid not null,
    tracking_id text collate "C" not null,
    is_active boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (account_id, tracking_id)
  )`,
  'create index end_user_newest on end_user (account_id, created_at desc, tracking_id)',
  `create table api_key (
    hash character(64) not null,
    no serial,
    account_id uuid not null,
    workspace_id uuid not null,
    key_class text not null,
    name text not null,
    label text not null,
    disabled boolean not null,
    limit_nano bigint,
    limit_reset text,
    include_byok_in_limit boolean not null,
    expires_at timestamptz,
    creator_user_id uuid,
    external_user text,
    intern_id uuid,
    created_at timestamptz not null,
    updated_at timestamptz,
    deleted_at timestamptz,
    parent_no int,
    response_cache_ttl_s int,
    allowed_models text[],
    requests_per_minute int,
    export_content boolean not null default false,
    console_session_id uuid,
    primary key (hash),
    constraint api_key_no_unique unique (no)
  )`,
  'create index api_key_account_id_index on api_key (account_id)',
  'create index api_key_workspace_id_index on api_key (workspace_id)',
  'create index api_key_intern_id_index on api_key (intern_id)',
  'create index api_key_parent_no_index on api_key (parent_no)',
  `create index api_key_console_session on api_key (console_session_id)
    where console_session_id is not null and deleted_at is null`,
  // Earlier hashes of keys whose secrets were rotated.
  `create table key_alias (
    hash character(64) primary key,
    key_no int not null,
    rotated_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create index key_alias_key_no on key_alias (key_no)',
  'create index key_alias_rotated_at on key_alias (rotated_at)',
  // Notifies every replica of the hashes that a change of the key affects: its hash, its hash before the change, its
  // former hashes, and the hashes of the intern keys with this parent key. Former hashes that expired more than a day
  // ago are omitted, because a key that was rotated many times would otherwise send many notifications with each
  // change. The day allows for differences between clocks.
  `create or replace function api_key_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('api_key_changed', coalesce(new.hash, old.hash));
    if tg_op = 'UPDATE' then
      if new.hash <> old.hash then
        perform pg_notify('api_key_changed', old.hash);
        update byok_credential
          set allowed_api_key_hashes = array_replace(allowed_api_key_hashes, old.hash::text, new.hash::text)
          where account_id = new.account_id and old.hash::text = any (allowed_api_key_hashes);
      end if;
    end if;
    perform pg_notify('api_key_changed', former.hash)
      from key_alias former
      where former.key_no = coalesce(new.no, old.no) and former.expires_at > now() - interval '1 day';
    perform pg_notify('api_key_changed', child.hash)
      from api_key child
      where child.parent_no = coalesce(new.no, old.no) and child.deleted_at is null;
    return null;
  end $$`,
  `create trigger api_key_changed after insert or update or delete on api_key
    for each row execute function api_key_changed()`,
  'create table key_use (key_no int primary key, used_at timestamptz not null) with (fillfactor = 70)',
];
