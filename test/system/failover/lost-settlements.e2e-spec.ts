import { ReplicatedPostgres } from '../../support/database/replicated-postgres.js';
import { nanoToText } from '../../../src/kernel/money.js';
import { Sql } from '../../../src/database/sql.js';
import { MetricsText } from '../../support/api/metrics-text.js';
import { eventually } from '../../support/eventually.js';
import { ChatLoad, randomStreams, type SeenStream } from '../../support/money/chat-load.js';
import { expectSettled } from '../../support/money/count-the-money.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { freePort } from '../../support/services/free-port.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';

const CALLERS = 12;
const LEASE_MS = 2_000;
const WITHIN_MS = 30_000;

describe.each(LONG_TESTS ? [1, 2] : [2])('with DURABILITY=local and %i worker(s)', (workers) => {
  let postgres: ReplicatedPostgres;
  let vendor: ScriptedChatVendor;
  let service: ServiceProcess;
  let metricsPort: number;

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start({ isSynchronous: false });
    vendor = await startScriptedChatVendor(randomStreams({ pauseMs: 2 }));
    metricsPort = await freePort();
    service = await startServiceProcess({
      DATABASE_URL: postgres.url,
      DATABASE_TIMEOUT_MS: '3000',
      MASTER_KEY: 'a1'.repeat(32),
      RESERVATION_LEASE_MS: String(LEASE_MS),
      METRICS_PORT: String(metricsPort),
      WORKERS: String(workers),
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

  const settled = (seen: readonly SeenStream[]): SeenStream[] => seen.filter(({ usage }) => usage !== undefined);

  it('the service counts and reports the settled calls that a failover lost, and continues', async () => {
    const [first, second] = postgres.nodes as [(typeof postgres.nodes)[0], (typeof postgres.nodes)[0]];
    const load = new ChatLoad(() => service.origin, TEST_API_KEY, CALLERS);
    const more = async (calls: number): Promise<void> => {
      const from = load.seen.length;
      await eventually(
        () => Promise.resolve(expect(settled(load.seen.slice(from)).length).toBeGreaterThan(calls)),
        WITHIN_MS,
      );
    };
    try {
      await more(200);
      await second.configure('primary_conninfo', '');
      await more(200);
      await first.kill();
      await second.promote();
      await more(50);
    } finally {
      await load.stop();
    }
    const sql = new Sql(second.url, 2);
    try {
      const { generations } = await expectSettled(sql, WITHIN_MS);
      const answered = settled(load.seen).reduce((sum, { usage }) => sum + BigInt(Math.round(usage!.cost * 1e9)), 0n);
      const [{ calls }] = (await sql.query<{ calls: number }>(
        'select count(*)::int as calls from generation where cost > 0',
      )) as [{ calls: number }];
      const lost = settled(load.seen).length - calls;
      const usd = nanoToText(answered - generations);
      expect(lost).toBeGreaterThan(200);
      await eventually(() =>
        Promise.resolve(
          expect(service.output()).toMatch(
            new RegExp(
              `PostgreSQL failed over to another server; ${lost} of the last \\d+ calls .* are lost \\(${usd} USD\\)`,
            ),
          ),
        ),
      );
      const metrics = new MetricsText(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
      expect(metrics.sum('gatehouse_failover_lost_calls_total')).toBe(lost);
      process.stdout.write(`${lost} calls, ${usd} USD were lost and reported\n`);
    } finally {
      await sql.close();
    }
  }, 180_000);
});
