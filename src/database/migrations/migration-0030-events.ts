import { Migration } from '@mikro-orm/migrations';
import { EVENT_TRIGGERS } from './event-triggers.sql.js';

/**
 * What happened in an account, written in the transaction that caused it. `once`: what may happen only once; the unique
 * index makes repetitions do nothing.
 */
const EVENT = `create table event (
    id uuid primary key default gen_random_uuid(),
    account_no int not null,
    type text not null,
    data jsonb not null,
    once text,
    created_at timestamptz not null default clock_timestamp()
  )`;

/** Secrets are sealed under the webhook's own data key. The previous secret also signs until previous_until. */
const WEBHOOK = `create table webhook (
    id uuid primary key,
    account_id uuid not null,
    account_no int not null,
    url text not null,
    format text not null check (format in ('standard', 'otlp')),
    events text[] not null,
    data_key_id uuid not null,
    sealed bytea not null,
    sealed_previous bytea,
    previous_until timestamptz,
    sealed_headers bytea,
    disabled_at timestamptz,
    disabled_by text check (disabled_by in ('owner', 'service')),
    failing_since timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz
  )`;

/** One event to one webhook. next_at is null once no further attempt follows; leases end by the database's clock. */
const DELIVERY = `create table webhook_delivery (
    id uuid primary key default gen_random_uuid(),
    webhook_id uuid not null,
    event_id uuid not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
    attempts int not null default 0,
    next_at timestamptz default '-infinity',
    lease_until timestamptz,
    first_attempt_at timestamptz,
    last_attempt_at timestamptz,
    last_status smallint,
    last_error text,
    created_at timestamptz not null default clock_timestamp()
  )`;

/** Endpoints that a replica found unhealthy, so that several replicas write one event. */
const OUTAGE = `create table endpoint_outage (
    endpoint text primary key,
    token uuid not null,
    seen_at timestamptz not null default clock_timestamp()
  )`;

/** The remaining credits below which `credits.low` is written, in nano-dollars; a setting of the service. */
const SETTING = `create table event_setting (
    only_row boolean primary key default true check (only_row),
    credits_low bigint not null
  )`;

/**
 * How far the export of records has read the outbox: all that was visible in `seen`, and of what is visible in
 * `target` that before (xid, seq). Null = no webhook wants records.
 */
const EXPORT = `create table export_position (
    only_row boolean primary key default true check (only_row),
    seen pg_snapshot,
    target pg_snapshot,
    xid xid8 not null default '0',
    seq bigint not null default 0,
    read_at timestamptz not null default clock_timestamp()
  )`;

/** Events, webhooks and their deliveries. */
export class Migration0030Events extends Migration {
  override up(): void {
    for (const table of [EVENT, WEBHOOK, DELIVERY, OUTAGE, SETTING, EXPORT]) this.addSql(table);
    this.addSql('create unique index event_once on event (type, once) where once is not null');
    this.addSql('create index event_created_at on event (created_at)');
    this.addSql('create index webhook_account on webhook (account_no, id)');
    this.addSql(
      'create index webhook_delivery_due on webhook_delivery (webhook_id, next_at) where next_at is not null',
    );
    this.addSql('create index webhook_delivery_log on webhook_delivery (webhook_id, created_at desc, id)');
    this.addSql('create index webhook_delivery_created_at on webhook_delivery (created_at)');
    this.addSql('create index webhook_delivery_event on webhook_delivery (event_id)');
    this.addSql('insert into event_setting (credits_low) values (5000000000)');
    this.addSql('insert into export_position default values');
    this.addSql('alter table account_balance add column low_at bigint not null default 5000000000');
    // What a key may ever spend before a threshold of its limit can be reached.
    this.addSql('alter table key_balance add column alert_at bigint not null default 0');
    for (const statement of EVENT_TRIGGERS) this.addSql(statement);
  }
}
