/** The certificate authority of the egress proxy, one for each installation. */
export const EGRESS: readonly string[] = [
  `create table egress_authority (
    id smallint not null,
    certificate text not null,
    data_key_id uuid not null,
    sealed_key bytea not null,
    created_at timestamptz not null,
    primary key (id),
    constraint egress_authority_one check (id = 1)
  )`,
];
