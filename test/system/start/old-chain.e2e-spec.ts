import { Migration } from '@mikro-orm/migrations';
import { Client } from 'pg';
import { KeyDirectory } from '../../../src/auth/key-directory.js';
import { hashOfKey } from '../../../src/auth/key-secret.js';
import { LEDGER_SQL } from '../../../src/billing/ledger-sql.js';
import { migrate } from '../../../src/database/migrate.js';
import { MIGRATIONS } from '../../../src/database/migrations/migrations.js';
import { Sql } from '../../../src/database/sql.js';
import { CredentialDirectory } from '../../../src/secrets/credential-directory.js';
import { EffectiveSecrets, type Release } from '../../../src/vaults/effective-secrets.js';
import { makeKey } from '../../support/api/api-builders.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { contentOf } from '../../support/database/database-content.js';
import { createOldChainDatabase, OLD_BACKUP, OLD_DAY } from '../../support/database/old-chain.js';
import { operate } from '../../support/services/operator-line.js';
import { schemaText } from '../../support/api/schema-text.js';
import { speakOnce } from '../../support/money/speech-load.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { SetClock, startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const MASTER_KEY = 'a1'.repeat(32);
/** A call of the fixture holds this much while it is under way. */
const HELD = 1_000_000n;
/** Its other calls spoke 79 characters. */
const SPENT = 79_000n;

const valueOf = async (release: Promise<Release>): Promise<string> =>
  ((await release) as Extract<Release, { value: unknown }>).value.reveal();

let databases: TestDatabase[];
let sqls: Sql[];
const [FRESH, UPGRADED, RESTORED] = [0, 1, 2];
beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createOldChainDatabase(), createTestDatabase()]);
  sqls = databases.map(({ url }) => new Sql(url, 2));
  await migrate(databases[UPGRADED]!.url, LEDGER_SQL);
  const { url } = databases[RESTORED]!;
  const { error } = await operate(url, { DATABASE_URL: url, MASTER_KEY }, 'restore', OLD_BACKUP);
  if (error) throw error as Error;
}, 60_000);
afterAll(async () => {
  for (const sql of sqls) await sql.close();
  for (const database of databases) await database.drop();
});

describe('a database of the old chain', () => {
  it('has, once upgraded, the schema of a new database', async () => {
    const [fresh, upgraded] = await Promise.all([schemaText(sqls[FRESH]!), schemaText(sqls[UPGRADED]!)]);
    expect(fresh['columns']!.length).toBeGreaterThan(250);
    expect(upgraded).toEqual(fresh);
  });

  it('is upgraded once: it has the migrations of a new database, and a second start changes nothing', async () => {
    const before = await contentOf(sqls[UPGRADED]!);
    await migrate(databases[UPGRADED]!.url, LEDGER_SQL);
    expect(await contentOf(sqls[UPGRADED]!)).toEqual(before);
    expect(await sqls[UPGRADED]!.query('select name from migration')).toEqual(MIGRATIONS.map(({ name }) => ({ name })));
  });

  it('keeps every usage record in the partition of its day', async () => {
    const days = await sqls[UPGRADED]!.query(
      'select tableoid::regclass::text as day, count(*)::int as calls from generation group by 1 order by 1',
    );
    expect(days).toEqual([
      { day: 'generation_20261118', calls: 4 },
      { day: 'generation_20261119', calls: 5 },
    ]);
  });

  it('holds the same rows as a restored backup of it', async () => {
    const [upgraded, restored] = await Promise.all([contentOf(sqls[UPGRADED]!), contentOf(sqls[RESTORED]!)]);
    // The numbers of the migrations that were swapped.
    for (const content of [upgraded, restored])
      for (const name of ['migration', 'sequence migration_id_seq']) delete content[name];
    expect(restored).toEqual(upgraded);
  });

  it.each([
    ['all but the last', `delete from migration where name = '0018-open-reservations'`],
    ['one more', `insert into migration (name) values ('0019-billing-safety')`],
    ['another order', `update migration set id = 100 where name = '0001-accounts'`],
  ])('is refused in one line, and left as it is, with %s of its migrations', async (_, change) => {
    const database = await createOldChainDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(change);
      await expect(migrate(database.url, LEDGER_SQL)).rejects.toThrow(
        /^the database was made by a development version/,
      );
      expect((await client.query(`select to_regclass('billing_anomaly') as found`)).rows).toEqual([{ found: null }]);
    } finally {
      await client.end();
      await database.drop();
    }
  });

  it('goes on with the migrations after the baseline, and is then refused by a version without them', async () => {
    class Later extends Migration {
      override up(): void {
        this.addSql('alter table account add column later int');
      }
    }
    const database = await createOldChainDatabase();
    const sql = new Sql(database.url, 2);
    MIGRATIONS.push({ name: '9000-later', class: Later });
    try {
      await migrate(database.url, LEDGER_SQL);
      expect(await sql.query('select name from migration order by id')).toEqual(
        MIGRATIONS.map(({ name }) => ({ name })),
      );
      expect(await sql.query('select later from account')).toEqual([{ later: null }]);
      MIGRATIONS.pop();
      await expect(migrate(database.url, LEDGER_SQL)).rejects.toThrow(/newer version .* it has migration 9000-later/);
    } finally {
      if (MIGRATIONS.at(-1)!.class === Later) MIGRATIONS.pop();
      await sql.close();
      await database.drop();
    }
  });

  it('is left as it is where the upgrade fails half-way', async () => {
    const database = await createOldChainDatabase();
    const sql = new Sql(database.url, 2);
    try {
      // The upgrade adds a table of this name near its end.
      await sql.query('create table billing_anomaly (id int)');
      const before = await contentOf(sql);
      await expect(migrate(database.url, LEDGER_SQL)).rejects.toThrow('already exists');
      expect(await contentOf(sql)).toEqual(before);
      await sql.query('drop table billing_anomaly');
      await migrate(database.url, LEDGER_SQL);
      expect(await schemaText(sql)).toEqual(await schemaText(sqls[FRESH]!));
    } finally {
      await sql.close();
      await database.drop();
    }
  });
});

