import { createHash } from 'node:crypto';
import { chmod, chown, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { exists, makeFolder, openSharedFolder, replaceFile } from './folders.js';
import { canEnter, type ServerIdentity } from './server-identity.js';

/** The folder of one database cluster: `data` (PostgreSQL's own), its configuration, password, port and log. */
export interface Cluster {
  readonly folder: string;
  readonly dataFolder: string;
  readonly logFile: string;
}

const clusterIn = (folder: string): Cluster => ({
  folder,
  dataFolder: join(folder, 'data'),
  logFile: join(folder, 'postgres.log'),
});

/**
 * The cluster of a data folder: inside it, unless the server's user cannot get there (the folder lies under a home of mode
 * 0700). Then it lies in a folder named after the data folder's path, and the file `location` keeps where; a cluster that was
 * there once and is gone is an error, because an empty database in its place would look like a loss of everything.
 */
export async function locateCluster(
  folder: string,
  as: ServerIdentity | undefined,
  log: (line: string) => void,
): Promise<Cluster> {
  const pointer = join(folder, 'location');
  const moved = (await readFile(pointer, 'utf8').catch(() => '')).trim();
  if (moved !== '') {
    if (!(await exists(moved))) {
      throw new EmbeddedPostgresError(
        `The database of ${dirname(folder)} lies in ${moved}, and that folder is gone: restore it, or delete ${pointer} to start with an empty database.`,
      );
    }
    log(`The database of ${dirname(folder)} lies in ${moved}.`);
    return clusterIn(moved);
  }
  const inside = clusterIn(folder);
  if (as === undefined || (await canEnter(folder, as))) return inside;
  if (await exists(inside.dataFolder)) {
    throw new EmbeddedPostgresError(
      `User id ${as.uid}, which PostgreSQL runs as because this service is root, cannot pass through the folders above ${inside.dataFolder}: give them mode 0711, or start Gatehouse as the folder's owner.`,
    );
  }
  const outside = join(await openSharedFolder(), createHash('sha256').update(folder).digest('hex').slice(0, 16));
  if (await exists(outside)) {
    // Someone deleted the data folder, and so expects an empty database. What it held is still not ours to delete.
    const aside = `${outside}.${Date.now()}`;
    await rename(outside, aside);
    log(`The database of an earlier ${dirname(folder)} now lies in ${aside}; delete it when it is not needed.`);
  }
  await makeFolder(outside, 0o711);
  await replaceFile(pointer, `${outside}\n`);
  log(
    `User id ${as.uid}, which PostgreSQL runs as because this service is root, cannot enter ${dirname(folder)}: the database lies in ${outside} instead.`,
  );
  return clusterIn(outside);
}

/** Passes a path to the server's user. */
export async function give(path: string, as: ServerIdentity | undefined): Promise<void> {
  if (as !== undefined) await chown(path, as.uid, as.gid);
}

/** A file that the server's user can read, or append to when it is theirs, made only if missing. */
export async function ensureLogFile(cluster: Cluster, as: ServerIdentity | undefined): Promise<void> {
  await writeFile(cluster.logFile, '', { flag: 'a', mode: 0o600 });
  await chmod(cluster.logFile, 0o600);
  await give(cluster.logFile, as);
}

export async function readPassword(cluster: Cluster): Promise<string> {
  const path = join(cluster.folder, 'password');
  const password = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (password !== '') return password;
  throw new EmbeddedPostgresError(
    `The password of the database in ${cluster.dataFolder} is missing: restore the file ${path} from a backup.`,
  );
}
