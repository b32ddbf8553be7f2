import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { give, type Cluster } from './cluster.js';
import { EmbeddedPostgresError, folderError } from './embedded-postgres.errors.js';
import { replaceFile } from './folders.js';
import { syncFolder } from '../../kernel/sync-folder.js';
import { startGuarded } from './guarded-process.js';
import type { ServerBinaries } from './server-binaries.js';
import type { ServerIdentity } from './server-identity.js';
import { lastComplaint } from './server-log.js';
import { SUPERUSER } from './server-settings.js';

/** Makes the cluster when there is none yet; refuses one of another major version. `sync` off is for tests only. */
export async function ensureCluster(
  cluster: Cluster,
  binaries: ServerBinaries,
  as: ServerIdentity | undefined,
  sync: boolean,
): Promise<void> {
  const { dataFolder } = cluster;
  await sweepWorkshops(cluster.folder);
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

/**
 * What a start that was killed in `initialise` left. Its initdb may be clearing up at this very moment, so what cannot be removed now is left to
 * the next start.
 */
async function sweepWorkshops(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('initdb-')) continue;
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(
      () => undefined,
    );
  }
}
