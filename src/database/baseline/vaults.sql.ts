/**
 * Replaced and deleted values of secrets, and the hosts that could receive them. The values are still masked in
 * responses of these hosts.
 */
export const PREVIOUS_SECRETS: readonly string[] = [
  `create table vault_secret_previous (
    vault_id uuid not null,
    name text not null,
    fingerprint text not null,
    hosts text[] not null,
    sealed bytea not null,
    replaced_at timestamptz not null,
    primary key (vault_id, name, fingerprint)
  )`,
  'create index vault_secret_previous_replaced_at_index on vault_secret_previous (replaced_at)',
];

/** Sets of host-bound secrets, each sealed under one data key. A vault belongs to a workspace or to an intern. */
export const VAULTS: readonly string[] = [
  `create table vault (
    id uuid not null,
    workspace_id uuid not null,
    intern_id uuid,
    data_key_id uuid not null,
    created_at timestamptz not null,
    version int not null default 0,
    primary key (id),
    constraint vault_intern_id_unique unique (intern_id)
  )`,
  'create unique index vault_of_workspace on vault (workspace_id) where intern_id is null',
  // vault.version: grows with every change of the vault's content. hosts: exact DNS names, lower case, without a dot at
  // the end. fingerprint: changes with the value and the hosts.
  `create table vault_secret (
    vault_id uuid not null,
    name text not null,
    hosts text[] not null,
    sealed bytea not null,
    fingerprint text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (vault_id, name)
  )`,
  ...PREVIOUS_SECRETS,
];
