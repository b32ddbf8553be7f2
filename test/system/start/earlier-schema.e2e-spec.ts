import { Migration } from '@mikro-orm/migrations';
import { LEDGER_SQL } from '../../../src/billing/ledger-sql.js';
import { migrate } from '../../../src/database/migrate.js';
import { MIGRATIONS } from '../../../src/database/migrations/migrations.js';
import { Sql } from '../../../src/database/sql.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { contentOf } from '../../support/database/database-content.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { operate } from '../../support/services/operator-line.js';
import { SetClock, startTestService } from '../../support/services/test-service.js';

const MASTER_KEY = 'a1'.repeat(32);
/**
 * The first backup was created by `operator backup` of commit be1e367, with its built-in models. It contains four
 * speech calls and one text call, a key with a limit, a grant, a workspace and a credential. Keys and master key are
 * test values. The second backup was created by 4ff5969 after the first one had been restored there.
 */
const BACKUPS = ['be1e367', '4ff5969'];
const DAY = '2026-11-27T02:12:00Z';
const API_KEY = `sk-or-v1-${'1'.repeat(64)}`;
const MANAGEMENT_KEY = `sk-or-v1-${'2'.repeat(64)}`;

let database: TestDatabase;
let sql: Sql;
afterEach(async () => {
  await sql.close();
  await database.drop();
});

describe('a database of an earlier schema', () => {
  beforeEach(async () => {
    database = await createEmptyDatabase();
    sql = new Sql(database.url, 2);
    await sql.query('create table migration (id serial primary key, name text, executed_at timestamptz default now())');
  });

  it.each([['0014-ledger-plans'], ['0037-records-are-entries'], ['0038-baseline']])(
    'is refused in one line that names backup and restore, and is not changed (%s)',
    async (last) => {
      await sql.query('insert into migration (name) values ($1), ($2)', ['0001-accounts', last]);
      const before = await contentOf(sql);
      const refusal = migrate(database.url, LEDGER_SQL);

      await expect(refusal).rejects.toThrow(`its last migration is ${last}`);
      await expect(refusal).rejects.toThrow(/^[^\n]*`operator backup`[^\n]*`operator restore`[^\n]*$/);
      expect(await contentOf(sql)).toEqual(before);
    },
  );
});

describe('a database of this schema', () => {
  beforeEach(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
  });

  it('accepts later migrations, and is then refused by a version without them', async () => {
    class Later extends Migration {
      override up(): void {
        this.addSql('alter table account add column later int');
      }
    }
    MIGRATIONS.push({ name: '9000-later', class: Later });
    try {
      await migrate(database.url, LEDGER_SQL);
      expect(await sql.query('select name from migration order by id')).toEqual(
        MIGRATIONS.map(({ name }) => ({ name })),
      );
    } finally {
      MIGRATIONS.pop();
    }
    await expect(migrate(database.url, LEDGER_SQL)).rejects.toThrow(/newer version .* it has migration 9000-later/);
  });

  it.each(BACKUPS)(
    'accepts a backup of %s: balances and entries are equal, secrets can be opened, calls are billed',
    async (by) => {
      const file = `test/fixtures/${by}/backup.gz`;
      const { error } = await operate(database.url, { DATABASE_URL: database.url, MASTER_KEY }, 'restore', file);
      expect(error).toBeUndefined();
      const books = await readBooks(sql);
      expectBalanced(books);
      expect(books).toMatchObject({ accountSpent: 75_000n, accountReserved: 0n, openReservations: 0n });
      expect(await sql.query(`select count(*)::int as n from ledger_entry where kind = 'generation'`)).toEqual([
        { n: 0 },
      ]);
      expect(
        await sql.query(
          `select count(*)::int as details,
           count(*) filter (where exists (
             select from generation g where g.account_no = d.account_no and g.id = d.id))::int as of_calls
         from generation_detail d`,
        ),
      ).toEqual([{ details: 1, of_calls: 1 }]);
      expect(
        await sql.query(
          `select table_name from information_schema.columns
           where column_name = 'account_no' and column_default is not null`,
        ),
      ).toEqual([]);

      const service = await startTestService({
        databaseUrl: database.url,
        clock: new SetClock(new Date(DAY)),
        env: { INTERN_RUNTIME: 'none', MASTER_KEY },
      });
      try {
        const management = service.as(MANAGEMENT_KEY);
        expect((await management.get('/credits')).json.data).toEqual({ total_credits: 107, total_usage: 0.000075 });
        const { data, balance } = (await management.get('/ledger')).json;
        expect(data.map(({ amount }: { amount: number }) => amount)).toEqual([
          7, -0.000012, -0.000039, -0.000013, -0.000011, 100,
        ]);
        expect(balance).toBe(106.999925);
        const { data: keys } = (await management.get('/keys')).json;
        expect(keys.find(({ name }: { name: string }) => name === 'Limited')).toMatchObject({
          usage: 0.000012,
          usage_daily: 0.000012,
          limit_remaining: 4.999988,
        });
        const spoken = await service.as(API_KEY).post('/audio/speech', {
          json: { model: 'builtin/flite', voice: 'slt', input: 'One more' },
        });
        expect(spoken.status).toBe(200);
        expect((await management.get('/credits')).json.data.total_usage).toBe(0.000083);
      } finally {
        await service.stop();
      }
      expectBalanced(await readBooks(sql));
    },
  );
});
