import { Migration } from '@mikro-orm/migrations';

/**
 * A credit lease is a reservation of many calls: `lends_until` is the time until which its service may begin calls on
 * it (null = a reservation of one call), `open_calls` are those that its last renewal listed.
 */
export class Migration0036CreditLease extends Migration {
  override up(): void {
    this.addSql('alter table reservation add column lends_until timestamptz, add column open_calls jsonb');
    this.addSql(
      `create index reservation_lease on reservation (account_no) where state = 'reserved' and lends_until is not null`,
    );
    this.addSql(
      `create type ledger_lease_item as (
        r uuid, a int, k int, t timestamptz, da bigint, dk bigint, unit bigint, lends boolean, calls jsonb
      )`,
    );
    this.addSql(
      `create type ledger_leased_item as (
        r uuid, l uuid, a int, k int, t timestamptz, fa bigint, fk bigint, s boolean, c bigint, b bigint, again boolean
      )`,
    );
  }
}
