import { Migration } from '@mikro-orm/migrations';

/** Also the sessions that were opened with a former secret of the key: enabling the key again must not revive them. */
const KEY_STOPPED = `create or replace function end_sessions_of_key() returns trigger language plpgsql as $$
  begin
    delete from console_session where opened_by = 'key' and main_key_hash in (
      select new.hash union all select former.hash from key_alias former where former.key_no = new.no);
    return null;
  end $$`;

/**
 * As before, without the hashes that expired long ago: a key that was rotated many times would otherwise send as many
 * notifications with each change. A margin of a day, because services have clocks of their own.
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
      from key_alias former
      where former.key_no = coalesce(new.no, old.no) and former.expires_at > now() - interval '1 day';
    perform pg_notify('api_key_changed', child.hash)
      from api_key child
      where child.parent_no = coalesce(new.no, old.no) and child.deleted_at is null;
    return null;
  end $$`;

export class Migration0033SessionsOfRotatedKeys extends Migration {
  override up(): void {
    this.addSql(KEY_STOPPED);
    this.addSql(CHANGED);
  }
}
