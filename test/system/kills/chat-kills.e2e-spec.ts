import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectEmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { Sql } from '../../../src/database/sql.js';
import { parseGenerationId, timeOfId } from '../../../src/kernel/ids.js';
import { ChatLoad, randomStreams, type SeenStream } from '../../support/money/chat-load.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { expectStreamsBilledOnce, unknownOutcomes } from '../../support/money/count-the-streams.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';
import { postmasterPid, startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

/** 20 each in `npm run test:long`; a taste of it otherwise. */
const ROUNDS = LONG_TESTS ? 20 : 1;
const CALLERS = 24;
const LEASE_MS = 2_000;
/** The time between two renewals of a credit lease, which list its open calls, with the time that they take. */
const MAX_UNLISTED_MS = 1_500;
const SERVES_WITHIN_MS = 30_000;

describe('streams of text under kills', () => {
  let folder: TemporaryFolder;
  let dataDir: string;
  let vendor: ScriptedChatVendor;
  let service: ServiceProcess;
  let sql: Sql;
  const env = (): Record<string, string> => ({
    DATA_DIR: dataDir,
    RESERVATION_LEASE_MS: String(LEASE_MS),
    BREAKER_FAILURES: '1000',
    OPENAI_API_KEY: 'sk-vendor',
    OPENAI_BASE_URL: vendor.baseUrl,
  });

  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, 'data');
    vendor = await startScriptedChatVendor(randomStreams({ cut: 10, pauseMs: 5 }));
    service = await startServiceProcess(env());
    sql = new Sql((await connectEmbeddedPostgres({ dataDir, log: () => undefined })).url, 2);
  }, 120_000);

  afterAll(async () => {
    await sql.close();
    service.kill('SIGTERM');
    await service.exited;
    await vendor.close();
    await folder.remove();
  }, 60_000);

  /** Waits until the books can be read again and no reservation is left. */
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

  const reached = (load: ChatLoad): number => load.seen.filter(({ usage }) => usage !== undefined).length;
  async function underWay(load: ChatLoad): Promise<void> {
    while (reached(load) < CALLERS) await sleep(20);
    await sleep(Math.random() * 1_000);
  }

  /**
   * `lostBefore`: calls of unknown outcome before the kill. Returns how many were lost by it. Calls on a credit lease
   * that began after `unlistedSince` have no record. A crash of the database may lose the reservations of its last
   * moments: a call that then failed by itself has nothing to be released.
   */
  async function count(
    seen: readonly SeenStream[],
    lostBefore: number,
    { unlistedSince = Infinity, mayLoseReservations = false },
  ): Promise<number> {
    await settled();
    expectBalanced(await readBooks(sql));
    // A failed settlement is recorded when the database takes it again.
    const counts = await eventually(async () => {
      const found = await expectStreamsBilledOnce(sql, seen);
      const failedItself = ({ failed, status }: SeenStream): boolean => failed || status >= 500;
      const isYoung = ({ generationId }: SeenStream): boolean =>
        timeOfId(parseGenerationId(generationId!)!).getTime() >= unlistedSince;
      expect(found.uncounted.filter((call) => !isYoung(call) && !(mayLoseReservations && failedItself(call)))).toEqual(
        [],
      );
      return found;
    });
    expect(counts.billed).toBeGreaterThan(0);
    const lost = (await unknownOutcomes(sql)) - lostBefore;
    // Each was in flight at the kill: its caller waited, or had left and was not billed yet.
    expect(Math.max(lost, counts.lost)).toBeLessThanOrEqual(CALLERS + counts.lostAfterLeaving);
    return counts.lost;
  }

  it(
    `bill every stream that reached its usage once when the service is killed with kill -9, ${ROUNDS} times`,
    async () => {
      let lost = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const before = await unknownOutcomes(sql);
        const load = new ChatLoad(() => service.origin, TEST_API_KEY, CALLERS, { leaving: 20, seed: round });
        await underWay(load);
        const unlistedSince = Date.now() - MAX_UNLISTED_MS;
        service.kill('SIGKILL');
        await service.exited;
        const stopped = load.stop();
        service = await startServiceProcess(env());
        lost += await count(await stopped, before, { unlistedSince });
      }
      // The load never pauses, so each kill cuts streams.
      expect(lost).toBeGreaterThan(0);
    },
    ROUNDS * 60_000 + 60_000,
  );

  it(
    `bill every stream that reached its usage once when PostgreSQL is killed with kill -9, ${ROUNDS} times`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const before = await unknownOutcomes(sql);
        const load = new ChatLoad(() => service.origin, TEST_API_KEY, CALLERS, { leaving: 20, seed: round });
        await underWay(load);
        const seenBefore = load.seen.length;
        process.kill(await postmasterPid(dataDir), 'SIGKILL');
        await eventually(async () => {
          const refused = load.seen.findIndex(({ status }, at) => at >= seenBefore && status !== 200);
          expect(refused).toBeGreaterThanOrEqual(0);
          expect(load.seen.slice(refused).some(({ usage }) => usage !== undefined)).toBe(true);
        }, SERVES_WITHIN_MS);
        await count(await load.stop(), before, { mayLoseReservations: true });
      }
    },
    ROUNDS * 60_000 + 60_000,
  );
});
