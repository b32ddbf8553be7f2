import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONG_TESTS } from '../../support/long-tests.js';
import { rawUpload } from '../../support/hostile/raw-upload.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

const UPLOADS = 32;
/** In `npm run test:long`, the maximum size of a file. */
const SIZE = LONG_TESTS ? 104_857_600 : 16_000_000;
const MAX_GROWTH_BYTES = 64 * 1_048_576;

describe('the memory of uploads', () => {
  let folder: TemporaryFolder;
  let service: ServiceProcess;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startServiceProcess({ DATA_DIR: join(folder.path, 'data') });
  }, 120_000);

  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await folder.remove();
  }, 60_000);

  async function residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1_024;
  }

  it(`grows by less than 64 MiB while ${UPLOADS} files of ${SIZE} bytes arrive at once`, async () => {
    // The first upload loads code that all later uploads use too.
    expect(await rawUpload(service.origin, TEST_MANAGEMENT_KEY, 1_000_000).status).toBe(200);
    const before = await residentBytes();
    let most = before;
    let under = true;
    const watch = (async (): Promise<void> => {
      while (under) {
        most = Math.max(most, await residentBytes());
        await sleep(20);
      }
    })();
    const statuses = await Promise.all(
      Array.from({ length: UPLOADS }, () => rawUpload(service.origin, TEST_MANAGEMENT_KEY, SIZE).status),
    );
    under = false;
    await watch;

    expect(statuses).toEqual(Array.from({ length: UPLOADS }, () => 200));
    process.stderr.write(
      `${UPLOADS} uploads of ${SIZE} bytes: ${(before / 1_048_576).toFixed(0)} MiB grew by ` +
        `${((most - before) / 1_048_576).toFixed(1)} MiB at most\n`,
    );
    expect(most - before).toBeLessThan(MAX_GROWTH_BYTES);
  }, 600_000);
});
