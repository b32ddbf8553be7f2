import { createHash } from 'node:crypto';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Config } from '../../../src/config/config.js';
import { Sql } from '../../../src/database/sql.js';
import type { BackupHeader } from '../../../src/operator/backup/backup-format.js';
import { databaseOpener } from '../../../src/operator/operator-session.js';
import { contentOf, countRows } from '../../support/database/database-content.js';
import { EmbeddedStage } from '../../support/services/embedded-stage.js';
import { eventually } from '../../support/eventually.js';
import { operate } from '../../support/services/operator-line.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { startTestService } from '../../support/services/test-service.js';

/** The master key of the test service. */
const MASTER_KEY = 'a1'.repeat(32);

describe('a backup file', () => {
  let folder: TemporaryFolder;
  let target: TestDatabase;
  let sql: Sql;
  let bytes: Buffer;
  let original: Record<string, string>;
  const file = (name: string): string => join(folder.path, name);
  const operator = (...words: string[]) => operate(target.url, { DATABASE_URL: target.url, MASTER_KEY }, ...words);

  beforeAll(async () => {
    folder = await temporaryFolder();
    const service = await startTestService();
    await service.standard.post('/audio/speech', {
      json: { model: 'builtin/flite', voice: 'kal16', response_format: 'pcm', input: 'one' },
    });
    await eventually(async () => expect(await countRows(service.sql, 'usage_total')).toBe(1));
    await operate(service.databaseUrl, { DATABASE_URL: service.databaseUrl }, 'backup', file('good'));
    original = await contentOf(service.sql);
    await service.stop();
    bytes = await readFile(file('good'));
    target = await createTestDatabase();
    sql = new Sql(target.url, 2);
  }, 60_000);

  afterAll(async () => {
    await sql.close();
    await target.drop();
    await folder.remove();
  }, 60_000);

  /** Restores `content` and returns the reason for the refusal. Checks that the database is still empty. */
  const refusalOf = async (content: Buffer): Promise<string> => {
    const empty = await contentOf(sql);
    await writeFile(file('bad'), content);
    const { error, lines } = await operator('restore', file('bad'));
    expect(lines).toEqual([]);
    expect(error).toMatchObject({ kind: 'invalid_request' });
    expect(await contentOf(sql)).toEqual(empty);
    expect(await countRows(sql, 'account')).toBe(0);
    const { message } = error as Error;
    expect(message).toMatch(/nothing was changed$/);
    expect(message).not.toContain('\n');
    return message;
  };

  /** The file with changed text. If `honest`, its checksum matches the changed text. */
  const rewritten = (change: (text: string) => string, honest = true): Buffer => {
    const text = change(gunzipSync(bytes).toString());
    const trailerAt = text.lastIndexOf('\n', text.length - 2) + 1;
    const trailer = JSON.parse(text.slice(trailerAt)) as { sha256: string };
    if (honest) trailer.sha256 = createHash('sha256').update(text.slice(0, trailerAt)).digest('hex');
    return gzipSync(`${text.slice(0, trailerAt)}${JSON.stringify(trailer)}\n`);
  };

  it.each([0, 1, 9, 100, 0.5, 0.9, -9, -1])('that is truncated (at %p) is refused', async (where) => {
    const length = where < 0 ? bytes.length + where : Math.floor(where < 1 ? where * bytes.length : where);

    expect(await refusalOf(bytes.subarray(0, length))).toMatch(/is damaged or cut short|is not a backup of Gatehouse/);
  });

  it.each([0, 0.1, 0.3, 0.6, 0.95])('with one flipped bit (position %p) is refused', async (where) => {
    const damaged = Buffer.from(bytes);
    damaged[Math.floor(where * bytes.length)]! ^= 4;

    expect(await refusalOf(damaged)).toMatch(/is damaged or cut short|is not a backup of Gatehouse/);
  });

  it('that was unpacked, changed and packed again is refused', async () => {
    expect(
      await refusalOf(rewritten((text) => text.replace('Bootstrap API key', 'Bootstrap API kez'), false)),
    ).toContain('its content does not match its checksum');
    expect(await refusalOf(gzipSync(`${gunzipSync(bytes).toString()}{}\n`))).toContain('there is data after its end');
    expect(await refusalOf(gzipSync('{"hello":"world"}\n'))).toContain('is not a backup of Gatehouse');
  });

  it('that lacks rows, but has a valid checksum, is refused after loading, which is rolled back', async () => {
    const message = await refusalOf(rewritten((text) => text.replace(/^.*Bootstrap API key.*\n/m, '')));

    expect(message).toMatch(/should contain 2 rows of api_key, but contains 1/);
  });

  it('of a newer or an older schema is refused, with a remedy', async () => {
    const withHeader = (change: (header: BackupHeader) => object): Buffer =>
      rewritten((text) =>
        text.replace(/^.*\n/, (line) => `${JSON.stringify(change(JSON.parse(line) as BackupHeader))}\n`),
      );
    const newest = (JSON.parse(gunzipSync(bytes).toString().split('\n', 1)[0]!) as BackupHeader).migrations.at(-1)!;

    expect(
      await refusalOf(withHeader((header) => ({ ...header, migrations: [...header.migrations, 'Future'] }))),
    ).toContain('was written by a newer Gatehouse (its database has Future): install that version or a later one');
    expect(
      await refusalOf(withHeader((header) => ({ ...header, migrations: header.migrations.slice(0, -1) }))),
    ).toContain(`was written by an older Gatehouse (before ${newest}): restore it with the version that wrote it`);
    expect(await refusalOf(withHeader((header) => ({ ...header, version: 2 })))).toContain(
      'restore it with that version',
    );
    expect(await refusalOf(withHeader((header) => ({ ...header, masterKeys: ['\u001b[2J'] })))).toContain(
      'names a master key by an invalid id',
    );
    expect(await refusalOf(withHeader((header) => ({ ...header, days: ["x'); drop table account"] })))).toContain(
      'contains an invalid date',
    );
  });

  it('that does not exist is reported by its name', async () => {
    expect((await operator('restore', file('nowhere'))).error).toMatchObject({
      message: expect.stringMatching(/nowhere cannot be read: ENOENT/),
    });
  });

  describe('on the embedded database', () => {
    let stage: EmbeddedStage;
    beforeAll(async () => {
      stage = await EmbeddedStage.open();
    });
    afterAll(() => stage.close());
    const embedded = (...words: string[]) => operate('', { DATA_DIR: stage.dataDir }, ...words);
    const look = <T>(work: (database: Sql) => Promise<T>): Promise<T> =>
      databaseOpener(() => Config.read({ DATA_DIR: stage.dataDir }))('beside others', async ({ urls }) => {
        const database = new Sql(urls.url, 2);
        try {
          return await work(database);
        } finally {
          await database.close();
        }
      });

    it('that is damaged does not create a database', async () => {
      await writeFile(file('bad'), bytes.subarray(0, 500));
      expect((await embedded('restore', file('bad'))).error).toMatchObject({ kind: 'invalid_request' });
      await expect(access(stage.dataDir)).rejects.toThrow('ENOENT');
      expect((await embedded('backup', file('of-nothing'))).error).toMatchObject({
        message: expect.stringContaining(`There is no Gatehouse database in ${stage.dataDir}`),
      });
      // All keys are available. Only the folder is missing, as with a mistyped name.
      const { error } = await operate('', { DATA_DIR: stage.dataDir, MASTER_KEY }, 'restore', file('good'));
      expect(error).toMatchObject({
        message: `There is no folder ${stage.dataDir}: check DATA_DIR, or create the folder first; nothing was changed`,
      });
      await expect(access(stage.dataDir)).rejects.toThrow('ENOENT');
    }, 60_000);

    it('is refused while a service runs on the data folder', async () => {
      const running = await stage.start();
      await writeFile(join(stage.dataDir, 'master-key'), `${MASTER_KEY}\n`);
      try {
        expect((await embedded('restore', file('good'))).error).toMatchObject({
          message: expect.stringMatching(/^A Gatehouse service \(pid \d+\) runs on the data folder .*: stop it/),
        });
      } finally {
        await running.stop();
        await rm(join(stage.dataDir, 'master-key'));
      }
    }, 60_000);

    it('is restored into a new data folder with the master key, and keeps the key', async () => {
      const path = join(stage.dataDir, 'master-key');
      expect((await embedded('restore', file('good'))).error).toMatchObject({
        message: expect.stringContaining(`the master key file ${path} is missing`),
      });
      await writeFile(path, `${MASTER_KEY}\n`);

      const { error } = await embedded('restore', file('good'));

      expect(error).toBeUndefined();
      expect(await readFile(path, 'utf8')).toBe(`${MASTER_KEY}\n`);
      expect(await look(contentOf)).toEqual(original);
      expect((await embedded('restore', file('good'))).error).toMatchObject({
        message: expect.stringContaining('This database holds accounts'),
      });
      expect((await embedded('backup', file('again'))).error).toBeUndefined();
    }, 60_000);
  });
});
