import { Migration } from '@mikro-orm/migrations';

/** A credit lease posts the spend of its calls to its budgets at each renewal, not with each batch of settlements. */
const STATEMENTS: readonly string[] = [
  // The amounts that the settled calls of a credit lease have freed and spent since the lease last posted them to its
  // budgets.
  `alter table reservation add column unposted_freed bigint not null default 0,
    add column unposted_spent bigint not null default 0`,
];

export class Migration0054UnpostedBudgets extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
