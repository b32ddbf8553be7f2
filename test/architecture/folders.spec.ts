import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const MAX_FILES = 25;

/** The folders with too many files. Decision records are exempt, because they are a numbered list. */
function crowdedFolders(paths: readonly string[]): string[] {
  const files = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  return [...files]
    .filter(([folder, count]) => count > MAX_FILES && folder !== 'docs/decisions')
    .map(([folder, count]) => `${folder}: ${count} files`);
}

const numbered = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${folder}/${number}.ts`);

/** The list of files comes from git. A downloaded archive has no .git. */
const inRepository = existsSync('.git') ? it : it.skip;

describe('the folders of the repository', () => {
  inRepository(`have at most ${MAX_FILES} files each`, () => {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      encoding: 'utf8',
    });
    const paths = listed.split('\n').filter(Boolean);

    expect(paths).toContain('test/architecture/folders.spec.ts');
    expect(crowdedFolders(paths)).toEqual([]);
  });

  it('are reported if they have more files, not counting the files of subfolders', () => {
    expect(crowdedFolders([...numbered('src/a', MAX_FILES), ...numbered('src/a/b', 1)])).toEqual([]);
    expect(crowdedFolders(numbered('src/a', MAX_FILES + 1))).toEqual(['src/a: 26 files']);
  });
});
