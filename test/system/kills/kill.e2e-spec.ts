import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sql } from '../../../src/database/sql.js';
import { connectEmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { expectBalanced, expectWholeAnswersBilledOnce, readBooks } from '../../support/money/count-the-money.js';
import { eventually } from '../../support/eventually.js';
import { postmasterPid, startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { SpeechLoad, type SeenCall } from '../../support/money/speech-load.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const ROUNDS = process.env['LONG_TESTS'] ? 20 : 1;
const CALLERS = 16;
const LEASE_MS = 2_000;
const SERVES_WITHIN_MS = 30_000;

describe('a service under load', () => {
  let folder: TemporaryFolder;
  let dataDir: string;
  let service: ServiceProcess;
  let sql: Sql;
  const env = (): Record<string, string> => ({ DATA_DIR: dataDir, RESERVATION_LEASE_MS: String(LEASE_MS) });

  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, 'data');
    service = await startServiceProcess(env());
    sql = new Sql((await connectEmbeddedPostgres({ dataDir, log: () => undefined })).url, 2);
  }, 120_000);

  afterAll(async () => {
    await sql.close();
    service.kill('SIGTERM');
    await service.exited;
    await folder.remove();
  }, 60_000);

  /** Waits until the books can be read again and no reservations are open. */
  async function settled(): Promise<void> {
    const until = performance.now() + 30_000;
    for (;;) {
      const open = await readBooks(sql).then(
        (books) => books.openReservations,
        () => -1n,
      );
      if (open === 0n) return;
      if (performance.now() > until) throw new Error(`reservations outlive their lease: ${open}`);
      await sleep(200);
    }
  }

  /** Waits for the first successful response, which may take seconds on a busy machine. Kills come after it. */
  async function underWay(load: SpeechLoad): Promise<void> {
    while (!load.seen.some((call) => call.whole && call.status === 200)) await sleep(20);
  }

  async function count(seen: readonly SeenCall[]): Promise<void> {
    await settled();
    expectBalanced(await readBooks(sql));
    expect(await expectWholeAnswersBilledOnce(sql, seen)).toBeGreaterThan(0);
  }

  it(
    `loses no money when the service is killed with kill -9, ${ROUNDS} times`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const load = new SpeechLoad(() => service.origin, TEST_API_KEY, CALLERS);
        await underWay(load);
        await sleep(Math.random() * 1_000);
        service.kill('SIGKILL');
        await service.exited;
        const stopped = load.stop();
        service = await startServiceProcess(env());
        await count(await stopped);
      }
    },
    ROUNDS * 60_000,
  );

  it(
    `loses no money when PostgreSQL is killed with kill -9, ${ROUNDS} times, and reconnects by itself`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const load = new SpeechLoad(() => service.origin, TEST_API_KEY, CALLERS);
        await underWay(load);
        await sleep(Math.random() * 1_000);
        const killed = await postmasterPid(dataDir);
        process.kill(killed, 'SIGKILL');
        await eventually(async () => expect(await postmasterPid(dataDir)).not.toBe(killed), SERVES_WITHIN_MS);
        const before = load.seen.length;
        // Skip one call per caller, because it may have started before the kill.
        await eventually(
          async () =>
            expect(
              load.seen.slice(before + CALLERS).filter(({ whole, status }) => whole && status === 200).length,
            ).toBeGreaterThan(0),
          SERVES_WITHIN_MS,
        );
        await count(await load.stop());
      }
    },
    ROUNDS * 60_000,
  );

  it('completes and bills every accepted request when it is stopped', async () => {
    const load = new SpeechLoad(() => service.origin, TEST_API_KEY, CALLERS);
    await underWay(load);
    await sleep(500);
    service.kill('SIGINT');
    const code = await service.exited;
    const seen = await load.stop();
    expect(code).toBe(0);
    // A call with a status was accepted, so its response must be complete.
    expect(seen.filter((call) => call.status === 200 && !call.whole)).toEqual([]);
    expect(seen.filter((call) => call.status !== 200 && call.status !== 0)).toEqual([]);
    service = await startServiceProcess(env());
    await count(seen);
  }, 120_000);
});
