import { createHash } from 'node:crypto';
import { chmod, chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { giveTree } from '../../machine/give-tree.js';
import { settleEarlierServer } from './earlier-server.js';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { exists, makePrivateFolder, openSharedFolder, replaceFile } from './folders.js';
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

/** The folder of the database's files. If there is no database, the folder inside `folder` for a new database. */
export async function dataFolderOf(folder: string): Promise<string> {
  return join((await pointedTo(folder)) ?? folder, 'data');
}

const pointerIn = (folder: string): string => join(folder, 'location');

async function pointedTo(folder: string): Promise<string | undefined> {
  const path = (await readFile(pointerIn(folder), 'utf8').catch(() => '')).trim();
  return path === '' ? undefined : path;
}

/**
 * The cluster of a data folder. It is inside the data folder, unless the server's user cannot access the data folder
 * (for example below a home directory of mode 0700). The cluster is then in a folder whose name is a hash of the data
 * folder's path, and the file `location` contains the path of the cluster. Throws EmbeddedPostgresError if a recorded
 * cluster is missing, because a new empty database would look like data loss. Also throws if the server's user cannot
 * access an existing database inside the data folder.
 */
export async function locateCluster(
  folder: string,
  as: ServerIdentity | undefined,
  log: (line: string) => void,
): Promise<Cluster> {
  const pointer = pointerIn(folder);
  const moved = await pointedTo(folder);
  if (moved !== undefined) {
    if (!(await exists(moved))) {
      throw new EmbeddedPostgresError(
        `The database of ${dirname(folder)} is stored in ${moved}, and that folder no longer exists: ` +
          `restore it, or delete ${pointer} to start with an empty database.`,
      );
    }
    log(`The database of ${dirname(folder)} is stored in ${moved}.`);
    return clusterIn(moved);
  }
  const inside = clusterIn(folder);
  if (as === undefined || (await canEnter(folder, as))) return inside;
  if (await exists(inside.dataFolder)) {
    throw new EmbeddedPostgresError(
      `User id ${as.uid}, which PostgreSQL runs as because this service is root, cannot pass through the ` +
        `folders above ${inside.dataFolder}: give them mode 0711, or start Gatehouse as the folder's owner.`,
    );
  }
  const outside = join(await openSharedFolder(), createHash('sha256').update(folder).digest('hex').slice(0, 16));
  if (await exists(outside)) {
    // The data folder was deleted, so an empty database is expected. Keep the old database under another name.
    const keptAs = `${outside}.${Date.now()}`;
    await rename(outside, keptAs);
    log(`The database of an earlier ${dirname(folder)} was moved to ${keptAs}; delete it if it is not needed.`);
  }
  await makePrivateFolder(outside, 0o711);
  await replaceFile(pointer, `${outside}\n`);
  log(
    `User id ${as.uid}, which PostgreSQL runs as because this service is root, cannot enter ` +
      `${dirname(folder)}: the database is stored in ${outside} instead.`,
  );
  return clusterIn(outside);
}

/**
 * Makes the server's user the owner of the database's files, if another user owns them. Call it while no server runs.
 */
export async function ensureOwner(
  { dataFolder }: Cluster,
  as: ServerIdentity | undefined,
  log: (line: string) => void,
): Promise<void> {
  const found = await stat(dataFolder).catch(() => undefined);
  if (as === undefined || found === undefined || found.uid === as.uid) return;
  await settleEarlierServer(dataFolder, log);
  await giveTree(dataFolder, as);
  log(
    `The database in ${dataFolder} belonged to user id ${found.uid}; its files now belong to user id ` +
      `${as.uid}, which only this installation uses.`,
  );
}

/** Changes a path's owner to the given user. Undefined = the owner is unchanged. */
export async function changeOwner(path: string, as: ServerIdentity | undefined): Promise<void> {
  if (as !== undefined) await chown(path, as.uid, as.gid);
}

/** Creates the log file if it is missing, with the server's user as its owner. */
export async function ensureLogFile(cluster: Cluster, as: ServerIdentity | undefined): Promise<void> {
  await writeFile(cluster.logFile, '', { flag: 'a', mode: 0o600 });
  await chmod(cluster.logFile, 0o600);
  await changeOwner(cluster.logFile, as);
}

/** The file of initdb's temporary password; it exists until that password is replaced. */
export const initialPasswordOf = (cluster: Cluster): string => join(cluster.folder, 'initial-password');

export async function readPassword(cluster: Cluster): Promise<string> {
  const path = join(cluster.folder, 'password');
  const password = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (password !== '') return password;
  throw new EmbeddedPostgresError(
    `The password of the database in ${cluster.dataFolder} is missing: restore the file ${path} from a backup.`,
  );
}
