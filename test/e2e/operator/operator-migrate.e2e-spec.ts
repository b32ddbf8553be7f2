import { Client } from 'pg';
import { LEDGER_SQL } from '../../../src/billing/ledger-sql.js';
import { migrate } from '../../../src/database/migrate.js';
import { MIGRATIONS } from '../../../src/database/migrations/migrations.js';
import { queryOnce } from '../../support/database/query-once.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { eventually } from '../../support/eventually.js';
import { operate, type OperatorResult } from '../../support/services/operator-line.js';

const NAMES = MIGRATIONS.map(({ name }) => name);
const NEWEST = NAMES.at(-1)!;
const MIGRATION_LOCK = 7_246_011;

const migrateOn = ({ url }: TestDatabase, ...options: string[]): Promise<OperatorResult> =>
  operate(url, { DATABASE_URL: url, MIGRATE: 'off' }, 'migrate', ...options);

async function using(made: Promise<TestDatabase>, test: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await made;
  try {
    await test(database);
  } finally {
    await database.drop();
  }
}

describe('operator migrate', () => {
  it(
    'applies all migrations to a database without a schema, names each, and finds nothing to do afterwards',
    () =>
      using(createEmptyDatabase(), async (database) => {
        expect(await migrateOn(database)).toEqual({
          lines: [`Applied ${NAMES.length} migrations (${NAMES[0]} to ${NEWEST}).`],
          notes: NAMES.map((name) => `Applying ${name}`),
          error: undefined,
        });
        expect(await migrateOn(database)).toEqual({
          lines: [`Nothing to do: the database has the newest migration, ${NEWEST}.`],
          notes: [],
          error: undefined,
        });
      }),
    60_000,
  );

  it(
    'applies each migration once if a service migrates at the same time',
    () =>
      using(createEmptyDatabase(), async (database) => {
        const [run, { lines }] = await Promise.all([migrate(database.url, LEDGER_SQL), migrateOn(database, '--json')]);
        const { migrations, newest } = JSON.parse(lines[0]!) as { migrations: string[]; newest: string };
        expect([...run.migrations, ...migrations]).toEqual(NAMES);
        expect(newest).toBe(NEWEST);
      }),
    60_000,
  );

  it(
    'waits for the migration lock of another process, and reports it in one line',
    () =>
      using(createTestDatabase(), async (database) => {
        const holder = new Client({ connectionString: database.url, application_name: 'another-replica' });
        await holder.connect();
        await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
        const migrating = migrateOn(database);
        await eventually(async () => {
          const { rowCount } = await holder.query(
            `select from pg_stat_activity where datname = current_database()
             and application_name = 'gatehouse-migrate' and clock_timestamp() - xact_start > interval '2.5 seconds'`,
          );
          expect(rowCount).toBe(1);
        }, 30_000);
        await holder.end();
        const { lines, notes } = await migrating;
        expect(lines[0]).toMatch(/^Nothing to do/);
        expect(notes[0]).toMatch(/^Waiting for the database's migration lock .*\(another-replica\) holds it/);
      }),
    60_000,
  );

  it(
    'fails for a database that a newer version migrated, and changes nothing',
    () =>
      using(createTestDatabase(), async (database) => {
        await queryOnce(database.url, `insert into migration (name, executed_at) values ('9999-later', now())`);
        const { lines, error } = await migrateOn(database);
        expect(lines).toEqual([]);
        expect(error).toMatchObject({
          name: 'DatabaseStartError',
          message: expect.stringContaining('9999-later') as string,
        });
      }),
    60_000,
  );

  it('refuses a data folder without a database, because its name may be mistyped', async () => {
    const { error } = await operate('', { DATA_DIR: '/nonexistent/gatehouse' }, 'migrate');
    expect(error).toMatchObject({
      message: expect.stringContaining('There is no Gatehouse database in /nonexistent') as string,
    });
  });
});
