/** The parameter type of the ledger's functions for a call: the columns of `generation` that the service supplies. */
export const LEDGER_USAGE = `create type ledger_usage as (
    upstream_cost bigint,
    workspace_no int,
    model int,
    provider int,
    external_user int,
    app int,
    origin int,
    finish_reason int,
    tokens_prompt bigint,
    tokens_completion bigint,
    tokens_reasoning bigint,
    tokens_cached bigint,
    characters int,
    latency_ms int,
    duration_ms int,
    status smallint,
    images smallint,
    modality smallint,
    is_byok boolean,
    streamed boolean
  )`;

/**
 * One row for each call. A row must not take more than 200 bytes with its indexes: columns of eight bytes come first,
 * which avoids padding, and a quantity that most calls lack is null, which takes no space. No foreign key refers to it:
 * days are dropped as partitions. It has no primary key, which would repeat the time in every entry; a call is recorded
 * once because its reservation is finished once.
 */
export const GENERATION = `create table generation (
    id uuid not null,
    created_at timestamptz not null,
    cost bigint not null,
    tokens_prompt bigint not null,
    tokens_completion bigint not null,
    upstream_cost bigint,
    tokens_reasoning bigint,
    tokens_cached bigint,
    account_no int not null,
    workspace_no int not null,
    key_no int not null,
    model int not null,
    provider int not null,
    latency_ms int not null,
    duration_ms int not null,
    external_user int,
    app int,
    origin int,
    finish_reason int,
    characters int,
    status smallint not null,
    modality smallint not null,
    images smallint,
    is_byok boolean not null,
    streamed boolean not null,
    synthetic boolean not null
  ) partition by range (created_at)`;

/** A generation is found by the time in its id: an index of times is a third smaller than one of ids. */
export const GENERATION_INDEX = 'create index generation_created_at on generation (created_at)';

/** How many labels of a kind an account has used. */
export const USAGE_LABEL_COUNT = `create table usage_label_count (
    account_no int not null,
    kind smallint not null,
    labels int not null,
    primary key (account_no, kind)
  )`;

/** The usage records, their texts, and the feed for other stores. */
export const USAGE: readonly string[] = [
  `create table usage_label (
    id int generated always as identity primary key,
    kind smallint not null,
    value text not null,
    unique (kind, value)
  )`,
  USAGE_LABEL_COUNT,
  LEDGER_USAGE,
  GENERATION,
  // For days without a partition, so that a settlement never fails because one is missing.
  'create table generation_default partition of generation default',
  GENERATION_INDEX,
  `create table outbox (
    seq bigint generated always as identity primary key,
    xid xid8 not null default pg_current_xact_id(),
    generation_id uuid not null,
    created_at timestamptz not null
  )`,
  'create index outbox_order on outbox (xid, seq)',
  // A new epoch makes every follower of the outbox rebuild its store. Entries of transactions before trimmed_to may
  // have been deleted. mark_xid was the oldest open transaction at mark_at; the next trimming ends there, so that every
  // entry exists for at least the time between two trimmings.
  `create table usage_feed (
    only_row boolean primary key default true check (only_row),
    epoch uuid not null default gen_random_uuid(),
    trimmed_to xid8 not null default '0',
    mark_xid xid8 not null default '0',
    mark_at timestamptz not null default now()
  )`,
  'insert into usage_feed default values',
];
