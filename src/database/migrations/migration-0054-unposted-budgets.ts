import { Migration } from '@mikro-orm/migrations';

/** A lease posts what its calls spend to its budgets at each renewal, instead of with each batch. */
const STATEMENTS: readonly string[] = [
  // Of a credit lease: what its settled calls have freed and spent since its budgets were posted.
  `alter table reservation add column unposted_freed bigint not null default 0,
    add column unposted_spent bigint not null default 0`,
];

export class Migration0054UnpostedBudgets extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
