/** Metadata of uploaded files. Their bytes are in the object store, under the account's id and `object_id`. */
export const FILES: readonly string[] = [
  `create table file (
    id uuid not null,
    account_id uuid not null,
    workspace_id uuid not null,
    object_id uuid not null,
    filename text not null,
    mime_type text not null,
    size_bytes int not null,
    sha256 character(64) not null,
    downloadable boolean not null,
    created_at timestamptz not null,
    primary key (id),
    constraint file_object_id_unique unique (object_id)
  )`,
  'create index file_workspace_id_id_index on file (workspace_id, id)',
];
