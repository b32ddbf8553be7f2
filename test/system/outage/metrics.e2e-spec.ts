import { join } from 'node:path';
import { connectEmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { Sql } from '../../../src/database/sql.js';
import { nanoToUsd } from '../../../src/kernel/money.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/services/free-port.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { MetricsText } from '../../support/api/metrics-text.js';
import { prometheusIsInstalled, startPrometheus, type TestPrometheus } from '../../support/engines/prometheus.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { SpeechLoad } from '../../support/money/speech-load.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const ROUNDS = LONG_TESTS ? 10 : 1;
const CALLERS = 8;
const LEASE_MS = '2000';
const CALLS = 'gen_ai_client_operation_duration_seconds_count';
const COST = 'gatehouse_cost_usd_total';

/** All replicas export the same totals, so `max` over them is the value. */
const overReplicas = (name: string): string => `sum(max without (instance) (${name}))`;

describe('the metrics of two replicas under load, with one that is killed', () => {
  let folder: TemporaryFolder;
  let sql: Sql;
  let databaseUrl: string;
  let ports: number[];
  /** The first service runs the database. The second service is killed. */
  const services: ServiceProcess[] = [];
  let prometheus: TestPrometheus | undefined;

  const start = (replica: number): Promise<ServiceProcess> =>
    startServiceProcess({
      DATA_DIR: join(folder.path, `data-${replica}`),
      RESERVATION_LEASE_MS: LEASE_MS,
      METRICS_PORT: String(ports[replica]),
      MASTER_KEY: 'b2'.repeat(32),
      ...(replica === 0 ? {} : { DATABASE_URL: databaseUrl }),
    });

  beforeAll(async () => {
    folder = await temporaryFolder();
    ports = [await freePort(), await freePort()];
    services[0] = await start(0);
    const dataDir = join(folder.path, 'data-0');
    databaseUrl = (await connectEmbeddedPostgres({ dataDir, log: () => undefined })).url;
    sql = new Sql(databaseUrl, 2);
    services[1] = await start(1);
    if (prometheusIsInstalled()) prometheus = await startPrometheus(ports.map((port) => `127.0.0.1:${port}`));
  }, 180_000);
  afterAll(async () => {
    await prometheus?.stop();
    await sql.close();
    for (const service of services.toReversed()) {
      service.kill('SIGTERM');
      await service.exited;
    }
    await folder.remove();
  }, 60_000);

  const pageOf = async (replica: number): Promise<MetricsText> =>
    new MetricsText(await (await fetch(`http://127.0.0.1:${ports[replica]}/metrics`)).text());
  const ledgerOf = async (): Promise<{ calls: number; cost: bigint; open: number }> => {
    const [row] = await sql.query<{ calls: number; cost: bigint; open: number }>(
      `select (select count(*)::int from generation) as calls,
         (select coalesce(-sum(amount), 0)::bigint from ledger_line where kind = 'generation') as cost,
         (select count(*)::int from reservation where state = 'reserved') as open`,
    );
    return row!;
  };

  it(
    `equal the ledger to the call and to the nano-dollar after kill -9 and restart, ${ROUNDS} times`,
    async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        const loads = [0, 1].map((replica) => new SpeechLoad(() => services[replica]!.origin, TEST_API_KEY, CALLERS));
        const before = (await pageOf(0)).sum(CALLS);
        // Wait until both services respond and their calls are counted.
        await eventually(async () => {
          for (const { seen } of loads) expect(seen.some(({ status }) => status === 200)).toBe(true);
          expect((await pageOf(0)).sum(CALLS)).toBeGreaterThan(before);
        }, 60_000);
        services[1]!.kill('SIGKILL');
        await services[1]!.exited;
        services[1] = await start(1);
        await Promise.all(loads.map((load) => load.stop()));

        const { calls, cost } = await eventually(async () => {
          const ledger = await ledgerOf();
          expect(ledger.open).toBe(0);
          expect((await pageOf(0)).sum(CALLS)).toBe(ledger.calls);
          return ledger;
        }, 60_000);
        expect(cost).toBeGreaterThan(0n);
        for (const replica of [0, 1]) {
          const page = await pageOf(replica);
          expect([page.sum(CALLS), page.nano(COST)]).toEqual([calls, cost]);
          expect(page.sum('gatehouse_requests_total')).toBe(calls);
        }
        if (prometheus) {
          const seen = prometheus;
          await eventually(async () => {
            expect(await seen.query(overReplicas(CALLS))).toBe(calls);
            expect(await seen.query(overReplicas(COST))).toBe(nanoToUsd(cost));
            expect(await seen.query('sum(up)')).toBe(2);
          }, 60_000);
        }
      }
    },
    ROUNDS * 180_000,
  );
});