describe.each([
  ['an upgraded database', UPGRADED],
  ['a restored backup of it', RESTORED],
])('%s', (_, place) => {
  let service: TestService;
  let sql: Sql;
  beforeAll(() => {
    sql = sqls[place]!;
  });

  it('gives interns the oldest live key of their creator as parent, and a limit of 0 where there is none', async () => {
    const interns = await sql.query(
      `select i.name, parent.name as parent, k.deleted_at is null as live, k.limit_nano::int as limit,
         k.parent_no is not null as bound
       from intern i join api_key k on k.intern_id = i.id left join api_key parent on parent.no = i.creator_key_no
       order by i.name, k.no`,
    );
    expect(interns).toEqual([
      { name: 'helper', parent: 'anna 0', live: false, limit: null, bound: false },
      { name: 'helper', parent: 'anna 0', live: true, limit: null, bound: true },
      { name: 'orphan', parent: null, live: false, limit: null, bound: false },
      { name: 'orphan', parent: null, live: true, limit: 0, bound: false },
    ]);
  });

  it('has every balance, window and open reservation as it was', async () => {
    const books = await readBooks(sql);
    expectBalanced(books);
    expect(books).toMatchObject({ openReservations: 2n, openAmount: 2n * HELD, accountSpent: SPENT });
    const [limited] = await sql.query(
      `select b.usage, b.usage_day, b.usage_prev_day, b.usage_week, b.day_start::text, b.delegated, b.reserved
       from key_balance b join api_key k on k.no = b.key_no where k.name = 'Limited'`,
    );
    expect(limited).toEqual({
      usage: 34_000n,
      usage_day: 16_000n,
      usage_prev_day: 18_000n,
      usage_week: 34_000n,
      day_start: '2026-11-19',
      delegated: 0n,
      reserved: HELD,
    });
  });

  it('serves: keys authenticate, credits and limits are right, secrets open, calls are billed', async () => {
    service = await startTestService({
      databaseUrl: databases[place]!.url,
      clock: new SetClock(new Date(OLD_DAY)),
      env: { INTERN_RUNTIME: 'none' },
    });
    try {
      const credits = (await service.management.get('/credits')).json.data;
      expect(credits).toEqual({ total_credits: 107, total_usage: 0.000079 });
      const { data: keys } = (await service.management.get('/keys')).json as { data: { name: string }[] };
      expect(keys.find(({ name }) => name === 'Limited')).toMatchObject({
        usage: 0.000034,
        usage_daily: 0.000016,
        limit_remaining: 4.999984,
      });
      expect(keys.find(({ name }) => name.startsWith('Tab'))).toMatchObject({
        name: 'Tab\tand\nline \\. ünd \u{1F511}',
      });
      expect((await service.standard.get('/key')).status).toBe(200);
      const { principal } = (await service.app.get(KeyDirectory, { strict: false }).find(hashOfKey(TEST_API_KEY)))!;
      const credentials = service.app.get(CredentialDirectory, { strict: false });
      const [credential] = await credentials.forCall(principal, 'openai', 'any/model');
      expect((await credentials.open(credential!.id, principal)).reveal()).toBe('sk-own-credential-0123456789-AbCd');
      const secrets = service.app.get(EffectiveSecrets, { strict: false });
      const [intern] = await sql.query<{ id: string }>(`select id from intern where name = 'helper'`);
      expect(await valueOf(secrets.release(intern!.id, 'token', 'api.example.com'))).toBe('hunter2-of-the-vault');
      expect(await valueOf(secrets.release(intern!.id, 'of_workspace', 'b.example'))).toBe(
        'swordfish-of-the-workspace',
      );
      expect((await speakOnce(service.origin, TEST_API_KEY, 'after')).status).toBe(200);
      await makeKey(service.management, { name: 'After' });
    } finally {
      await service.stop();
    }
    expectBalanced(await readBooks(sql));
  }, 60_000);
});
