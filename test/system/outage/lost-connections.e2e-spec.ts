import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expectSettled, expectWholeAnswersBilledOnce } from '../../support/money/count-the-money.js';
import { eventually } from '../../support/eventually.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { SpeechLoad } from '../../support/money/speech-load.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { Sql } from '../../../src/database/sql.js';

/** The number of times that every backend is terminated, at random points. */
const ROUNDS = process.env['LONG_TESTS'] ? 60 : 4;
const LEASE_MS = 2_000;

describe('database connections that the server ends', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let sql: Sql;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
    service = await startServiceProcess({
      DATABASE_URL: database.url,
      MASTER_KEY: 'a1'.repeat(32),
      RESERVATION_LEASE_MS: String(LEASE_MS),
      RATE_LIMIT_ANALYTICS: 'off',
    });
  }, 120_000);

  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await sql.close();
    await database.drop();
  }, 60_000);

  const call = (method: string, path: string, key: string, body?: object): Promise<number> =>
    fetch(`${service.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    }).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => 0,
    );

  /** Terminates every connection of the service, including the listener's and the analytics process's. */
  async function terminateAll(): Promise<number> {
    const [ended] = await sql.query<{ count: number }>(
      `select count(pg_terminate_backend(pid))::int as count
       from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'test'`,
    );
    return ended!.count;
  }

  const alive = async (): Promise<void> => {
    const status = (await fetch(`${service.origin}/healthz`).catch(() => undefined))?.status;
    // A failure shows the output.
    const output = service.output();
    expect([output, status]).toEqual([output, 200]);
  };
  const ready = (): Promise<void> =>
    eventually(async () => expect((await fetch(`${service.origin}/readyz`)).status).toBe(200), 20_000);

  it.each([
    [
      'PUT',
      '/api/v1/vault/secrets/waiting',
      TEST_API_KEY,
      { value: 'a secret value', hosts: ['a.example'] },
      'vault_secret',
    ],
    ['POST', '/api/v1/keys', TEST_MANAGEMENT_KEY, { name: 'waiting' }, 'api_key'],
    [
      'POST',
      '/api/v1/audio/speech',
      TEST_API_KEY,
      { model: 'builtin/flite', voice: 'kal16', response_format: 'pcm', input: 'waiting' },
      'account_balance',
    ],
  ])(
    'do not end the process when %s %s waits for a lock in its transaction',
    async (method, path, key, body, table) => {
      const holder = new Client({ connectionString: database.url, application_name: 'test' });
      holder.on('error', () => undefined);
      await holder.connect();
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      const waiting = call(method, path, key, body);
      await eventually(async () => {
        const rows = await sql.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows.length).toBeGreaterThan(0);
      });
      await terminateAll();
      await holder.query('rollback');
      await holder.end();
      expect([200, 201, 503]).toContain(await waiting);
      await alive();
      await ready();
    },
    60_000,
  );

  it(
    `do not end the process, and every call is billed, if all connections end at random points, ${ROUNDS} times`,
    async () => {
      const load = new SpeechLoad(() => service.origin, TEST_API_KEY, 8);
      const statuses = new Map<number, number>();
      let going = true;
      const others = [
        ['GET', '/api/v1/keys', TEST_MANAGEMENT_KEY, undefined],
        ['POST', '/api/v1/keys', TEST_MANAGEMENT_KEY, { name: 'load' }],
        ['GET', '/api/v1/activity', TEST_MANAGEMENT_KEY, undefined],
        ['PUT', '/api/v1/vault/secrets/load', TEST_API_KEY, { value: 'a secret value', hosts: ['a.example'] }],
        ['POST', '/api/v1/analytics/query', TEST_MANAGEMENT_KEY, { metrics: ['request_count'] }],
      ] as const;
      const management = others.map(async ([method, path, key, body]) => {
        while (going) {
          const status = await call(method, path, key, body);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status >= 500 || status === 0) await sleep(20);
        }
      });
      let ended = 0;
      for (let round = 0; round < ROUNDS; round++) {
        await sleep(randomInt(600));
        ended += await terminateAll();
      }
      await sleep(500);
      going = false;
      const seen = await load.stop();
      await Promise.all(management);
      await alive();
      await ready();
      expect(ended).toBeGreaterThan(ROUNDS);
      expect([...statuses.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
      await expectSettled(sql, 30_000);
      expect(await expectWholeAnswersBilledOnce(sql, seen)).toBeGreaterThan(0);
    },
    120_000 + ROUNDS * 1_000,
  );
});
