import { join, resolve } from 'node:path';
import { MIGRATIONS } from '../../../src/database/migrations/migrations.js';
import { Sql } from '../../../src/database/sql.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { eventually } from '../../support/eventually.js';
import { ChatLoad, randomStreams } from '../../support/money/chat-load.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { expectStreamsBilledOnce } from '../../support/money/count-the-streams.js';
import { spawnService, untilReady, warningsIn, type ServiceProcess } from '../../support/services/service-process.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { useTogether } from '../../support/services/use-together.js';
import { checkOut, findVersionBefore } from '../../support/services/version-before.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Enough callers for a credit lease on each service. */
const CALLERS = 6;
/**
 * Longer than the 4 s after which an entry of the key cache is read again, so that each service reads keys from the new
 * schema.
 */
const BESIDE_MS = 5_000;
const MIN_STREAMS = 20;

const before = await findVersionBefore(
  MIGRATIONS.map(({ name }) => name),
  ROOT,
);
if ('reason' in before) process.stdout.write(`The previous version is not tested: ${before.reason}.\n`);
const newest = MIGRATIONS.at(-1)!.name;

('commit' in before ? describe : describe.skip)(`the version before migration ${newest}`, () => {
  let folder: TemporaryFolder;
  let database: TestDatabase;
  let vendor: ScriptedChatVendor;
  let sql: Sql;
  const services: ServiceProcess[] = [];
  const loads: ChatLoad[] = [];
  beforeEach(async () => {
    folder = await temporaryFolder();
    database = await createEmptyDatabase();
    sql = new Sql(database.url, 2);
    vendor = await startScriptedChatVendor(randomStreams({ pauseMs: 5 }));
  });
  afterEach(async () => {
    await Promise.all(loads.map((load) => load.stop()));
    for (const service of services) service.kill('SIGKILL');
    await Promise.all(services.map(({ exited }) => exited));
    await vendor.close();
    await sql.close();
    await database.drop();
    await folder.remove();
  });

  const environment = (name: string): Record<string, string> => ({
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, name),
    MASTER_KEY: 'a1'.repeat(32),
    RATE_LIMIT_ANALYTICS: 'off',
    INTERN_RUNTIME: 'none',
    OPENAI_API_KEY: 'sk-vendor',
    OPENAI_BASE_URL: vendor.baseUrl,
  });

  it('serves together with this version, which migrates: both serve all calls, and the books balance', async () => {
    const source = join(folder.path, 'source');
    await checkOut((before as { commit: string }).commit, ROOT, source);
    const old = await untilReady(spawnService(environment('old'), [], source));
    services.push(old);
    loads.push(new ChatLoad(() => old.origin, TEST_API_KEY, CALLERS, { seed: 1 }));
    const streams = (load: ChatLoad): number => load.seen.filter(({ whole }) => whole).length;
    await eventually(async () => expect(streams(loads[0]!)).toBeGreaterThan(MIN_STREAMS));
    await useTogether(old.origin, old.origin);

    const present = await untilReady(spawnService(environment('new')));
    services.push(present);
    expect(await sql.query('select name from migration order by name')).toEqual(
      MIGRATIONS.map(({ name }) => ({ name })),
    );
    loads.push(new ChatLoad(() => present.origin, TEST_API_KEY, CALLERS, { seed: 2 }));
    const counts = loads.map(streams);
    const besideSince = performance.now();
    await useTogether(old.origin, present.origin);
    await useTogether(present.origin, old.origin);
    await eventually(async () => {
      for (const [at, load] of loads.entries()) expect(streams(load) - counts[at]!).toBeGreaterThan(MIN_STREAMS);
      expect(performance.now() - besideSince).toBeGreaterThan(BESIDE_MS);
    }, 30_000);

    const seen = (await Promise.all(loads.map((load) => load.stop()))).flat();
    expect(seen.filter(({ status, whole, failed }) => status !== 200 || !whole || failed)).toEqual([]);
    await eventually(async () =>
      expect(await readBooks(sql)).toMatchObject({ accountReserved: 0n, keysReserved: 0n, openReservations: 0n }),
    );
    expectBalanced(await readBooks(sql));
    expect(await expectStreamsBilledOnce(sql, seen)).toMatchObject({ billed: seen.length, lost: 0 });

    for (const service of services) service.kill('SIGTERM');
    // The services logged no warnings and no errors.
    expect(await Promise.all(services.map(async ({ exited, output }) => [await exited, warningsIn(output())]))).toEqual(
      services.map(() => [0, []]),
    );
    const again = spawnService(environment('old'), [], source);
    expect([await again.exited, again.output()]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^Gatehouse cannot start: [^\\n]*${newest}[^\\n]*\\n$`)),
    ]);
  }, 120_000);
});
