import { Migration } from '@mikro-orm/migrations';

/** Envelope encryption: the master keys by their ids (never the keys), and the data keys that they wrap. */
export class Migration0004Secrets extends Migration {
  override up(): void {
    this.addSql(`create table master_key (
      id text primary key,
      state text not null check (state in ('current', 'retiring', 'retired')),
      check_value bytea not null,
      created_at timestamptz not null
    )`);
    this.addSql(`create unique index master_key_one_current on master_key (state) where state = 'current'`);
    this.addSql(`create table data_key (
      id uuid primary key,
      master_key_id text not null references master_key (id),
      wrapped bytea not null,
      created_at timestamptz not null
    )`);
    this.addSql(`create index data_key_master_key_id_index on data_key (master_key_id)`);
    // Running services drop what they remember of a destroyed key, and read their key file again when the master key changes.
    this.addSql(`create function data_key_destroyed() returns trigger language plpgsql as $$
      begin perform pg_notify('data_key_destroyed', old.id::text); return null; end $$`);
    this.addSql(
      `create trigger data_key_destroyed after delete on data_key for each row execute function data_key_destroyed()`,
    );
    this.addSql(`create function master_key_changed() returns trigger language plpgsql as $$
      begin perform pg_notify('master_key_changed', ''); return null; end $$`);
    this.addSql(
      `create trigger master_key_changed after insert or update or delete on master_key for each statement execute function master_key_changed()`,
    );
  }
}
