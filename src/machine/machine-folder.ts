import { chmod, mkdir, realpath, stat } from 'node:fs/promises';

const CANDIDATES = ['/var/lib/gatehouse', '/var/tmp/gatehouse'];

/**
 * The folder for data that all installations on this machine share; root only. Root owns the folder, and other users
 * cannot write to it. If this function creates the folder, other users cannot list it either. Undefined if no candidate
 * can be used.
 */
export async function machineFolder(): Promise<string | undefined> {
  for (const candidate of CANDIDATES) {
    try {
      await mkdir(candidate, { mode: 0o711 }).then(
        () => chmod(candidate, 0o711),
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
        },
      );
      const found = await stat(candidate);
      if (
        found.isDirectory() &&
        found.uid === 0 &&
        (found.mode & 0o022) === 0 &&
        (await realpath(candidate)) === candidate
      )
        return candidate;
    } catch {
      // Try the next candidate.
    }
  }
  return undefined;
}
