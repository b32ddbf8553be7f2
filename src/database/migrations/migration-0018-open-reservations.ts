import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps the price of a batch the same however long a service has been under load. The index of the open reservations holds an
 * entry of each that was closed since the last vacuum; a plan made while it was small looked there for the reservations of a
 * batch, read all of it, and went on to as it grew. The index now has a condition that only the sweeper's question implies.
 */
export class Migration0018OpenReservations extends Migration {
  override up(): void {
    this.addSql('drop index reservation_open');
    this.addSql(
      `create index reservation_open on reservation (deadline) where state = 'reserved' and deadline > '-infinity'`,
    );
    this.addSql(SWEEP);
  }
}

/** As in migration 0003, but for the condition of the index. Releases reservations whose lease ran out, at most p_limit, and counts them as calls of unknown outcome. */
const SWEEP = `create or replace function ledger_sweep(p_now timestamptz, p_limit int) returns int language plpgsql as $$
declare
  ids uuid[]; swept int;
begin
  select array_agg(o.id) into ids from (
    select v.id from reservation v where v.state = 'reserved' and v.deadline > '-infinity' and v.deadline < p_now order by v.deadline limit p_limit) o;
  if ids is null then return 0; end if;
  perform ledger_lock(
    (select array_agg(distinct v.account_no) from reservation v where v.id = any(ids)),
    (select array_agg(distinct v.key_no) from reservation v where v.id = any(ids)));
  with closed as (
    update reservation v set state = 'released'
    where v.id = any(ids) and v.state = 'reserved' and v.deadline < p_now
    returning v.account_no, v.key_no, v.account_amount, v.key_amount
  ), accounts as (
    update account_balance b set reserved = b.reserved - t.freed, unknown_outcomes = b.unknown_outcomes + t.calls
    from (select c.account_no, sum(c.account_amount)::bigint as freed, count(*) as calls from closed c group by 1) t
    where b.account_no = t.account_no
  ), keys as (
    update key_balance b set reserved = b.reserved - t.freed
    from (select c.key_no, sum(c.key_amount)::bigint as freed from closed c group by 1) t where b.key_no = t.key_no
  )
  select count(*) into swept from closed;
  return swept;
end $$`;
