import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileSweeper } from '../../../src/files/file-sweeper.js';
import { FileVerification } from '../../../src/files/file-verification.js';
import { makeWorkspace } from '../../support/api/api-builders.js';
import { keptBelow, upload } from '../../support/files/file-uploads.js';
import { startTestService, TEST_MANAGEMENT_KEY, type TestService } from '../../support/services/test-service.js';
import { temporaryRoot } from '../../support/temporary-folder.js';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

describe('the maintenance of files', () => {
  let dataDir: string;
  let service: TestService;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(temporaryRoot(), 'gatehouse-test-'));
    service = await startTestService({ env: { DATA_DIR: dataDir } });
  });
  afterEach(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const sweeper = (): FileSweeper => service.app.get(FileSweeper, { strict: false });
  const verify = (): ReturnType<FileVerification['verify']> =>
    service.app.get(FileVerification, { strict: false }).verify();

  /** Writes an object without a row, for the owner of the object at `path` or for another account. */
  async function stray(path: string, age: Date, account?: string): Promise<string> {
    const id = randomUUID();
    const owner = dirname(dirname(path));
    const at = join(account === undefined ? owner : join(dirname(owner), account), id.slice(-2), id);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, 'stray');
    await utimes(at, age, age);
    return at;
  }

  it('deletes old objects without a row and old unfinished uploads, and nothing else', async () => {
    await upload(service.management, 'kept');
    const [kept] = await keptBelow(dataDir);
    await utimes(kept!, LONG_AGO, LONG_AGO);
    await stray(kept!, LONG_AGO);
    const young = await stray(kept!, new Date());
    const foreign = await stray(kept!, LONG_AGO, randomUUID());
    const incoming = join(dataDir, 'files', 'incoming');
    for (const [name, age] of [
      ['old.part', LONG_AGO],
      ['young.part', new Date()],
    ] as const) {
      await writeFile(join(incoming, name), 'x');
      await utimes(join(incoming, name), age, age);
    }

    expect(await sweeper().sweep()).toEqual({ objects: 1, unfinished: 1 });
    expect((await keptBelow(dataDir)).toSorted()).toEqual(
      [String(kept), young, foreign, join(incoming, 'young.part')].toSorted(),
    );
    expect(await sweeper().sweep()).toEqual({ objects: 0, unfinished: 0 });
  });

  it('deletes objects after the first thousand too', async () => {
    await upload(service.management, 'kept');
    const [kept] = await keptBelow(dataDir);
    for (let number = 0; number < 1_100; number++) await stray(kept!, LONG_AGO);

    expect(await sweeper().sweep()).toEqual({ objects: 1_100, unfinished: 0 });
    expect(await keptBelow(dataDir)).toEqual([kept]);
  });

  it('verifies every file, and reports missing and damaged ones', async () => {
    const names = ['whole', 'longer', 'changed', 'missing'];
    const paths = new Map<string, string>();
    for (const name of names) {
      await upload(service.management, `bytes of ${name}`, name);
      for (const path of await keptBelow(dataDir)) if (![...paths.values()].includes(path)) paths.set(name, path);
    }
    expect(await verify()).toEqual({ files: 4, bytes: 61, faults: [], orphans: 0 });

    await writeFile(paths.get('longer')!, 'bytes of longer!');
    await writeFile(paths.get('changed')!, (await readFile(paths.get('changed')!, 'utf8')).replace('b', 'B'));
    await unlink(paths.get('missing')!);
    await stray(paths.get('whole')!, LONG_AGO);

    const report = await verify();
    expect(report.orphans).toBe(1);
    expect(report.faults.map(({ file, fault }) => [file.filename, fault])).toEqual([
      ['longer', 'damaged'],
      ['changed', 'damaged'],
      ['missing', 'missing'],
    ]);
  });

  it('keeps no bytes if the row cannot be written', async () => {
    await service.sql.query('alter table file add constraint refused check (size_bytes < 0)');

    expect((await upload(service.management, 'x')).status).toBe(500);
    expect(await keptBelow(dataDir)).toEqual([]);
  });

  it('keeps neither row nor bytes if the audit row cannot be written', async () => {
    await service.sql.query(`alter table audit_entry add constraint refused check (resource_kind <> 'file') not valid`);

    expect((await upload(service.management, 'x')).status).toBe(500);
    expect([await keptBelow(dataDir), await service.sql.query('select id from file')]).toEqual([[], []]);
  });

  it('accepts no file into a workspace that is deleted during the upload', async () => {
    const workspace = await makeWorkspace(service.management, { slug: 'w' });
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(
          Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello'),
        );
        await service.management.delete('/workspaces/w');
        controller.enqueue(Buffer.from('\r\n--b--\r\n'));
        controller.close();
      },
    });
    const answer = await fetch(`${service.origin}/api/v1/files?workspace_id=${workspace.id}`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { authorization: `Bearer ${TEST_MANAGEMENT_KEY}`, 'content-type': 'multipart/form-data; boundary=b' },
    });

    expect(answer.status).toBe(400);
    expect([await keptBelow(dataDir), await service.sql.query('select id from file')]).toEqual([[], []]);
  });
});
