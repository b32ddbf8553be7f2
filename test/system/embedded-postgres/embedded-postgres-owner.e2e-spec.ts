import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { access, lchown, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { isDatabaseUserId, ownUserIdRange } from '../../../src/machine/user-id-range.js';
import { ask } from '../../support/services/embedded-service.js';
import { EmbeddedStage } from '../../support/services/embedded-stage.js';

const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
if (!asRoot)
  process.stderr.write(
    'SKIPPED: the owner of the database files was not tested: only root can run PostgreSQL as another user\n',
  );
const nobody = Number(/^nobody:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1] ?? Number.NaN);

(asRoot ? describe : describe.skip)('the user of the embedded PostgreSQL, where the service is root', () => {
  let stage: EmbeddedStage;
  /** A stopped database with a table. */
  let earlier: EmbeddedStage;
  beforeAll(async () => {
    earlier = await EmbeddedStage.open();
    const postgres = await earlier.start();
    await ask(postgres.url, 'create table kept as select 42 as n');
    await postgres.stop();
  });
  afterAll(() => earlier.close());
  beforeEach(async () => {
    stage = await EmbeddedStage.open();
  });
  afterEach(() => stage.close());

  const postgresFolder = (): string => join(stage.dataDir, 'postgres');
  const dataFolder = (): string => join(postgresFolder(), 'data');
  const ownersIn = (folder: string): Set<number> =>
    new Set([
      lstatSync(folder).uid,
      ...readdirSync(folder, { recursive: true }).map((name) => lstatSync(join(folder, String(name))).uid),
    ]);
  const userOf = (pid: number): number =>
    Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  const giveTo = (uid: number): void => void execFileSync('chown', ['-R', '-h', `${uid}:${uid}`, dataFolder()]);
  /** Copies the earlier database, and gives its files to this user, like an earlier version did. */
  async function anEarlierDatabaseOf(uid: number): Promise<void> {
    await mkdir(stage.dataDir);
    execFileSync('cp', ['-a', join(earlier.dataDir, 'postgres'), postgresFolder()]);
    giveTo(uid);
  }
  async function expectKept(): Promise<void> {
    expect(await ask((await stage.start()).url, 'select n from kept')).toEqual([{ n: 42 }]);
  }

  it('is unique to the installation, and neither files nor processes belong to the user nobody', async () => {
    await stage.start();
    const { database } = await ownUserIdRange(stage.dataDir);
    expect(database.uid).not.toBe(nobody);
    expect([...ownersIn(dataFolder())]).toEqual([database.uid]);
    expect([...ownersIn(stage.dataDir)].sort((a, b) => a - b)).toEqual([0, database.uid]);
    expect(userOf(await stage.serverPid())).toBe(database.uid);
    expect(stage.lines).toEqual([]);
  });

  it('differs between two installations', async () => {
    const other = await EmbeddedStage.open();
    try {
      await Promise.all([stage.start(), other.start()]);
      expect(userOf(await stage.serverPid())).not.toBe(userOf(await other.serverPid()));
    } finally {
      await other.close();
    }
  });

  it.each([
    ['nobody', nobody],
    ['the database of another installation, from which it was copied', 1_877_999_999],
    ['root, after a start that was killed while it changed their owner', 0],
  ])(
    'becomes the owner of existing files; this is reported once, and their contents stay: files of %s',
    async (_, uid) => {
      await anEarlierDatabaseOf(uid);
      expect(uid === 0 || uid === nobody || isDatabaseUserId(uid)).toBe(true);
      await expectKept();
      const { database } = await ownUserIdRange(stage.dataDir);
      expect([...ownersIn(dataFolder())]).toEqual([database.uid]);
      expect(stage.lines).toEqual([expect.stringContaining(`now belong to user id ${database.uid}`)]);
    },
  );

  it('stays the ordinary user who owns an existing database', async () => {
    await anEarlierDatabaseOf(12_345);
    await expectKept();
    expect([...ownersIn(dataFolder())]).toEqual([12_345]);
    expect(userOf(await stage.serverPid())).toBe(12_345);
  });

  it.each([
    ['nobody', nobody, /"nobody".*pg_wal/],
    ['the database of another installation', 1_877_999_999, /user id 1877999999, .*pg_wal/],
  ])('stays %s, and this is reported, if a symbolic link leads to a part of the database', async (_, uid, line) => {
    await anEarlierDatabaseOf(uid);
    const elsewhere = join(stage.dataDir, 'wal-elsewhere');
    await rename(join(dataFolder(), 'pg_wal'), elsewhere);
    await symlink(elsewhere, join(dataFolder(), 'pg_wal'));
    await lchown(join(dataFolder(), 'pg_wal'), uid, uid);
    await expectKept();
    expect([...ownersIn(dataFolder())]).toEqual([uid]);
    expect(stage.lines).toEqual([expect.stringMatching(line)]);
  });

  it('is nobody, and this is reported, if no own user id is available', async () => {
    const userIds = async (): Promise<never> => Promise.reject(new Error('no free user id'));
    const postgres = await stage.start((options) => startEmbeddedPostgres({ ...options, userIds }));
    expect(await ask(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(userOf(await stage.serverPid())).toBe(nobody);
    expect(stage.lines).toEqual([expect.stringMatching(/^PostgreSQL runs as the user "nobody".*no free user id/)]);
  });

  describe('the password of initdb, which ran as nobody', () => {
    const initial = (): string => join(postgresFolder(), 'initial-password');

    it('is replaced before the service uses the database', async () => {
      await stage.start();
      await expect(access(initial())).rejects.toThrow('ENOENT');
    });

    it('is replaced by the next start if the first start was killed before the replacement', async () => {
      const first = await stage.start();
      await ask(first.url, `alter role gatehouse password 'what-initdb-was-given'`);
      await first.stop();
      await writeFile(initial(), 'what-initdb-was-given', { mode: 0o600 });
      const second = await stage.start();
      expect(second.url).toBe(first.url);
      expect(await ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await expect(access(initial())).rejects.toThrow('ENOENT');
    });

    it('does not prevent the next start if a start was killed after the replacement', async () => {
      await (await stage.start()).stop();
      await writeFile(initial(), 'what-initdb-was-given', { mode: 0o600 });
      expect(await ask((await stage.start()).url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await expect(access(initial())).rejects.toThrow('ENOENT');
      expect((await readFile(join(postgresFolder(), 'password'), 'utf8')).length).toBeGreaterThan(20);
    });
  });
});
