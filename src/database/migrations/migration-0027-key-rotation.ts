import { Migration } from '@mikro-orm/migrations';

/**
 * Notifies every replica of each hash that finds the key: its own, the one that it had before, former ones, and those
 * of intern keys with this parent key.
 */
const CHANGED = `create or replace function api_key_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('api_key_changed', coalesce(new.hash, old.hash));
    if tg_op = 'UPDATE' then
      if new.hash <> old.hash then
        perform pg_notify('api_key_changed', old.hash);
        update byok_credential
          set allowed_api_key_hashes = array_replace(allowed_api_key_hashes, old.hash::text, new.hash::text)
          where account_id = new.account_id and old.hash::text = any (allowed_api_key_hashes);
      end if;
    end if;
    perform pg_notify('api_key_changed', former.hash)
      from key_alias former where former.key_no = coalesce(new.no, old.no);
    perform pg_notify('api_key_changed', child.hash)
      from api_key child
      where child.parent_no = coalesce(new.no, old.no) and child.deleted_at is null;
    return null;
  end $$`;

/** The settings of keys, and the hashes that keys had before their secrets were rotated. */
export class Migration0027KeyRotation extends Migration {
  override up(): void {
    this.addSql('alter table api_key add column allowed_models text[]');
    this.addSql('alter table api_key add column requests_per_minute int');
    this.addSql('alter table api_key add column export_content boolean not null default false');
    this.addSql(`create table key_alias (
      hash character(64) primary key,
      key_no int not null,
      rotated_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`);
    this.addSql('create index key_alias_key_no on key_alias (key_no)');
    this.addSql('create index key_alias_rotated_at on key_alias (rotated_at)');
    this.addSql(CHANGED);
    // The calls of a session are listed by it.
    this.addSql(`create index generation_detail_session on generation_detail (session_id, created_at)
      where session_id is not null`);
    // What a text call was billed by, line by line.
    this.addSql('alter table generation_detail add column price_lines jsonb');
    // Entries other than those of calls, which are few. Settlements do not write it.
    this.addSql(
      `create index ledger_entry_changes on ledger_entry (account_no, created_at) where kind <> 'generation'`,
    );
  }
}
