import { chmod, mkdir, readdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError, folderError } from './embedded-postgres.errors.js';
import { syncFolder } from '../../kernel/sync-folder.js';

/** As root the server runs as another user, who must pass through (not list) the folders above its own. */
const ownFolderMode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700);

/** Makes a folder and its missing parents with exactly this mode, whatever the umask. Folders that exist stay as they are. */
export async function makeFolder(folder: string, mode = ownFolderMode()): Promise<void> {
  try {
    await mkdir(folder, { mode });
    await chmod(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    // Some file systems (/proc) say ENOENT though the parent is there: only a missing parent is worth another try.
    if (code !== 'ENOENT' || dirname(folder) === folder || (await exists(dirname(folder)))) throw error;
    await makeFolder(dirname(folder), mode);
    await makeFolder(folder, mode);
  }
}

/**
 * Opens DATA_DIR (made when missing) and the `postgres` folder in it; answers the path of the latter, free of symbolic links.
 * As root, a data folder that others cannot pass is opened for passing only if it is evidently Gatehouse's own.
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir);
    const root = await realpath(dataDir);
    const { mode, uid } = await stat(root);
    if (process.getuid?.() === 0 && uid === 0 && (mode & 0o001) === 0) {
      const content = await readdir(root);
      if (content.length === 0 || content.includes('postgres')) await chmod(root, (mode & 0o7777) | 0o011);
    }
    const folder = join(root, 'postgres');
    await makeFolder(folder);
    return folder;
  } catch (error) {
    throw folderError(dataDir, error);
  }
}

/** Where root keeps what the server's user cannot reach elsewhere. Only a folder that no one but root can have prepared. */
export async function openSharedFolder(): Promise<string> {
  for (const candidate of ['/var/lib/gatehouse', '/var/tmp/gatehouse']) {
    try {
      await makeFolder(candidate, 0o711);
      const found = await stat(candidate);
      if (found.uid === 0 && (found.mode & 0o022) === 0 && (await realpath(candidate)) === candidate) return candidate;
    } catch {
      continue;
    }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL runs as user "nobody", who can reach neither DATA_DIR nor a folder /var/lib/gatehouse: set DATA_DIR to a folder that others may pass through, or set DATABASE_URL.',
  );
}

/** Replaces a small file of the owner's in one step that survives a power cut. */
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
