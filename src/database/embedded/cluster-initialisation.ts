import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveTree } from '../../machine/give-tree.js';
import { changeOwner, initialPasswordOf, type Cluster } from './cluster.js';
import { EmbeddedPostgresError, folderError } from './embedded-postgres.errors.js';
import { replaceFile } from './folders.js';
import { syncFolder } from '../../machine/sync-folder.js';
import { startGuarded } from './guarded-process.js';
import type { ServerBinaries } from './server-binaries.js';
import type { ServerIdentities } from './server-identity.js';
import { lastErrorMessage } from './server-log.js';
import { SUPERUSER } from './server-settings.js';

/**
 * Creates the cluster if there is none. Throws EmbeddedPostgresError if the cluster has another major version, or if
 * the folder contains other files. `sync` = false is for tests only.
 */
export async function ensureCluster(
  cluster: Cluster,
  binaries: ServerBinaries,
  as: ServerIdentities,
  sync: boolean,
): Promise<void> {
  const { dataFolder } = cluster;
  await removeAbandonedFolders(cluster.folder);
  const content = await readdir(dataFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw folderError(dataFolder, error);
  });
  if (content.length === 0) return initialise(cluster, binaries, as, sync);
  const major = (await readFile(join(dataFolder, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (major === '') {
    throw new EmbeddedPostgresError(
      `The folder ${dataFolder} is not empty and holds no PostgreSQL database: move it away, or set DATA_DIR ` +
        'to another folder.',
    );
  }
  if (major !== binaries.major) {
    throw new EmbeddedPostgresError(
      `The database in ${dataFolder} was created by PostgreSQL ${major}, and this version of Gatehouse ` +
        `contains PostgreSQL ${binaries.major}: move the data with pg_dump and restore, or set DATA_DIR to ` +
        'another folder.',
    );
  }
}

/**
 * Works in a temporary folder and renames the result, so that a killed start leaves no partial database. The password
 * is written before the cluster that needs it. If initdb runs as another user than the server, initdb gets a temporary
 * password, because other programs that run as the user of initdb could read the password. `replaceInitialPassword`
 * later replaces the temporary password.
 *
 * The locale is PostgreSQL's built-in C.UTF-8, which sorts by code point and lower-cases all of Unicode. Indexes
 * therefore stay valid when the data moves to a machine with another C library. With a locale of the system, they may
 * become invalid.
 */
async function initialise(
  cluster: Cluster,
  binaries: ServerBinaries,
  { server, initdb: as }: ServerIdentities,
  sync: boolean,
): Promise<void> {
  const { folder, dataFolder } = cluster;
  try {
    const password = randomBytes(24).toString('base64url');
    await replaceFile(join(folder, 'password'), password);
    const isHandedOver = server?.uid !== as?.uid;
    const initialPassword = isHandedOver ? randomBytes(24).toString('base64url') : password;
    if (isHandedOver) await replaceFile(initialPasswordOf(cluster), initialPassword);

    const workFolder = await mkdtemp(join(folder, 'initdb-'));
    const draft = join(workFolder, 'data');
    const passwordFile = join(workFolder, 'password');
    const logFile = join(workFolder, 'log');
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, initialPassword, { mode: 0o600 });
    await writeFile(logFile, '', { mode: 0o600 });
    for (const path of [workFolder, draft, passwordFile, logFile]) await changeOwner(path, as);
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
      const message = (await lastErrorMessage(logFile)) ?? outcome;
      throw new EmbeddedPostgresError(`The database in ${folder} could not be created: ${message}.`);
    }
    if (isHandedOver) await giveTree(draft, server!);
    await rename(draft, dataFolder);
    if (sync) await syncFolder(folder);
    await rm(workFolder, { recursive: true, force: true });
  } catch (error) {
    throw folderError(folder, error);
  }
}

/**
 * Removes temporary folders of starts that were killed in `initialise`. Their initdb may still be removing files, so
 * failures are ignored; the next start tries again.
 */
async function removeAbandonedFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('initdb-')) continue;
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(
      () => undefined,
    );
  }
}
