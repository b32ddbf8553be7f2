import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The packages of the repository itself, which differ between versions. */
const OWN_SCOPE = '@gatehouse';

/** The version of the service with all migrations except the newest one. */
export interface VersionBefore {
  readonly migration: string;
  readonly commit: string;
}

/** The reason why there is no such version. */
export interface NoVersionBefore {
  readonly reason: string;
}

/**
 * Finds the version before the newest of these migrations: the parent of the commit that added the migration's file, or
 * the last commit if the file is not committed yet. The first migration is the baseline. `root`: the folder of the
 * repository.
 */
export async function findVersionBefore(
  migrations: readonly string[],
  root: string,
): Promise<VersionBefore | NoVersionBefore> {
  const migration = migrations.at(-1)!;
  if (migrations.length === 1) return { reason: `no migration follows the baseline, ${migration}` };
  const file = fileOf(migration);
  if (!existsSync(join(root, file))) throw new Error(`the migration ${migration} must be in ${file}`);
  try {
    const added = await git(root, 'log', '-1', '--diff-filter=A', '--format=%H', '--', file);
    const commit = added === '' ? await git(root, 'rev-parse', 'HEAD') : await parentOf(added, root);
    if (commit === undefined) return { reason: `the history does not reach back to before migration ${migration}` };
    const baseline = migrations[0]!;
    if ((await git(root, 'ls-tree', '--name-only', commit, fileOf(baseline))) === '')
      return { reason: `the version before migration ${migration} does not have the baseline ${baseline}` };
    return { migration, commit };
  } catch (error) {
    return { reason: `git has no history here (${(error as Error).message.trim().replaceAll('\n', ' ')})` };
  }
}

/** Writes the source of a commit into a new folder. It uses the packages that are installed in `root`. */
export async function checkOut(commit: string, root: string, folder: string): Promise<void> {
  await mkdir(folder);
  const archive = `${folder}.tar`;
  await git(root, 'archive', '--output', archive, commit);
  await run('tar', ['-x', '-f', archive, '-C', folder]);
  const installed = join(root, 'node_modules');
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, OWN_SCOPE), { recursive: true });
  // Link each package instead of the whole folder: the compiler's cache in it then belongs to this folder and is
  // deleted with it.
  const packages = (await readdir(installed)).filter((name) => !name.startsWith('.') && name !== OWN_SCOPE);
  await Promise.all(packages.map((name) => symlink(join(installed, name), join(modules, name))));
  for (const name of await readdir(join(folder, 'packages'))) {
    await symlink(join(folder, 'packages', name), join(modules, OWN_SCOPE, name));
  }
}

const fileOf = (migration: string): string => `src/database/migrations/migration-${migration}.ts`;

async function parentOf(commit: string, root: string): Promise<string | undefined> {
  return (await git(root, 'rev-list', '--parents', '-1', commit)).split(' ')[1];
}

async function git(root: string, ...args: readonly string[]): Promise<string> {
  return (await run('git', ['-C', root, ...args])).stdout.trim();
}
