/** The audit trail: management actions and uses of secrets. The database allows only inserts and reads. */
export const AUDIT: readonly string[] = [
  `create table audit_entry (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    account_id uuid,
    actor text not null check (actor in ('key', 'operator', 'service')),
    key_hash text,
    user_id uuid,
    action text not null,
    resource_kind text not null,
    resource_id text not null,
    address text,
    request_id text
  )`,
  'create index audit_entry_account_index on audit_entry (account_id, id)',
  'create index audit_entry_resource_index on audit_entry (resource_kind, resource_id, id)',
  `create or replace function refuse_audit_change() returns trigger language plpgsql as $$
  begin
    raise exception 'audit_entry is append-only: % is refused', lower(tg_op)
      using errcode = 'insufficient_privilege';
  end $$`,
  `create trigger audit_entry_append_only before update or delete or truncate on audit_entry
    for each statement execute function refuse_audit_change()`,
];
