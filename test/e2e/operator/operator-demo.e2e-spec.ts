import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { eventually } from '../../support/eventually.js';
import { budgetSums } from '../../support/money/budget-rows.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { operate, type OperatorResult } from '../../support/services/operator-line.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { temporaryRoot } from '../../support/temporary-folder.js';

const CALLS = 900;
const MASTER_KEY = 'a1'.repeat(32);

/** The keys whose balances differ from the sums of their records. */
const wrongKeys = ({ sql }: TestService): Promise<object[]> =>
  sql.query(
    `select k.name from api_key k
       join key_balance b on b.key_no = k.no
       left join lateral (
         select coalesce(sum(g.cost), 0)::bigint as cost,
           coalesce(sum(g.upstream_cost) filter (where g.is_byok), 0)::bigint as own
         from generation g where g.key_no = k.no) g on true
     where b.usage <> g.cost or b.byok_usage <> g.own or b.reserved <> 0`,
  );

describe('the demo data', () => {
  let database: TestDatabase;
  let service: TestService;
  let folder: string;
  let filled: OperatorResult;
  const demo = (url: string, ...words: string[]): Promise<OperatorResult> => demoIn(folder, url, ...words);
  const demoIn = (folder: string, url: string, ...words: string[]): Promise<OperatorResult> =>
    operate(url, { DATABASE_URL: url, DATA_DIR: folder, MASTER_KEY }, 'demo', '--json', ...words);

  beforeAll(async () => {
    folder = await mkdtemp(join(temporaryRoot(), 'demo-'));
    database = await createTestDatabase();
    filled = await demo(database.url, '--calls', String(CALLS));
    expect(filled.error).toBeUndefined();
    service = await startTestService({ databaseUrl: database.url, env: { RATE_LIMIT_ANALYTICS: 'off' } });
  }, 120_000);
  afterAll(async () => {
    await service?.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const range = (): object => ({
    start: new Date(Date.now() - 32 * 86_400_000).toISOString(),
    end: new Date(Date.now() + 3_600_000).toISOString(),
  });

  it('consists of the calls of a month, each in the partition of its day', async () => {
    const [result] = filled.lines.map((line) => JSON.parse(line) as { calls: number; spent_usd: number });
    const [stored] = await service.sql.query<{ calls: number; days: number; lost: number; cost: string; late: number }>(
      `select count(*)::int as calls, count(distinct created_at::date)::int as days,
         (count(*) filter (where tableoid = 'generation_default'::regclass or synthetic))::int as lost,
         sum(cost)::text as cost, (count(*) filter (where created_at > now()))::int as late
       from generation`,
    );
    expect(stored).toMatchObject({ calls: result!.calls, lost: 0, late: 0 });
    expect(stored!.days).toBeGreaterThan(28);
    expect(Number(stored!.cost)).toBe(Math.round(result!.spent_usd * 1e9));
    expect(Math.abs(result!.calls - CALLS)).toBeLessThan(20);
    expect(filled.notes.at(-1)).toMatch(/^100 % of \d+ calls$/);
  });

  it('has balances that equal the costs of its records, and no reservations', async () => {
    const books = await readBooks(service.sql);
    expectBalanced(books);
    expect(books.openReservations).toBe(0n);
    expect(await wrongKeys(service)).toEqual([]);
    const [credits] = await service.sql.query<{ granted: bigint; entries: bigint }>(
      `select sum(granted)::bigint as granted,
         (select sum(amount)::bigint from ledger_entry where kind = 'grant') as entries from account_balance`,
    );
    expect(credits!.granted).toBe(credits!.entries);
  });

  it('has budgets whose balances are the sums of their records, and one budget above 80 %', async () => {
    const budgets = await service.sql.query<{ no: number; name: string; scope: { workspace?: number }; limit: bigint }>(
      'select no, name, scope, limit_nano as limit from budget where deleted_at is null',
    );
    expect(budgets.length).toBeGreaterThan(3);
    for (const { no, scope } of budgets) {
      const [records] = await service.sql.query<{ cost: bigint }>(
        `select coalesce(sum(cost), 0)::bigint as cost from generation where $1::int is null or workspace_no = $1`,
        [scope.workspace ?? null],
      );
      expect(await budgetSums(service.sql, no)).toMatchObject({ spent: records!.cost, reserved: 0n });
    }
    const pilot = budgets.find(({ name }) => name === 'Research pilot')!;
    const { spent } = await budgetSums(service.sql, pilot.no);
    expect(Number(spent) / Number(pilot.limit)).toBeGreaterThan(0.8);
    expect(spent).toBeLessThan(pilot.limit);
  });

  it('has one key near its limit, and one key with calls on own credentials (BYOK)', async () => {
    const [limited] = await service.sql.query<{ hash: string }>(
      'select hash from api_key where limit_nano is not null',
    );
    const { json } = await service.management.get(`/keys/${limited!.hash}`);
    expect(json.data.usage / json.data.limit).toBeGreaterThan(0.88);
    expect(json.data.limit_remaining).toBeGreaterThan(0);
    const [own] = await service.sql.query<{ keys: bigint }>(
      'select count(*) as keys from key_balance where byok_usage > 0',
    );
    expect(own!.keys).toBe(1n);
  });

  it('has the same sums in the records and in the analytics copy', async () => {
    const query = async (): Promise<{ warnings?: unknown; data: Record<string, number>[] }> =>
      (
        await service.management.post('/analytics/query', {
          json: { time_range: range(), metrics: ['request_count', 'total_usage', 'tokens_total'] },
        })
      ).json.data;
    // A response without a warning comes from the columnar copy.
    await eventually(async () => expect((await query()).warnings).toBeUndefined(), 25_000);
    const [sums] = (await query()).data;
    let [count, cost] = [0, 0];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/generations?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { json } = (await service.management.get(path)) as {
        json: { data: { total_cost: number }[]; next_cursor?: string | null };
      };
      count += json.data.length;
      cost += json.data.reduce((sum, call) => sum + Math.round(call.total_cost * 1e9), 0);
      cursor = json.next_cursor ?? null;
    }
    expect({ count, cost }).toEqual({ count: sums!['request_count'], cost: Math.round(sums!['total_usage']! * 1e9) });
  });

  it('cannot be created a second time', async () => {
    const before = await readBooks(service.sql);
    expect((await demo(database.url)).error).toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('This database has calls'),
    });
    expect(await readBooks(service.sql)).toEqual(before);
  });

  it('cannot be created in a database with one call, which stays unchanged', async () => {
    const used = await startTestService();
    try {
      await used.standard.post('/chat/completions', {
        json: { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] },
      });
      const keys = async (): Promise<unknown> => used.sql.query('select count(*) from api_key');
      const before = await keys();
      expect((await demo(used.databaseUrl)).error).toMatchObject({ kind: 'conflict' });
      expect(await keys()).toEqual(before);
    } finally {
      await used.stop();
    }
  });

  it('has the requested number of keys and people, and balances that equal the costs of its records', async () => {
    const large = await createTestDatabase();
    const place = await mkdtemp(join(temporaryRoot(), 'demo-'));
    const used = await demoIn(place, large.url, '--calls', '600', '--keys', '150', '--people', '40');
    expect(used.error).toBeUndefined();
    const filledService = await startTestService({ databaseUrl: large.url });
    try {
      const [counted] = await filledService.sql.query(
        `select count(*)::int as keys, count(distinct creator_user_id)::int as owners,
           (count(*) filter (where exists (select from generation g where g.key_no = k.no)))::int as calling,
           (select count(*)::int from generation) as calls,
           (select count(*)::int - 1 from member) as people
         from api_key k where name !~ '^Bootstrap'`,
      );
      expect(counted).toMatchObject({ keys: 150, people: 40 });
      const { calling, calls, owners } = counted as { calling: number; calls: number; owners: number };
      expect(calling).toBeGreaterThan(60);
      expect(owners).toBeGreaterThan(35);
      expect(Math.abs(calls - 600)).toBeLessThan(20);
      expectBalanced(await readBooks(filledService.sql));
      expect(await wrongKeys(filledService)).toEqual([]);
    } finally {
      await filledService.stop();
      await large.drop();
      await rm(place, { recursive: true, force: true });
    }
  }, 120_000);

  it.each(['--calls', '--keys', '--people'])('cannot be created if %s is not a number', async (option) => {
    expect((await demo(database.url, option, 'many')).error).toMatchObject({
      message: expect.stringContaining(`${option} must be a whole number`),
    });
  });

  it('includes files with the bootstrap keys, which are marked as not shown yet', async () => {
    expect((await readdir(folder)).toSorted()).toEqual(['api-key', 'keys-not-shown-yet', 'management-key']);
  });
});
