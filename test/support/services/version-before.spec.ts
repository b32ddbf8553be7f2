import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { findVersionBefore } from './version-before.js';

describe('the version before a migration', () => {
  const BASELINE = '0001-baseline';
  const ADDED = '0002-added';
  let folder: TemporaryFolder;
  let root: string;
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', root, '-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  const write = (file: string): Promise<void> => writeFile(join(root, 'src/database/migrations', file), file);
  function commit(): string {
    git('add', '.');
    git('commit', '--message', 'a commit');
    return git('rev-parse', 'HEAD');
  }
  beforeEach(async () => {
    folder = await temporaryFolder();
    root = join(folder.path, 'repository');
    await mkdir(join(root, 'src/database/migrations'), { recursive: true });
    git('init', '--quiet');
    await write(`migration-${BASELINE}.ts`);
  });
  afterEach(() => folder.remove());

  it('is the commit before the migration was added, or the last commit if the migration is not committed', async () => {
    const before = commit();
    await write(`migration-${ADDED}.ts`);
    const found = { migration: ADDED, commit: before };
    expect(await findVersionBefore([BASELINE, ADDED], root)).toEqual(found);
    commit();
    await write('a-later-file.ts');
    commit();
    expect(await findVersionBefore([BASELINE, ADDED], root)).toEqual(found);
  });

  it('is missing, with the reason, if that version has another baseline', async () => {
    commit();
    await write('migration-0001-another-baseline.ts');
    await write(`migration-${ADDED}.ts`);
    commit();
    expect(await findVersionBefore(['0001-another-baseline', ADDED], root)).toEqual({
      reason: `the version before migration ${ADDED} does not have the baseline 0001-another-baseline`,
    });
  });

  it('is missing, with the reason, if there is only the baseline, in a shallow clone and without git', async () => {
    expect(await findVersionBefore([BASELINE], root)).toEqual({
      reason: `no migration follows the baseline, ${BASELINE}`,
    });
    commit();
    await write(`migration-${ADDED}.ts`);
    commit();
    const clone = join(folder.path, 'clone');
    git('clone', '--quiet', '--depth', '1', `file://${root}`, clone);
    expect(await findVersionBefore([BASELINE, ADDED], clone)).toEqual({
      reason: `the history does not reach back to before migration ${ADDED}`,
    });
    const copy = join(folder.path, 'copy');
    await mkdir(join(copy, 'src/database/migrations'), { recursive: true });
    await writeFile(join(copy, `src/database/migrations/migration-${ADDED}.ts`), '');
    expect(await findVersionBefore([BASELINE, ADDED], copy)).toEqual({
      reason: expect.stringMatching(/^git has no history here \(.*not a git repository/),
    });
  });

  it('throws if the file of the migration does not exist', async () => {
    await expect(findVersionBefore([BASELINE, ADDED], root)).rejects.toThrow(`migration-${ADDED}.ts`);
  });
});
