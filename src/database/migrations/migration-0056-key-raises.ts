import { Migration } from '@mikro-orm/migrations';

/** The limit of a key can be raised for a time, like the limit of a budget. */
const STATEMENTS: readonly string[] = [
  `alter table api_key add column raise_nano bigint not null default 0 check (raise_nano >= 0),
    add column raise_until timestamptz`,
  'create index api_key_raise on api_key (raise_until) where raise_until is not null',
  `create function api_key_raised_event() returns trigger language plpgsql as $$
  begin
    insert into event (account_no, type, data)
      select a.no, 'key.limit.raised', event_key(new) || jsonb_build_object('amount', event_usd(new.raise_nano),
        'limit', event_usd(new.limit_nano), 'until', new.raise_until)
      from account a where a.id = new.account_id;
    return null;
  end $$`,
  `create trigger api_key_raised after update of raise_nano, raise_until on api_key
    for each row when (new.raise_until is not null
      and (new.raise_nano, new.raise_until) is distinct from (old.raise_nano, old.raise_until))
    execute function api_key_raised_event()`,
];

export class Migration0056KeyRaises extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
