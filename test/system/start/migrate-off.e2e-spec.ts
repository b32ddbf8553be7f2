import { Client } from 'pg';
import { LEDGER_SQL } from '../../../src/billing/ledger-sql.js';
import { migrate } from '../../../src/database/migrate.js';
import { MIGRATIONS } from '../../../src/database/migrations/migrations.js';
import { queryOnce } from '../../support/database/query-once.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { eventually } from '../../support/eventually.js';
import { runServiceToExit, spawnService, untilReady } from '../../support/services/service-process.js';

const MIGRATION_LOCK = 7_246_011;
const env = ({ url }: TestDatabase): Record<string, string> => ({
  DATABASE_URL: url,
  MIGRATE: 'off',
  MASTER_KEY: 'a1'.repeat(32),
  INTERN_RUNTIME: 'none',
});

/** The line with which the service refuses to start. */
async function refusal(database: TestDatabase): Promise<string> {
  const { code, output } = await runServiceToExit(env(database));
  const lines = output.trim().split('\n');
  expect([code, lines.length]).toEqual([1, 1]);
  return lines[0]!;
}

describe('a service with MIGRATE=off', () => {
  let database: TestDatabase;
  afterEach(() => database.drop());

  it('stops on a database without a schema, in a line that names operator migrate, and changes nothing', async () => {
    database = await createEmptyDatabase();
    const [first, last] = [MIGRATIONS[0]!.name, MIGRATIONS.at(-1)!.name];
    expect(await refusal(database)).toBe(
      `Gatehouse cannot start: MIGRATE is off, and the database lacks ${MIGRATIONS.length} migrations (${first} to ` +
        `${last}): run \`operator migrate\` of this version first.`,
    );
    expect(await queryOnce(database.url, `select from pg_tables where schemaname = 'public'`)).toHaveLength(0);
  }, 60_000);

  it('waits for the migration by another replica, and then serves with the migrated schema', async () => {
    database = await createTestDatabase();
    const holder = new Client({ connectionString: database.url, application_name: 'another-replica' });
    await holder.connect();
    // The holder acts as another replica that meanwhile installs the newest functions.
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await holder.query('update sql_family set version = version - 1');
    const starting = spawnService(env(database));
    await eventually(
      async () =>
        expect(starting.output()).toMatch(/Waiting for the database's migration lock .*\(another-replica\) holds it/),
      30_000,
    );
    await holder.query('update sql_family set version = version + 1');
    await holder.query('commit');
    await holder.end();
    const service = await untilReady(starting);
    const answers = await Promise.all(['healthz', 'readyz'].map((path) => fetch(`${service.origin}/${path}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  }, 90_000);

  it('stops on functions of an earlier version', async () => {
    database = await createTestDatabase();
    await queryOnce(database.url, 'update sql_family set version = version - 1');
    expect(await refusal(database)).toContain('has functions of an earlier version: run `operator migrate`');
    expect((await migrate(database.url, LEDGER_SQL)).functions.length).toBeGreaterThan(0);
  }, 60_000);
});
