import { Migration } from '@mikro-orm/migrations';

/** Roles of members and keys, members of workspaces, identities, sign-ins through a provider, and invitations. */
const STATEMENTS: readonly string[] = [
  // Null for standard keys, whose rights depend only on their class.
  `alter table api_key add column role text
    check (role in ('owner', 'admin', 'billing', 'developer', 'viewer'))`,
  "update api_key set role = 'owner' where key_class = 'management' and deleted_at is null",
  `create index api_key_creator_user_id on api_key (creator_user_id)
    where creator_user_id is not null and deleted_at is null`,
  // role_source: the origin of the present role. An identity provider changes only rows with the source `provider`.
  `alter table member add column role_source text not null default 'manual'
      check (role_source in ('manual', 'invitation', 'provider')),
    add column deactivated_at timestamptz`,
  "update member set role = 'developer' where role = 'member'",
  `alter table member add constraint member_role
    check (role in ('owner', 'admin', 'billing', 'developer', 'viewer'))`,
  `create table workspace_member (
    account_id uuid not null,
    workspace_id uuid not null,
    user_id uuid not null,
    role text not null check (role in ('admin', 'member')),
    created_at timestamptz not null,
    primary key (account_id, workspace_id, user_id)
  )`,
  'create index workspace_member_user_id on workspace_member (user_id)',
  // A person at an identity provider. `email` is the last address that the provider reported; it is not used to find a
  // member.
  `create table user_identity (
    issuer text not null,
    subject text not null,
    provider text not null,
    user_id uuid not null,
    email text,
    email_verified boolean not null default false,
    name text,
    created_at timestamptz not null,
    used_at timestamptz not null,
    primary key (issuer, subject)
  )`,
  'create index user_identity_user_id on user_identity (user_id)',
  // A sign-in in progress at a provider. Verifier and nonce are derived from the cookie and not stored.
  `create table sign_in_attempt (
    state_hash character(64) primary key,
    browser_hash character(64) not null,
    provider text not null,
    return_to text not null,
    invitation_id uuid,
    link_session_id uuid,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  'create index sign_in_attempt_expires_at on sign_in_attempt (expires_at)',
  `create table invitation (
    id uuid primary key,
    account_id uuid not null,
    token_hash character(64) not null unique,
    role text not null check (role in ('owner', 'admin', 'billing', 'developer', 'viewer')),
    workspace_ids uuid[] not null,
    email text,
    created_by uuid,
    created_by_key_no int,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    used_by uuid,
    revoked_at timestamptz
  )`,
  'create index invitation_account_id on invitation (account_id, created_at desc)',
  // Accepted tokens that have an id. A second use of a token is refused until the token expires.
  `create table used_token (
    issuer text not null,
    token_id text not null,
    expires_at timestamptz not null,
    primary key (issuer, token_id)
  )`,
  'create index used_token_expires_at on used_token (expires_at)',
  `alter table console_session drop constraint console_session_opened_by_check,
    add constraint console_session_opened_by_check check (opened_by in ('code', 'key', 'oidc')),
    alter column calls_key_hash drop not null,
    add column issuer text,
    add column subject text,
    add column provider_session_id text`,
  'create index console_session_user_id on console_session (user_id)',
  // Keys with a role are cached together with the workspaces of their member, so a change of these workspaces
  // invalidates the keys.
  `create function membership_changed() returns trigger language plpgsql as $$
  declare
    changed record := coalesce(new, old);
  begin
    perform pg_notify('api_key_changed', k.hash)
      from api_key k
      where k.creator_user_id = changed.user_id and k.account_id = changed.account_id
        and k.role is not null and k.deleted_at is null;
    return null;
  end $$`,
  `create trigger membership_changed after insert or update or delete on workspace_member
    for each row execute function membership_changed()`,
];

export class Migration0039Members extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
