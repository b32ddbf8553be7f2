import { chmod, mkdir, readdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError, folderError } from './embedded-postgres.errors.js';
import { machineFolder } from '../../machine/machine-folder.js';
import { syncFolder } from '../../machine/sync-folder.js';

/**
 * If the service runs as root, the server runs as another user, who needs execute (not read) permission on the parent
 * folders.
 */
const ownFolderMode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700);

/**
 * Creates a folder and its missing parents with exactly this mode, regardless of the umask. Existing folders are
 * unchanged.
 */
export async function makePrivateFolder(folder: string, mode = ownFolderMode()): Promise<void> {
  try {
    await mkdir(folder, { mode });
    await chmod(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    // Some file systems (/proc) return ENOENT although the parent exists. Retry only if the parent is missing.
    if (code !== 'ENOENT' || dirname(folder) === folder || (await exists(dirname(folder)))) throw error;
    await makePrivateFolder(dirname(folder), mode);
    await makePrivateFolder(folder, mode);
  }
}

/**
 * Creates DATA_DIR and its `postgres` folder if missing; returns the real path of `postgres`. If the service runs as
 * root, other users get execute permission on the data folder, but only if the folder is empty or contains `postgres`.
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  try {
    await makePrivateFolder(dataDir);
    const root = await realpath(dataDir);
    const { mode, uid } = await stat(root);
    if (process.getuid?.() === 0 && uid === 0 && (mode & 0o001) === 0) {
      const content = await readdir(root);
      if (content.length === 0 || content.includes('postgres')) await chmod(root, (mode & 0o7777) | 0o011);
    }
    const folder = join(root, 'postgres');
    await makePrivateFolder(folder);
    return folder;
  } catch (error) {
    throw folderError(dataDir, error);
  }
}

/** Whether a data folder contains a database, possibly an incomplete one. Changes nothing. */
export const holdsDatabase = (dataDir: string): Promise<boolean> => exists(join(dataDir, 'postgres'));

/**
 * If the service runs as root: the folder for files that the server's user could not access elsewhere. Throws
 * EmbeddedPostgresError if there is none.
 */
export async function openSharedFolder(): Promise<string> {
  const folder = await machineFolder();
  if (folder !== undefined) return folder;
  throw new EmbeddedPostgresError(
    'As this service is root, PostgreSQL runs as another user, who can enter neither DATA_DIR nor ' +
      '/var/lib/gatehouse: set DATA_DIR to a folder that other users can enter, or set DATABASE_URL.',
  );
}

/** Replaces a small file atomically and durably. */
export async function replaceFile(path: string, content: string, mode = 0o600): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, content, { mode, flush: true });
  await chmod(draft, mode);
  await rename(draft, path);
  await syncFolder(dirname(path));
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
