import { chmod, mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { eventually } from '../../support/eventually.js';
import { canMount, mountReadOnly, mountTmpfs, unmount } from '../../support/database/mounts.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const isRoot = process.getuid?.() === 0;
const whenMounting = canMount() ? it : it.skip;
// Permissions do not restrict root.
const whenOrdinary = isRoot ? it.skip : it;

describe('the data folder of a running service', () => {
  let folder: TemporaryFolder;
  let dataDir: string;
  let service: TestService;

  beforeEach(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, 'data');
  });
  afterEach(async () => {
    await service.stop();
    await folder.remove();
  });

  const start = async (): Promise<void> => {
    service = await startTestService({
      env: { DATA_DIR: dataDir, LOG_LEVEL: 'silent', ANALYTICS_STORE: 'postgres', INTERN_RUNTIME: 'none' },
    });
    expect((await upload()).status).toBe(200);
    await expectReady();
  };
  const upload = (bytes = 'some text'): Promise<ApiAnswer> => {
    const body = new FormData();
    body.set('file', new Blob([bytes]), 'note.txt');
    return service.management.post('/files', { body });
  };
  const ready = async (): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${service.origin}/readyz`);
    return { status: answer.status, text: await answer.text() };
  };
  const expectReady = (): Promise<void> => eventually(async () => expect((await ready()).status).toBe(200));
  const expectRefusal = async (said: RegExp, bytes?: string): Promise<void> => {
    await eventually(async () =>
      expect(await ready()).toEqual({ status: 503, text: expect.stringContaining('Not ready: data folder') as string }),
    );
    const answer = await upload(bytes);
    expect([answer.status, answer.json.error.message, answer.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(said),
      expect.stringMatching(/^\d+$/),
    ]);
    // The response contains no path of the machine.
    expect(answer.text).not.toContain(folder.path);
    // Routes that need no file still work.
    expect((await service.management.get('/files')).status).toBe(200);
  };

  it('is not created again while it is moved away; the service is unready, and uploads are 503', async () => {
    await start();
    await rename(dataDir, `${dataDir}-elsewhere`);
    await expectRefusal(/data folder of this service does not exist/);
    expect(await readdir(folder.path)).toEqual(['data-elsewhere']);
    await rename(`${dataDir}-elsewhere`, dataDir);
    await expectReady();
    expect((await upload()).status).toBe(200);
  });

  it('makes the service unready while another folder has its path', async () => {
    await start();
    await rename(dataDir, `${dataDir}-elsewhere`);
    await mkdir(dataDir);
    await expectRefusal(/data folder of this service does not exist/);
    expect(await readdir(dataDir)).toEqual([]);
    await rm(dataDir, { recursive: true });
    await rename(`${dataDir}-elsewhere`, dataDir);
    await expectReady();
  });

  whenMounting('is reported as read-only', async () => {
    await start();
    expect(mountReadOnly(dataDir)).toBe(true);
    try {
      await expectRefusal(/read-only/);
    } finally {
      unmount(dataDir);
    }
    await expectReady();
    expect((await upload()).status).toBe(200);
  });

  whenOrdinary('is reported if it is not writable', async () => {
    await start();
    await chmod(join(dataDir, 'files', 'incoming'), 0o500);
    await chmod(dataDir, 0o500);
    try {
      await expectRefusal(/may not be written/);
    } finally {
      await chmod(dataDir, 0o700);
      await chmod(join(dataDir, 'files', 'incoming'), 0o700);
    }
    await expectReady();
  });

  whenMounting(
    'is reported as full, at the beginning of an upload and in the middle of one, and no part of it remains',
    async () => {
      await mkdir(dataDir);
      expect(mountTmpfs(dataDir, '4m')).toBe(true);
      try {
        await start();
        const before = await freeBytes();
        const middle = await upload('x'.repeat(8_000_000));
        expect([middle.status, middle.json.error.message]).toEqual([503, expect.stringMatching(/is full/)]);
        expect(await freeBytes()).toBeGreaterThanOrEqual(before - 8_192);
        await writeFile(join(dataDir, 'filler'), Buffer.alloc(8_000_000)).catch(() => undefined);
        await expectRefusal(/is full/);
        await rm(join(dataDir, 'filler'));
        await expectReady();
        expect((await upload()).status).toBe(200);
      } finally {
        await service.stop();
        unmount(dataDir);
      }
    },
  );

  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize;
  };
});
