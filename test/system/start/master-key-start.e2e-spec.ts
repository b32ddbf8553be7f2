import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { masterKeyId } from '../../support/services/backed-up-service.js';
import {
  runServiceToExit,
  spawnService,
  startServiceProcess,
  untilReady,
  type ServiceProcess,
} from '../../support/services/service-process.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

describe('a service with DATABASE_URL and without MASTER_KEY', () => {
  let folder: TemporaryFolder;
  let database: TestDatabase;
  beforeEach(async () => {
    folder = await temporaryFolder();
    database = await createEmptyDatabase();
  });
  afterEach(async () => {
    await database.drop();
    await folder.remove();
  });

  const dataDir = (name: string): string => join(folder.path, name);
  const env = (name: string, more: Record<string, string> = {}): Record<string, string> => ({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir(name),
    ...more,
  });
  const keyOf = async (name: string): Promise<string> =>
    (await readFile(join(dataDir(name), 'master-key'), 'utf8')).trim();
  const seal = async ({ origin }: ServiceProcess): Promise<number> =>
    (
      await fetch(`${origin}/api/v1/byok`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_MANAGEMENT_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ provider: 'cerebras', key: 'a-vendor-key-of-some-length' }),
      })
    ).status;
  async function stop(service: ServiceProcess): Promise<string> {
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    return service.output();
  }
  async function refusal(variables: Record<string, string>): Promise<string> {
    const { code, output } = await runServiceToExit(variables);
    expect([code, output]).toEqual([1, expect.stringMatching(/^Gatehouse cannot start: [^\n]*\n$/)]);
    return output;
  }

  it('creates its own key, seals with it, and warns at each start to back it up', async () => {
    const first = await startServiceProcess(env('a'));
    expect(await seal(first)).toBe(201);
    const warning = `Back up the file ${dataDir('a')}/master-key, apart from the database`;
    expect(await stop(first)).toContain(warning);
    expect((await stat(join(dataDir('a'), 'master-key'))).mode & 0o777).toBe(0o600);
    const key = await keyOf('a');

    const second = await startServiceProcess(env('a'));
    expect(await seal(second)).toBe(201);
    expect(await stop(second)).toContain(warning);
    expect(await keyOf('a')).toBe(key);
  }, 180_000);

  it('does not start without the key of sealed secrets, or with another key, and names the fingerprints', async () => {
    const first = await startServiceProcess(env('a'));
    expect(await seal(first)).toBe(201);
    await stop(first);
    const key = await keyOf('a');
    const other = 'b2'.repeat(32);

    const line = await refusal(env('a', { MASTER_KEY: other }));
    expect([line.includes(masterKeyId(other)), line.includes(masterKeyId(key)), line.includes(key)]).toEqual([
      true,
      true,
      false,
    ]);
    await rm(join(dataDir('a'), 'master-key'));
    expect(await refusal(env('a'))).toContain(masterKeyId(key));
    await expect(stat(join(dataDir('a'), 'master-key'))).rejects.toThrow('ENOENT');
    await writeFile(join(dataDir('a'), 'master-key'), `${key}\n`, { mode: 0o600 });
    await stop(await startServiceProcess(env('a')));
  }, 240_000);

  it('replaces a lost key if nothing is sealed under it', async () => {
    const first = await startServiceProcess(env('a'));
    first.kill('SIGKILL');
    await first.exited;
    const lost = await keyOf('a');
    await rm(join(dataDir('a'), 'master-key'));

    const second = await startServiceProcess(env('a'));
    expect(await keyOf('a')).not.toBe(lost);
    expect(await seal(second)).toBe(201);
    await stop(second);
  }, 180_000);

  it('starts only once if two first starts run at the same time: the second process exits with one line', async () => {
    const started = ['a', 'b'].map((name) => spawnService(env(name)));
    const outcomes = await Promise.all(started.map((each) => untilReady(each).catch(() => undefined)));

    const winner = outcomes.find((each) => each !== undefined)!;
    const loser = started.find(({ pid }) => pid !== winner.pid)!;
    expect(outcomes.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await loser.exited).toBe(1);
    const key = await keyOf(winner.pid === started[0]!.pid ? 'a' : 'b');
    expect(loser.output()).toMatch(/^Gatehouse cannot start: [^\n]*\n$/);
    expect(loser.output()).toContain(masterKeyId(key));
    expect(await seal(winner)).toBe(201);
    await stop(winner);
  }, 180_000);

  it('does not generate a key in a container without a volume for DATA_DIR, but accepts MASTER_KEY', async () => {
    await mkdir(dataDir('a'));
    const client = new Client({ connectionString: database.url });
    // A folder in memory is also lost with the container.
    const inMemory = { DATA_DIR: '/dev/shm', REQUIRE_DATA_VOLUME: 'true' };
    expect(await refusal(env('a', inMemory))).toContain('DATA_DIR (/dev/shm), which is not a mounted volume');
    await client.connect();
    expect((await client.query('select from master_key')).rowCount).toBe(0);
    await client.end();
    await stop(await startServiceProcess(env('a', { REQUIRE_DATA_VOLUME: 'true', MASTER_KEY: 'a1'.repeat(32) })));
  }, 180_000);
});
