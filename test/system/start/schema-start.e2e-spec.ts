import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { LEDGER_SQL } from '../../../src/billing/ledger-sql.js';
import { migrate } from '../../../src/database/migrate.js';
import { MIGRATIONS } from '../../../src/database/migrations/migrations.js';
import { eventually } from '../../support/eventually.js';
import { operate } from '../../support/services/operator-process.js';
import { pgbouncerIsInstalled, startPgbouncer, type TestPooler } from '../../support/database/pgbouncer.js';
import { runServiceToExit, startServiceProcess } from '../../support/services/service-process.js';
import { TcpProxy } from '../../support/database/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

const MASTER_KEY = 'a1'.repeat(32);
/** The lock of migrations, in earlier versions and in this one. */
const MIGRATION_LOCK = 7_246_011;
const SAID_WITHIN_MS = 10_000;

let database: TestDatabase;
let admin: Client;
beforeEach(async () => {
  database = await createTestDatabase();
  admin = new Client({ connectionString: database.url, application_name: 'test' });
  admin.on('error', () => undefined);
  await admin.connect();
});
afterEach(async () => {
  await admin.end();
  await database.drop();
});

const locks = async (): Promise<number> =>
  (
    await admin.query<{ n: number }>(
      `select count(*)::int as n
       from pg_locks
       where locktype = 'advisory' and objid = $1
         and database = (select oid from pg_database where datname = current_database())`,
      [MIGRATION_LOCK],
    )
  ).rows[0]!.n;

/** The line with which the service refuses to start. */
async function refusal(env: Record<string, string>): Promise<string> {
  const { code, output } = await runServiceToExit({ MASTER_KEY, ...env });
  const lines = output.trim().split('\n');
  expect([code, lines.length, output]).toEqual([1, 1, expect.stringMatching(/^Gatehouse cannot start: /)]);
  return lines[0]!;
}

/** The line with which the operator's command line refuses a command. */
async function refusedCommand(env: Record<string, string>): Promise<string> {
  const stderr = await operate({ MASTER_KEY, ...env }, 'accounts', 'list').then(
    () => 'it did not refuse',
    (error: { stderr: string }) => error.stderr,
  );
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^error: /)]);
  return stderr;
}

describe('the schema of a database', () => {
  it('of a newer version stops a service and operator command, which name the unknown migration', async () => {
    const newest = MIGRATIONS.at(-1)!.name;
    await admin.query(`insert into migration (name, executed_at) values ('9998-later', now()), ('9999-latest', now())`);
    const line = await refusal({ DATABASE_URL: database.url });
    expect(line).toContain('9999-latest');
    expect(line).toContain(newest);
    expect(await refusedCommand({ DATABASE_URL: database.url })).toContain('9999-latest');
    // The start has changed nothing.
    expect((await admin.query('select from account')).rowCount).toBe(0);
  }, 60_000);

  it('of the current version is not changed', async () => {
    expect(await migrate(database.url, LEDGER_SQL)).toEqual({ migrations: [], functions: [] });
    expect(await locks()).toBe(0);
  });
});

describe('the migration lock', () => {
  it('makes a migration wait, which repeatedly logs the holder of the lock', async () => {
    const holder = new Client({ connectionString: database.url, application_name: 'an-earlier-version' });
    await holder.connect();
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const lines: string[] = [];
    const migrating = migrate(database.url, LEDGER_SQL, (line) => lines.push(line));
    await eventually(async () => expect(lines).toHaveLength(1), 10_000);
    const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(lines[0]).toMatch(/^Waiting for the database's migration lock for \d+ s: /);
    expect(lines[0]).toContain(`backend ${rows[0]!.pid} (an-earlier-version)`);
    expect(lines[0]).toContain('pg_terminate_backend');
    await eventually(async () => expect(lines).toHaveLength(2), 20_000);
    await holder.end();
    await migrating;
    expect(await locks()).toBe(0);
  }, 60_000);

  it('lets replicas that start together migrate one after another', async () => {
    await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, LEDGER_SQL)));
    expect(await locks()).toBe(0);
  }, 60_000);

  it('is free again when the service that holds it dies', async () => {
    const dying = new Client({ connectionString: database.url });
    dying.on('error', () => undefined);
    await dying.connect();
    await dying.query('begin');
    await dying.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const migrating = migrate(database.url, LEDGER_SQL, () => undefined);
    await sleep(500);
    dying.connection.stream.destroy();
    await migrating;
  }, 60_000);
});

