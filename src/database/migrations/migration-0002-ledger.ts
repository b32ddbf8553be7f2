import { Migration } from '@mikro-orm/migrations';

/** The ledger (sealed to billing) and the usage records. No foreign key points at `generation`: partitions are dropped. */
export class Migration0002Ledger extends Migration {
  override up(): void {
    this.addSql(`create table account_balance (
      account_no int primary key,
      granted bigint not null default 0,
      spent bigint not null default 0 check (spent >= 0),
      reserved bigint not null default 0 check (reserved >= 0),
      unknown_outcomes bigint not null default 0
    ) with (fillfactor = 50)`);
    this.addSql(`create table key_balance (
      key_no int primary key,
      reserved bigint not null default 0 check (reserved >= 0),
      usage bigint not null default 0 check (usage >= 0),
      usage_day bigint not null default 0,
      usage_week bigint not null default 0,
      usage_month bigint not null default 0,
      byok_usage bigint not null default 0 check (byok_usage >= 0),
      byok_usage_day bigint not null default 0,
      byok_usage_week bigint not null default 0,
      byok_usage_month bigint not null default 0,
      day_start date not null default '-infinity',
      week_start date not null default '-infinity',
      month_start date not null default '-infinity',
      last_used_at timestamptz
    ) with (fillfactor = 50)`);
    // Every account and key has a balance from its first moment, whoever creates it.
    this.addSql(`create function open_account_balance() returns trigger language plpgsql as $$
      begin insert into account_balance (account_no) values (new.no); return null; end $$`);
    this.addSql(
      `create trigger open_account_balance after insert on "account" for each row execute function open_account_balance()`,
    );
    this.addSql(`create function open_key_balance() returns trigger language plpgsql as $$
      begin insert into key_balance (key_no) values (new.no); return null; end $$`);
    this.addSql(
      `create trigger open_key_balance after insert on "api_key" for each row execute function open_key_balance()`,
    );
    this.addSql(`create table reservation (
      id uuid primary key,
      generation_id uuid not null,
      account_no int not null,
      key_no int not null,
      account_amount bigint not null check (account_amount >= 0),
      key_amount bigint not null check (key_amount >= 0),
      created_at timestamptz not null,
      deadline timestamptz not null,
      state text not null check (state in ('reserved', 'settled', 'released'))
    )`);
    this.addSql(`create index reservation_open on reservation (deadline) where state = 'reserved'`);
    this.addSql(`create index reservation_closed on reservation (created_at) where state <> 'reserved'`);
    this.addSql(`create table usage_label (
      id int generated always as identity primary key,
      kind smallint not null,
      value text not null,
      unique (kind, value)
    )`);
    this.addSql(`create table generation (
      id uuid not null,
      created_at timestamptz not null,
      cost bigint not null,
      upstream_cost bigint not null,
      account_no int not null,
      workspace_no int not null,
      key_no int not null,
      model int not null,
      provider int not null,
      external_user int,
      app int,
      origin int,
      finish_reason int,
      tokens_prompt int not null,
      tokens_completion int not null,
      tokens_reasoning int not null,
      tokens_cached int not null,
      characters int not null,
      latency_ms int not null,
      duration_ms int not null,
      status smallint not null,
      images smallint not null,
      modality smallint not null,
      is_byok boolean not null,
      streamed boolean not null,
      synthetic boolean not null,
      primary key (id, created_at)
    ) partition by range (created_at)`);
    // Catches what no day's partition takes, so that a settlement can never fail for want of one.
    this.addSql(`create table generation_default partition of generation default`);
    this.addSql(`create table ledger_entry (
      id bigint generated always as identity primary key,
      account_no int not null,
      key_no int,
      kind text not null check (kind in ('generation', 'grant', 'refund', 'correction')),
      amount bigint not null,
      generation_id uuid,
      idempotency_id text,
      reason text,
      created_at timestamptz not null
    )`);
    this.addSql(
      `create unique index ledger_entry_idempotency on ledger_entry (account_no, idempotency_id) where idempotency_id is not null`,
    );
    this.addSql(`create index ledger_entry_account on ledger_entry (account_no, created_at)`);
    this.addSql(`create table outbox (
      seq bigint generated always as identity primary key,
      xid xid8 not null default pg_current_xact_id(),
      generation_id uuid not null,
      created_at timestamptz not null
    )`);
    this.addSql(`create index outbox_order on outbox (xid, seq)`);
  }
}
