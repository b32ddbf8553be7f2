import { recordCalls } from '../../../test/support/calls/recorded-calls.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql, type SqlSession, type TransactionOptions } from '../../database/sql.js';
import { PostgresModelTrafficDriver } from './postgres-model-traffic.driver.js';

const CALLS = 5_000;
const MAX_CALLS = 100;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const readOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

describe('the statistics of recorded calls', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 1);
    await sql.query(`insert into usage_label (kind, value) values (1, 'model'), (2, 'vendor')`);
    const now = Date.now();
    await recordCalls(
      sql,
      Array.from({ length: CALLS }, (_, at) => ({
        created_at: new Date(now - (at + 1) * 1_000),
        account_no: at % 5,
        model: 1,
        provider: 2,
      })),
    );
    await sql.query(
      `insert into generation_detail (account_no, id, created_at, cancelled, usage_estimated, categories)
       select account_no, id, created_at, false, false, 'a, b' from generation`,
    );
    await sql.query('analyze generation');
    await sql.query('analyze generation_detail');
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  /** The plans of the driver's statements, run with a smaller limit of calls. */
  const plansOf = async (): Promise<PlanNode[]> => {
    const plans: PlanNode[] = [];
    const explained = (session: SqlSession): SqlSession => ({
      query: async (text, params = []) => {
        if (!text.includes('with recent')) return session.query(text, params);
        const [row] = await session.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `explain (analyze, format json) ${text}`,
          params.map((value, at) => (at === 2 ? MAX_CALLS : value)),
        );
        plans.push(row!['QUERY PLAN'][0]!.Plan);
        return [];
      },
    });
    const watched = {
      transaction: <T>(work: (session: SqlSession) => Promise<T>, options: TransactionOptions) =>
        sql.transaction((session) => work(explained(session)), options),
    } as unknown as Sql;
    await new PostgresModelTrafficDriver(watched).read(new Date());
    return plans;
  };

  it('read only the newest calls, for any number of calls in the week', async () => {
    const plans = await plansOf();
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      const nodes = nodesOf(plan).filter((node) => node['Relation Name']?.startsWith('generation'));
      expect(nodes.length).toBeGreaterThan(0);
      expect(nodes.reduce((sum, node) => sum + readOf(node), 0)).toBeLessThanOrEqual(3 * MAX_CALLS);
    }
  });

  it('contain the categories on which three accounts agree', async () => {
    expect((await new PostgresModelTrafficDriver(sql).read(new Date())).get('model')).toMatchObject({
      requests: CALLS,
      categories: ['a', 'b'],
    });
  });
});
