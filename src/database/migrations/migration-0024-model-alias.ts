import { Migration } from '@mikro-orm/migrations';

const CHANGED = `create or replace function model_alias_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('model_alias_changed', '');
    return null;
  end $$`;

/** Names of models that the operator sets. Every replica keeps all of them in memory. */
export class Migration0024ModelAlias extends Migration {
  override up(): void {
    this.addSql('create table model_alias (name text primary key, model text not null, set_at timestamptz not null)');
    this.addSql(CHANGED);
    this.addSql(`create trigger model_alias_changed after insert or update or delete on model_alias
      for each statement execute function model_alias_changed()`);
  }
}