describe('a database that accepts connections and sends nothing', () => {
  it('makes the service exit with one line within 30 s', async () => {
    const proxy = await TcpProxy.before(database.url);
    proxy.blackHole();
    const since = performance.now();
    expect(await refusal({ DATABASE_URL: proxy.through(database.url) })).toContain('DATABASE_URL');
    expect(performance.now() - since).toBeLessThan(30_000);
    await proxy.stop();
  }, 60_000);
});

const withPgbouncer = pgbouncerIsInstalled() ? describe : describe.skip;
withPgbouncer('behind pgbouncer', () => {
  let pooler: TestPooler;
  afterEach(() => pooler.stop());

  it.each([40, 1])(
    'in transaction mode a start without DATABASE_DIRECT_URL is refused in one line, without a lock (%s connections)',
    async (size) => {
      pooler = await startPgbouncer(database.url, 'transaction', size);
      for (let start = 0; start < 2; start++) {
        const since = performance.now();
        expect(await refusal({ DATABASE_URL: pooler.url })).toContain('DATABASE_DIRECT_URL');
        // A Node process takes seconds to start on a busy machine.
        expect(performance.now() - since).toBeLessThan(SAID_WITHIN_MS + 5_000);
      }
      expect(await locks()).toBe(0);
      expect(await refusedCommand({ DATABASE_URL: pooler.url })).toContain('DATABASE_DIRECT_URL');
    },
    90_000,
  );

  it('in transaction mode the service works with DATABASE_DIRECT_URL, and is notified of changes at once', async () => {
    pooler = await startPgbouncer(database.url, 'transaction');
    const service = await startServiceProcess({
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: database.url,
      MASTER_KEY,
      RATE_LIMIT_ANALYTICS: 'off',
      INTERN_RUNTIME: 'none',
    });
    try {
      const call = async (
        method: string,
        path: string,
        key: string,
        json?: object,
      ): Promise<{ status: number; body: Record<string, never> }> => {
        const answer = await fetch(`${service.origin}/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, ...(json ? { 'content-type': 'application/json' } : {}) },
          body: json && JSON.stringify(json),
        });
        return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Record<string, never> };
      };
      const made = await call('POST', '/keys', TEST_MANAGEMENT_KEY, { name: 'pooled' });
      const { key, data } = made.body as unknown as { key: string; data: { hash: string } };
      const speech = { model: 'builtin/flite', voice: 'kal16', response_format: 'pcm', input: 'through a pooler' };
      const statuses = await Promise.all([
        ...Array.from({ length: 20 }, () => call('POST', '/audio/speech', key, speech)),
        call('PUT', '/vault/secrets/pooled', TEST_API_KEY, { value: 'a secret value', hosts: ['a.example'] }),
        call('GET', '/vault/secrets', TEST_API_KEY),
        call('GET', '/activity', TEST_MANAGEMENT_KEY),
        call('POST', '/analytics/query', TEST_MANAGEMENT_KEY, { metrics: ['request_count'] }),
        call('GET', '/interns', TEST_API_KEY),
        call('GET', '/keys', TEST_MANAGEMENT_KEY),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 200));
      expect((await call('PATCH', `/keys/${data.hash}`, TEST_MANAGEMENT_KEY, { disabled: true })).status).toBe(200);
      await eventually(async () => expect((await call('GET', '/models', key)).status).toBe(401), 2_000);
      const second = await startServiceProcess({
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: database.url,
        MASTER_KEY,
      });
      second.kill('SIGTERM');
      expect(await second.exited).toBe(0);
    } finally {
      service.kill('SIGTERM');
      await service.exited;
    }
  }, 120_000);

  it('in session mode the service starts without DATABASE_DIRECT_URL', async () => {
    pooler = await startPgbouncer(database.url, 'session');
    const service = await startServiceProcess({ DATABASE_URL: pooler.url, MASTER_KEY });
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  }, 60_000);
});
