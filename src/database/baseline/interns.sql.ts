/** Interns, and the idempotency records of their creation. */
export const INTERNS: readonly string[] = [
  // no: determines the user id of the intern's processes if the service runs as root. creator_key_no: the key whose
  // limit covers the intern's calls; null = unknown, and the intern may spend nothing. fence: grows with every claim; a
  // write with an older fence changes nothing. worker: the replica that holds the lease. wake_at: when a worker next
  // reads the row; null = not scheduled. deadline: when the current status must have ended. booted_fence: the fence
  // under which a runtime was last started; null = no runtime can exist. limit_nano, limit_reset: the limit of the
  // intern's own key. replica_url: the address of the replica that holds the lease, as the replica stated it when it
  // took the lease.
  `create table intern (
    id uuid not null,
    no serial,
    account_id uuid not null,
    workspace_id uuid not null,
    creator_user_id uuid not null,
    name text not null,
    description text,
    instructions text,
    model text,
    status text not null,
    last_failure_message text,
    progress_step smallint,
    hostname text,
    vault_id uuid,
    attached_vault_id uuid,
    loss_acknowledged boolean not null,
    fence int not null,
    worker uuid,
    lease_until timestamptz,
    wake_at timestamptz,
    deadline timestamptz,
    attempts smallint not null,
    booted_fence int,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    creator_key_no int,
    limit_nano bigint,
    limit_reset text,
    allowed_hosts text[] not null default '{}',
    approval_mode text not null default 'self-drive',
    replica_url text,
    primary key (id),
    constraint intern_no_unique unique (no),
    constraint intern_hostname_unique unique (hostname),
    constraint intern_workspace_id_creator_user_id_name_unique unique (workspace_id, creator_user_id, name)
  )`,
  'create index intern_account_id_creator_user_id_index on intern (account_id, creator_user_id)',
  'create index intern_attached_vault_id_index on intern (attached_vault_id)',
  'create index intern_wake on intern (wake_at) where wake_at is not null',
  // Notifies the replica that runs the intern when any statement changes the fence.
  `create or replace function intern_changed() returns trigger language plpgsql as $$
  begin
    if new.fence <> old.fence then
      perform pg_notify('intern_changed', new.id::text);
    end if;
    return null;
  end $$`,
  `create trigger intern_changed after update on intern
    for each row execute function intern_changed()`,
  // key_hash and fingerprint: SHA-256 of the idempotency key and of the canonical request. intern_id: chosen when the
  // key is claimed, so that every repetition creates the same intern.
  `create table intern_creation (
    creator_user_id uuid not null,
    workspace_id uuid not null,
    key_hash character(64) not null,
    fingerprint character(64) not null,
    intern_id uuid not null,
    fence int not null,
    lease_until timestamptz not null,
    completed_at timestamptz,
    created_at timestamptz not null,
    primary key (creator_user_id, workspace_id, key_hash)
  )`,
  'create index intern_creation_intern_id_index on intern_creation (intern_id)',
  'create index intern_creation_created_at_index on intern_creation (created_at)',
];
