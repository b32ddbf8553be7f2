import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDatabaseUserId, ownUserIdRange, UserIdRange } from './user-id-range.js';

describe('the user ids of an installation', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-ids-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const isUsable = (): boolean => true;
  async function aDataDir(name: string): Promise<string> {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    return path;
  }
  const own = (dataDir: string): Promise<UserIdRange> => ownUserIdRange(dataDir, { folder, isUsable });

  it('are the same at every start, for any spelling of the data folder, and unique to the installation', async () => {
    const [a, b] = [await aDataDir('a'), await aDataDir('b')];
    await symlink(a, join(folder, 'link'));
    const [ofA, ofB] = [await own(a), await own(b)];
    expect([ofA.first, ofB.first]).toEqual([2_000_000, 3_000_000]);
    expect(await own(join(folder, 'link'))).toEqual(ofA);
    expect(await own(b)).toEqual(ofB);
  });

  it('never overlap if many processes claim user ids at the same time', async () => {
    const script = `
      import { ownUserIdRange } from './src/machine/user-id-range.ts';
      const options = { folder: ${JSON.stringify(folder)}, isUsable: () => true };
      const ranges = await Promise.all(process.argv.slice(1).map((each) => ownUserIdRange(each, options)));
      console.log(JSON.stringify(ranges.map(({ first }) => first)));`;
    const root = resolve(import.meta.dirname, '../..');
    const shared = await aDataDir('shared');
    const claimed = await Promise.all(
      [0, 1, 2, 3].map(async (n) => {
        const folders = [await aDataDir(`${n}-x`), await aDataDir(`${n}-y`), shared];
        const child = spawn(
          process.execPath,
          ['--import', './dev/typescript-loader.ts', '--input-type=module', '-e', script, ...folders],
          { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
        );
        return JSON.parse(await text(child.stdout)) as number[];
      }),
    );
    expect(new Set(claimed.map((firsts) => firsts[2])).size).toBe(1);
    expect(new Set(claimed.flat()).size).toBe(9);
  }, 60_000);

  it('of a deleted data folder are claimed by the next folder, and a moved folder claims new ids', async () => {
    const [a, b] = [await aDataDir('a'), await aDataDir('b')];
    await own(a);
    const ofB = await own(b);
    await rename(a, join(folder, 'moved'));
    expect((await own(await aDataDir('c'))).first).toBe(2_000_000);
    expect((await own(join(folder, 'moved'))).first).toBe(4_000_000);
    expect(await own(b)).toEqual(ofB);
  });

  it('are only ids with which this process can start other processes', async () => {
    const usable = (first: number): boolean => first >= 5_000_000;
    expect((await ownUserIdRange(await aDataDir('a'), { folder, isUsable: usable })).first).toBe(5_000_000);
    await expect(ownUserIdRange(await aDataDir('b'), { folder, isUsable: () => false })).rejects.toThrow(
      /no range of a million user ids is left/,
    );
  });

  it('are assigned in a file that only its owner can access; the error for a damaged file names the file', async () => {
    const a = await aDataDir('a');
    await own(a);
    const file = join(folder, 'user-ids.sqlite');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(file, 'not a database, but long enough to be taken for one'.repeat(20));
    await expect(own(a)).rejects.toThrow(file);
  });

  it('differ between interns and from the id of the database; so do group ids, which are in the same range', () => {
    const ranges = [
      new UserIdRange(2_000_000, 1),
      new UserIdRange(3_000_000, 999_998),
      new UserIdRange(1_878_000_000 - 1_000_000, 500_000),
    ];
    for (const range of ranges) {
      const numbers = [0, 1, 2, 499_998, 499_999, 500_000, 999_997, 999_998];
      const interns = numbers.map((no) => range.intern(no));
      expect(new Set([...interns.map(({ uid }) => uid), range.database.uid]).size).toBe(numbers.length + 1);
      expect(new Set([...interns.map(({ gid }) => gid), range.database.gid]).size).toBe(numbers.length + 1);
      for (const { uid, gid } of interns) {
        expect([range.has(uid), range.has(gid), uid === gid]).toEqual([true, true, false]);
        expect([isDatabaseUserId(uid), isDatabaseUserId(range.database.uid)]).toEqual([false, true]);
      }
      expect(range.intern(999_999)).toEqual(range.intern(0));
    }
  });
});
