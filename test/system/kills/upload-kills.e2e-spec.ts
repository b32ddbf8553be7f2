import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectEmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { Sql } from '../../../src/database/sql.js';
import { keptBelow } from '../../support/files/file-uploads.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { operate } from '../../support/services/operator-process.js';
import { rawUpload } from '../../support/hostile/raw-upload.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

/** The number of uploads whose client is killed. Each kill of the server interrupts AT_ONCE uploads. */
const CLIENT_KILLS = LONG_TESTS ? 100 : 16;
const SERVER_KILLS = LONG_TESTS ? 20 : 1;
const AT_ONCE = 5;
const MAX_UPLOAD_BYTES = 8_000_000;

describe('uploads that are killed at random points', () => {
  let folder: TemporaryFolder;
  let dataDir: string;
  let service: ServiceProcess;
  let sql: Sql;
  const env = (): Record<string, string> => ({ DATA_DIR: dataDir });

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

  const start = (): ReturnType<typeof rawUpload> =>
    rawUpload(service.origin, TEST_MANAGEMENT_KEY, 1 + Math.floor(Math.random() * MAX_UPLOAD_BYTES));
  const rows = async (): Promise<string[]> =>
    (await sql.query<{ id: string }>('select object_id as id from file')).map(({ id }) => id).toSorted();
  const complete = async (): Promise<string[]> =>
    (await keptBelow(dataDir))
      .filter((path) => !path.endsWith('.part'))
      .map((path) => basename(path))
      .toSorted();
  const unfinished = async (): Promise<string[]> => (await keptBelow(dataDir)).filter((path) => path.endsWith('.part'));

  it(`leave nothing if ${CLIENT_KILLS} clients are killed, without any sweep`, async () => {
    let killed = 0;
    let kept = 0;
    while (killed < CLIENT_KILLS) {
      const uploads = Array.from({ length: AT_ONCE }, start);
      for (const upload of uploads) void sleep(Math.random() * 60).then(() => upload.kill());
      for (const status of await Promise.all(uploads.map((upload) => upload.status))) {
        if (status === 200) kept++;
        else killed++;
      }
    }
    // The service notices a disconnected client with a delay, and keeps an upload that was complete by then. A busy
    // service may start to write only afterwards. Therefore wait until no unfinished file has existed for a second.
    const until = performance.now() + 20_000;
    for (let since = performance.now(); performance.now() < Math.min(since + 1_000, until); await sleep(20))
      if ((await unfinished()).length > 0) since = performance.now();

    expect(await unfinished()).toEqual([]);
    expect(await complete()).toEqual(await rows());
    expect((await rows()).length).toBeGreaterThanOrEqual(kept);
  }, 120_000);

  it(
    `leave no row without bytes if the server is killed ${SERVER_KILLS} times, nor bytes without a row after a sweep`,
    async () => {
      let accepted = 0;
      const before = (await rows()).length;
      for (let round = 0; round < SERVER_KILLS; round++) {
        const uploads = Array.from({ length: AT_ONCE }, start);
        await sleep(Math.random() * 150);
        service.kill('SIGKILL');
        await service.exited;
        accepted += (await Promise.all(uploads.map((upload) => upload.status))).filter(
          (status) => status === 200,
        ).length;
        service = await startServiceProcess(env());
        expect((await rows()).filter(missingFrom(await complete()))).toEqual([]);
      }
      // Every upload with the status 200 still exists.
      expect((await rows()).length).toBeGreaterThanOrEqual(before + accepted);

      await operate(env(), 'files', 'sweep', '--older-than', '0');
      expect(await unfinished()).toEqual([]);
      expect(await complete()).toEqual(await rows());
      const [report] = await operate(env(), 'files', 'verify');
      expect(report).toMatchObject({ files: (await rows()).length, faults: 0, without_record: 0 });
    },
    40_000 + SERVER_KILLS * 30_000,
  );

  it('are distinguished by the operator from a file that was damaged later', async () => {
    expect(await rawUpload(service.origin, TEST_MANAGEMENT_KEY, 1_000).status).toBe(200);
    const path = (await keptBelow(dataDir)).at(-1)!;
    const bytes = await readFile(path);
    bytes[0] = bytes[0]! ^ 1;
    await writeFile(path, bytes);

    await expect(operate(env(), 'files', 'verify')).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"fault":"damaged"'),
    });
  }, 60_000);
});

const missingFrom =
  (present: readonly string[]) =>
  (id: string): boolean =>
    !present.includes(id);
