import { Migration } from '@mikro-orm/migrations';

/** Spending limits for the sessions of keys, and tags of recorded calls. */
const STATEMENTS: readonly string[] = [
  'alter table generation_detail add column tags text[]',
  // session_key_no: the budget has a balance for each session of this key. /budgets does not show such a budget. Its
  // limit is the session limit in the key's settings, otherwise the maximum amount. limited_by_calls: calls have set
  // limits for their sessions.
  `alter table budget add column session_key_no int unique,
    add column limited_by_calls boolean not null default false`,
  'drop index budget_scope',
  `create unique index budget_scope on budget (account_no, scope, coalesce(each, ''), coalesce(reset, 'lifetime'))
    where deleted_at is null and session_key_no is null`,
  // limit_nano: the lowest limit that calls of the session have set; null = none. used_at: the time of the last call of
  // the session.
  'alter table budget_balance add column limit_nano bigint, add column used_at timestamptz',
  // Services do not keep the budgets of sessions in memory.
  `create or replace function budget_changed() returns trigger language plpgsql as $$
  begin
    if coalesce(new.session_key_no, old.session_key_no) is null then
      update budget_version set version = version + 1;
      perform pg_notify('budget_changed', '');
    end if;
    return null;
  end $$`,
  'drop trigger budget_changed on budget',
  `create trigger budget_changed after insert or delete
    or update of limit_nano, counts_byok, is_soft, raise_nano, raise_until, name, deleted_at on budget
    for each row execute function budget_changed()`,
  'alter table api_key add column session_limit_nano bigint check (session_limit_nano > 0)',
  // Creates the budget of a key's sessions, or updates it from the key's settings; returns its number. If calls set
  // limits, services that have the key in memory read the key again.
  `create function set_session_budget(p_key int, p_by_calls boolean) returns int language plpgsql as $$
  declare
    found_no int;
  begin
    insert into budget (id, account_no, scope, each, level, rank, limit_nano, counts_byok, session_key_no,
        limited_by_calls, created_at)
      select gen_random_uuid(), a.no, jsonb_build_object('key', k.no), 'session', 'session', 4,
        coalesce(k.session_limit_nano, 9223372036854775807), k.include_byok_in_limit, k.no, p_by_calls,
        clock_timestamp()
      from (select * from api_key where no = p_key for share) k join account a on a.id = k.account_id
      on conflict (session_key_no) do update set limit_nano = excluded.limit_nano, counts_byok = excluded.counts_byok,
        limited_by_calls = budget.limited_by_calls or p_by_calls
      returning no into found_no;
    if p_by_calls then
      perform pg_notify('api_key_changed', c.hash) from (
        select hash from api_key where no = p_key or parent_no = p_key
        union all select hash from key_alias where key_no = p_key) c;
    end if;
    return found_no;
  end $$`,
  `create function api_key_session_budget() returns trigger language plpgsql as $$
  begin
    if new.session_limit_nano is not null or exists (select from budget where session_key_no = new.no) then
      perform set_session_budget(new.no, false);
    end if;
    return null;
  end $$`,
  `create trigger api_key_session_budget after insert or update of session_limit_nano, include_byok_in_limit on api_key
    for each row execute function api_key_session_budget()`,
];

export class Migration0051SessionsAndTags extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
