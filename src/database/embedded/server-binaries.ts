import { randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError, folderError } from './embedded-postgres.errors.js';
import { openSharedFolder } from './folders.js';
import { probe, type ServerIdentity } from './server-identity.js';

export interface ServerBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** The major version of the server, such as `18`. A data folder works with exactly one major version. */
  readonly major: string;
}

interface Link {
  /** The path of an existing library, relative to the package. */
  readonly source: string;
  /** The path of the symbolic link to create, relative to the package. */
  readonly target: string;
}

/** The binaries of the platform's npm package, copied if the server's user cannot run them in place. */
export async function serverBinaries(
  folder: string,
  as: ServerIdentity | undefined,
  log: (line: string) => void,
): Promise<ServerBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  const installed = await installedPackage(platform);
  const links = await readLinks(installed.folder);
  const inPlace = (await restoreLinks(installed.folder, links))
    ? await tryBinaries(installed.folder, as)
    : 'its symbolic links are missing';
  if (typeof inPlace !== 'string') return inPlace;

  const parent = as === undefined ? folder : await openSharedFolder();
  const copy = join(parent, `postgresql-${installed.version}-${platform}`);
  const copied = await tryBinaries(copy, as);
  if (typeof copied !== 'string') return copied;
  log(
    as === undefined
      ? `The PostgreSQL in ${installed.folder} cannot be run in place; copying it to ${copy}, once.`
      : `User id ${as.uid}, which PostgreSQL runs as, cannot run the binaries in ${installed.folder}; copying ` +
          `them to ${copy}, once.`,
  );
  await copyPackage(installed.folder, copy, links);
  const fresh = await tryBinaries(copy, as);
  if (typeof fresh !== 'string') return fresh;
  throw new EmbeddedPostgresError(
    `The PostgreSQL binaries of ${installed.name} do not run on this machine (${fresh}): set DATABASE_URL to a ` +
      'PostgreSQL server of your own.',
  );
}

async function installedPackage(platform: string): Promise<{ name: string; folder: string; version: string }> {
  const name = `@embedded-postgres/${platform}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const folder = await realpath(dirname(dirname(entry)));
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { name, folder, version };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform} (the package ${name} is not installed): set ` +
        'DATABASE_URL to a PostgreSQL server of your own, or install without --omit=optional.',
      { cause },
    );
  }
}

async function readLinks(folder: string): Promise<Link[]> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  return JSON.parse(list) as Link[];
}

/**
 * Creates the symbolic links that npm packages cannot contain. The package's install script creates them too, but npm
 * does not run it with `ignore-scripts`. Returns whether all links exist.
 */
async function restoreLinks(folder: string, links: readonly Link[]): Promise<boolean> {
  for (const { source, target } of links) {
    try {
      await access(join(folder, target));
    } catch {
      await rm(join(folder, target), { force: true }).catch(() => undefined);
      const made = await symlink(basename(source), join(folder, target)).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'EEXIST',
      );
      if (!made) return false;
    }
  }
  return true;
}

/** Returns the binaries, or the reason why they do not run. */
async function tryBinaries(packageFolder: string, as: ServerIdentity | undefined): Promise<ServerBinaries | string> {
  const bin = join(packageFolder, 'native', 'bin');
  const postgres = join(bin, 'postgres');
  const { ok, stdout, reason } = await probe(postgres, ['--version'], as);
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
  return ok && major !== undefined ? { initdb: join(bin, 'initdb'), postgres, major } : reason;
}

async function copyPackage(from: string, to: string, links: readonly Link[]): Promise<void> {
  const draft = `${to}.${randomUUID()}.draft`;
  try {
    await removeAbandonedDrafts(to);
    await mkdir(draft);
    await chmod(draft, 0o755);
    await copyTree(join(from, 'native'), join(draft, 'native'));
    await restoreLinks(draft, links);
    await rm(to, { recursive: true, force: true });
    // Another start may have finished its copy first. Use that copy.
    await rename(draft, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw folderError(dirname(to), error);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Sets modes instead of copying them, because the modes that a strict umask gave the installed files may be the reason
 * for the copy.
 */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, ((await stat(source)).mode & 0o100) === 0 ? 0o644 : 0o755);
    }
  }
}

/**
 * Removes the drafts of killed starts. A draft must be older than ten minutes, because another start may be copying
 * now.
 */
async function removeAbandonedDrafts(to: string): Promise<void> {
  for (const name of await readdir(dirname(to))) {
    if (!name.startsWith(`${basename(to)}.`) || !name.endsWith('.draft')) continue;
    const path = join(dirname(to), name);
    const made = await stat(path).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > 600_000) await rm(path, { recursive: true, force: true });
  }
}
