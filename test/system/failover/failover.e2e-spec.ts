import { setTimeout as sleep } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { Account } from '../../../src/database/entities/account.entity.js';
import { Notifications } from '../../../src/database/notifications.js';
import { ormOptions } from '../../../src/database/orm-options.js';
import { Sql } from '../../../src/database/sql.js';
import { ReplicatedPostgres, type PostgresNode } from '../../support/database/replicated-postgres.js';
import { eventually } from '../../support/eventually.js';
import { ChatLoad, randomStreams, streamOnce, type SeenStream } from '../../support/money/chat-load.js';
import { expectSettled } from '../../support/money/count-the-money.js';
import { expectStreamsBilledOnce } from '../../support/money/count-the-streams.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';

const CALLERS = 12;
/** Longer than the time for which a settlement is retried in the test of frozen standbys. */
const LEASE_MS = 10_000;
const SERVES_WITHIN_MS = 30_000;

describe('a service whose PostgreSQL fails over under load', () => {
  let postgres: ReplicatedPostgres;
  let first: PostgresNode;
  let second: PostgresNode;
  let third: PostgresNode;
  let vendor: ScriptedChatVendor;
  let service: ServiceProcess;

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start({ nodes: 3 });
    [first, second, third] = postgres.nodes as [PostgresNode, PostgresNode, PostgresNode];
    vendor = await startScriptedChatVendor(randomStreams({ pauseMs: 2 }));
    service = await startServiceProcess({
      DATABASE_URL: postgres.url,
      DATABASE_READ_URL: postgres.urlOf([second, third]),
      ANALYTICS_STORE: 'postgres',
      DURABILITY: 'replica',
      DATABASE_TIMEOUT_MS: '3000',
      MASTER_KEY: 'a1'.repeat(32),
      RESERVATION_LEASE_MS: String(LEASE_MS),
      INTERN_RUNTIME: 'none',
      BREAKER_FAILURES: '1000',
      OPENAI_API_KEY: 'sk-vendor',
      OPENAI_BASE_URL: vendor.baseUrl,
    });
  }, 120_000);
  afterAll(async () => {
    service?.kill('SIGTERM');
    await service?.exited;
    await vendor?.close();
    await postgres?.stop();
  }, 60_000);

  it('completes a response only after a standby has the settlement, if settlements wait for a standby', async () => {
    const calls = async (node: PostgresNode): Promise<number> => (await node.query('select from generation')).length;
    // Make one call before the measurement, because the first call also writes labels.
    expect(await streamOnce({ origin: service.origin, key: TEST_API_KEY })).toMatchObject({ whole: true });
    const before = await calls(first);
    await second.freeze();
    await third.freeze();
    let seen: SeenStream | undefined;
    const call = streamOnce({ origin: service.origin, key: TEST_API_KEY }).then((stream) => (seen = stream));
    try {
      // The statement timeout cancels the wait for a standby, so the call is visible on the primary only.
      await eventually(async () => expect(await calls(first)).toBe(before + 1), 8_000);
      await sleep(1_000);
      expect(seen).toBeUndefined();
    } finally {
      await second.thaw();
      await third.thaw();
    }
    expect(await call).toMatchObject({ status: 200, whole: true });
    await eventually(async () => expect(await calls(second)).toBe(before + 1));

    // Analytics can be read from a standby.
    await eventually(async () => {
      const response = await fetch(`${service.origin}/api/v1/analytics/query`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_MANAGEMENT_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ metrics: ['request_count'] }),
      });
      expect(await response.text()).toMatch(new RegExp(`"request_count":${before + 1}`));
    });
  }, 60_000);

  it('bills each stream once and listens again after the primary is killed, and after it is frozen', async () => {
    const orm = await MikroORM.init(ormOptions(postgres.url, 3_000));
    const notifications = new Notifications(postgres.url, true, 500, 500);
    const heard: string[] = [];
    notifications.on('failover_test', (payload) => heard.push(payload));
    await notifications.start();
    const load = new ChatLoad(() => service.origin, TEST_API_KEY, CALLERS, { leaving: 10 });
    const serves = async (): Promise<void> => {
      const from = load.seen.length;
      await eventually(
        () =>
          Promise.resolve(expect(load.seen.slice(from).filter(({ usage }) => usage).length).toBeGreaterThan(CALLERS)),
        SERVES_WITHIN_MS,
      );
    };
    const failOver = async (away: () => Promise<void>, next: PostgresNode): Promise<void> => {
      await serves();
      const began = performance.now();
      await away();
      await next.promote();
      await serves();
      process.stdout.write(`serves again ${Math.round(performance.now() - began)} ms after the failure\n`);
      await eventually(async () => {
        await next.query(`select pg_notify('failover_test', '${next.name}')`);
        expect(heard).toContain(next.name);
      }, SERVES_WITHIN_MS);
      expect(await eventually(() => orm.em.fork().count(Account, {}))).toBeGreaterThan(0);
    };
    try {
      await failOver(() => first.kill(), second);
      await postgres.untilStreaming(second, third);
      // No standby is left, so commits must not wait for one.
      await third.configure('synchronous_standby_names', '');
      await failOver(() => second.freeze(), third);
      await second.kill();
    } finally {
      await notifications.close();
      await orm.close(true);
      await load.stop();
    }
    const { seen } = load;
    const refused = seen.filter(({ status }) => status !== 200);
    expect(refused.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);

    const sql = new Sql(third.url, 2);
    try {
      await expectSettled(sql, SERVES_WITHIN_MS);
      const counts = await eventually(() => expectStreamsBilledOnce(sql, seen));
      expect(counts.billed).toBeGreaterThan(0);
    } finally {
      await sql.close();
    }
    expect(service.output()).toContain(`The database is now served by 127.0.0.1:${third.port} `);
  }, 180_000);
});
