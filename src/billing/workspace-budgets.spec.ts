import { eventually } from '../../test/support/eventually.js';
import { insertAccount } from '../../test/support/database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/database/test-database.js';
import { insertBudget } from '../../test/support/money/budget-rows.js';
import { Sql } from '../database/sql.js';
import { SystemClock } from '../kernel/clock.js';
import { WorkspaceBudgets } from './workspace-budgets.js';

describe('the budgets of a workspace', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  it('are not deleted twice if two requests delete a budget at the same time', async () => {
    const { no } = await insertAccount(sql, { granted: 0 });
    await insertBudget(sql, no, { scope: { workspace: 7 }, interval: 'daily', limit: 1n });
    const budgets = new WorkspaceBudgets(sql, new SystemClock());
    const waiting = (): Promise<object[]> =>
      sql.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    let deletions = 0;
    const deleteBudget = (inTransaction: () => Promise<void>): Promise<void> =>
      budgets.delete({ accountNo: no, workspaceNo: 7 }, 'daily', () => (deletions++, inTransaction()));
    const first = deleteBudget(async () => {
      begin();
      await eventually(async () => expect(await waiting()).toHaveLength(1));
    });
    await hasBegun;
    await Promise.all([first, deleteBudget(async () => undefined)]);

    expect(deletions).toBe(1);
  });
});
