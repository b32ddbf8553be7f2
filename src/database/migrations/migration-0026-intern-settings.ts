import { Migration } from '@mikro-orm/migrations';

/**
 * The settings of an intern, which its record does not have: the budget of its own key, the hosts that it may reach
 * beside those of its secrets, and the approval mode of its chats. A key whose hash changes is notified under both.
 */
export class Migration0026InternSettings extends Migration {
  override up(): void {
    this.addSql(`alter table intern
      add column limit_nano bigint,
      add column limit_reset text,
      add column allowed_hosts text[] not null default '{}',
      add column approval_mode text not null default 'self-drive'`);
    this.addSql(`create or replace function api_key_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('api_key_changed', coalesce(new.hash, old.hash));
        if old.hash <> new.hash then
          perform pg_notify('api_key_changed', old.hash);
        end if;
        perform pg_notify('api_key_changed', child.hash)
          from api_key child
          where child.parent_no = coalesce(new.no, old.no) and child.deleted_at is null;
        return null;
      end $$`);
  }
}
