/** The parameter type of the ledger's functions for a call: the columns of `generation` that the service supplies. */
const LEDGER_USAGE = `create type ledger_usage as (
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
 * One row for each call. A row and its index entries must not take more than 200 bytes. Therefore, columns of eight
 * bytes come first, which avoids padding, and a quantity that most calls lack is null, which takes no space. No foreign
 * key refers to the table, because days are dropped as partitions. There is no primary key, because its index would
 * repeat the time in every entry. A call is recorded only once, because its reservation is finished only once.
 */
const GENERATION = `create table generation (
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

/**
 * A generation is looked up by the time in its id, because an index of times is a third smaller than an index of ids.
 */
const GENERATION_INDEX = 'create index generation_created_at on generation (created_at)';

/** The number of different labels of each kind that an account has used. */
const USAGE_LABEL_COUNT = `create table usage_label_count (
    account_no int not null,
    kind smallint not null,
    labels int not null,
    primary key (account_no, kind)
  )`;

/** The usage records with their labels, details and contents, and the feed for other stores. */
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
  // Holds the rows of days without a partition, so that a settlement never fails because a partition is missing.
  'create table generation_default partition of generation default',
  GENERATION_INDEX,
  'create index generation_account on generation (account_no, created_at)',
  // The details of text calls, in a separate table so that the rows of `generation` stay small. The table is
  // partitioned by the same days. Calls without details have no row.
  `create table generation_detail (
    id uuid not null,
    created_at timestamptz not null,
    account_no int not null,
    cache_discount bigint,
    native_tokens_completion_images bigint,
    num_media_prompt int,
    num_input_audio_prompt int,
    cancelled boolean not null,
    usage_estimated boolean not null,
    native_finish_reason text,
    upstream_id text,
    request_id text,
    session_id text,
    user_agent text,
    http_referer text,
    title text,
    categories text,
    service_tier text,
    provider_responses jsonb,
    response_cache_source_id uuid,
    price_lines jsonb
  ) partition by range (created_at)`,
  'create table generation_detail_default partition of generation_detail default',
  'create index generation_detail_created_at on generation_detail (created_at)',
  // For the list of a session's calls.
  `create index generation_detail_session on generation_detail (session_id, created_at)
    where session_id is not null`,
  // The texts of a call whose key exports them. They are kept until the record of the call is written as an event.
  `create table generation_content (
    account_no int not null,
    generation_id uuid not null,
    content jsonb not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (account_no, generation_id)
  )`,
  'create index generation_content_created_at on generation_content (created_at)',
  // Totals of the recorded calls, for the metrics. A histogram has the number of calls up to each bound.
  `create table usage_total (
    modality smallint not null,
    provider text not null,
    model text not null,
    calls numeric not null,
    outcomes numeric[] not null,
    cost numeric not null,
    duration_ms numeric not null,
    durations numeric[] not null,
    input_tokens numeric not null,
    input_calls numeric not null,
    inputs numeric[] not null,
    output_tokens numeric not null,
    output_calls numeric not null,
    outputs numeric[] not null,
    primary key (modality, provider, model)
  )`,
  // The snapshot of the outbox up to which calls are counted. It is updated in the same transaction as the totals.
  `create table usage_total_position (
    only_row boolean primary key default true check (only_row),
    seen pg_snapshot not null default '3:3:',
    since timestamptz not null default now()
  )`,
  'insert into usage_total_position default values',
  // One entry for each batch of settlements.
  `create table outbox (
    seq bigint generated always as identity primary key,
    xid xid8 not null default pg_current_xact_id(),
    generation_ids uuid[] not null,
    times timestamptz[] not null
  )`,
  'create index outbox_order on outbox (xid, seq)',
  // Gives each call of an entry its own number. A batch has at most 256 calls.
  `create view outbox_call as
    select o.xid, o.seq * 1024 + c.place as seq, c.generation_id, c.created_at
    from outbox o cross join lateral unnest(o.generation_ids, o.times) with ordinality
      as c(generation_id, created_at, place)`,
  // A new epoch makes every follower of the outbox rebuild its store. Entries of transactions before trimmed_to may
  // have been deleted. mark_xid was the oldest open transaction at mark_at. The next trimming ends at mark_xid, so that
  // every entry exists for at least the time between two trimmings.
  `create table usage_feed (
    only_row boolean primary key default true check (only_row),
    epoch uuid not null default gen_random_uuid(),
    trimmed_to xid8 not null default '0',
    mark_xid xid8 not null default '0',
    mark_at timestamptz not null default now()
  )`,
  'insert into usage_feed default values',
];
