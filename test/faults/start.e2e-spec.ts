import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { runServiceToExit, startServiceProcess } from '../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const isRoot = process.getuid?.() === 0;

describe('a service that cannot start says so in one line and exits with 1', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());

  async function refusal(env: Record<string, string>): Promise<string> {
    const { code, output } = await runServiceToExit(env);
    const lines = output.trim().split('\n');
    expect([code, lines.length, output]).toEqual([1, 1, expect.stringMatching(/^Gatehouse cannot start: /)]);
    return lines[0]!;
  }

  it('a bad variable', async () => {
    expect(await refusal({ PORT: 'eighty', DATA_DIR: join(folder.path, 'a') })).toBe(
      'Gatehouse cannot start: PORT must be a whole number from 0 to 65535',
    );
  }, 60_000);

  it('a data folder that is a file', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expect(await refusal({ DATA_DIR: file })).toContain(file);
  }, 60_000);

  // Root may write anywhere; a folder on a read-only file system stands for the unwritable one there.
  it('an unwritable data folder', async () => {
    const parent = join(folder.path, 'locked');
    await mkdir(parent);
    await chmod(parent, 0o500);
    const dataDir = isRoot ? '/proc/gatehouse' : join(parent, 'data');
    expect(await refusal({ DATA_DIR: dataDir })).toContain(dataDir);
  }, 60_000);

  it('a database that does not answer', async () => {
    const line = await refusal({
      DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:9/none',
      DATA_DIR: join(folder.path, 'b'),
    });
    expect(line).toContain('DATABASE_URL');
    expect(line).not.toContain('hunter2');
  }, 60_000);

  it('a port in use, and a second service on the same folder; the first goes on', async () => {
    const dataDir = join(folder.path, 'data');
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    expect(await refusal({ DATA_DIR: dataDir, PORT: String(port) })).toContain(`port ${port} on 127.0.0.1 is in use`);
    taken.close();

    const first = await startServiceProcess({ DATA_DIR: dataDir });
    try {
      const line = await refusal({ DATA_DIR: dataDir });
      expect(line).toContain(dataDir);
      expect(line).toContain(String(first.pid));
      expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
    } finally {
      first.kill('SIGTERM');
      expect(await first.exited).toBe(0);
    }
  }, 120_000);
});

describe('the first start', () => {
  it('makes keys, shows them once, and keeps them readable by their owner only', async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder.path, 'data');
    const noKeys = { BOOTSTRAP_MANAGEMENT_KEY: '', BOOTSTRAP_API_KEY: '', DATA_DIR: dataDir };
    try {
      const first = await startServiceProcess(noKeys);
      const shown = first.output().match(/sk-gh-v1-[0-9a-f]{64}/g) ?? [];
      first.kill('SIGINT');
      await first.exited;
      expect(shown).toHaveLength(2);
      for (const file of ['api-key', 'management-key'])
        expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);

      const second = await startServiceProcess(noKeys);
      const answer = await fetch(`${second.origin}/api/v1/models`, {
        headers: { authorization: `Bearer ${shown[1]}` },
      });
      second.kill('SIGINT');
      await second.exited;
      expect(answer.status).toBe(200);
      expect(second.output()).not.toContain('sk-gh-v1-');
      expect(second.output()).toContain(`$(cat ${dataDir}/api-key)`);
    } finally {
      await folder.remove();
    }
  }, 120_000);
});
