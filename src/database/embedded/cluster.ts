import { randomBytes, createHash } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError, folderError } from './embedded-postgres.errors.js';
import { makeFolder, openSharedFolder, replaceFile, syncFolder } from './folders.js';
import { startGuarded } from './guarded-process.js';
import { SUPERUSER } from './server-settings.js';
import type { ServerBinaries } from './server-binaries.js';
import { canEnter, type ServerIdentity } from './server-identity.js';
import { lastComplaint } from './server-log.js';

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
 * The cluster of a data folder: inside it, unless the server's user cannot get there (the folder lies under a home of mode 0700).
 * Then it lies in a folder named after the data folder's path, and the file `location` keeps where; a cluster that was there once and is gone
 * is an error, because an empty database in its place would look like a loss of everything.
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
  await makeFolder(outside, 0o711);
  await replaceFile(pointer, `${outside}\n`);
  log(
    `User id ${as.uid}, which PostgreSQL runs as because this service is root, cannot enter ${dirname(folder)}: the database lies in ${outside} instead.`,
  );
  return clusterIn(outside);
}

/** Makes the cluster when there is none yet; refuses one of another major version. `sync` off is for tests only. */
export async function ensureCluster(
  cluster: Cluster,
  binaries: ServerBinaries,
  as: ServerIdentity | undefined,
  sync: boolean,
): Promise<void> {
  const { dataFolder } = cluster;
  const content = await readdir(dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw folderError(dataFolder, error);
  });
  if (content.length === 0) return initialise(cluster, binaries, as, sync);
  const major = (await readFile(join(dataFolder, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (major === '') {
    throw new EmbeddedPostgresError(
      `The folder ${dataFolder} is not empty and holds no PostgreSQL database: move it away, or set DATA_DIR to another folder.`,
    );
  }
  if (major !== binaries.major) {
    throw new EmbeddedPostgresError(
      `The database in ${dataFolder} was made by PostgreSQL ${major}, and this version of Gatehouse brings PostgreSQL ${binaries.major}: move the data with pg_dump and restore, or set DATA_DIR to another folder.`,
    );
  }
}

/**
 * Works in a folder aside and moves the result into place, so a start that is killed half-way leaves nothing that the next one
 * could take for a database. The password is on disk before the cluster that needs it.
 *
 * Locale: PostgreSQL's own C.UTF-8. It sorts by code point and lower-cases all of Unicode, and being built in it cannot change under the
 * indexes when the data moves to a machine with another C library, as a system locale can.
 */
async function initialise(
  cluster: Cluster,
  binaries: ServerBinaries,
  as: ServerIdentity | undefined,
  sync: boolean,
): Promise<void> {
  const { folder, dataFolder } = cluster;
  try {
    for (const name of await readdir(folder)) {
      if (name.startsWith('initdb-')) await rm(join(folder, name), { recursive: true, force: true });
    }
    const password = randomBytes(24).toString('base64url');
    await replaceFile(join(folder, 'password'), password);

    const workshop = await mkdtemp(join(folder, 'initdb-'));
    const draft = join(workshop, 'data');
    const passwordFile = join(workshop, 'password');
    const logFile = join(workshop, 'log');
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    await writeFile(logFile, '', { mode: 0o600 });
    for (const path of [workshop, draft, passwordFile, logFile]) await give(path, as);
    const initdb = startGuarded({
      command: binaries.initdb,
      args: [
        `--pgdata=${draft}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(sync ? [] : ['--no-sync']),
      ],
      logFile,
      as,
    });
    const outcome = await initdb.ended;
    if (outcome !== 'exit code 0') {
      const complaint = (await lastComplaint(logFile)) ?? outcome;
      throw new EmbeddedPostgresError(`The database in ${folder} could not be made: ${complaint}.`);
    }
    await rename(draft, dataFolder);
    if (sync) await syncFolder(folder);
    await rm(workshop, { recursive: true, force: true });
  } catch (error) {
    throw folderError(folder, error);
  }
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

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
