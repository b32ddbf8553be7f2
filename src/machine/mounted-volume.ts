import { readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where a folder of a container is stored: in the container itself, in an unnamed volume, or on another mount. */
type Storage = 'container' | 'anonymous volume' | 'mount';

const IN_MEMORY = new Set(['tmpfs', 'ramfs']);
/** Docker names an anonymous volume by 64 hex digits. The volume is deleted with its container. */
const ANONYMOUS = /\/volumes\/[0-9a-f]{64}\/_data(?:\/|$)/;

/**
 * The storage of a folder, which may not exist yet. `mounts`: the text of /proc/self/mountinfo. A file system in memory
 * counts as the container.
 */
export async function storageOf(folder: string, mounts?: string): Promise<Storage> {
  const path = await existing(folder);
  const text = mounts ?? (await readFile('/proc/self/mountinfo', 'utf8'));
  // "36 35 98:0 /root /mount-point options … - type source options", with octal escapes.
  const covering = text
    .split('\n')
    .map((line) => line.split(' '))
    .filter((words) => words.length > 6 && isBelow(path, unescaped(words[4]!)));
  // If several mounts have the same mount point, the last one hides the others.
  const mount = covering.reduce<string[] | undefined>(
    (found, words) => (found && found[4]!.length > words[4]!.length ? found : words),
    undefined,
  );
  if (!mount || mount[4] === '/' || IN_MEMORY.has(mount[mount.indexOf('-') + 1]!)) return 'container';
  return ANONYMOUS.test(unescaped(mount[3]!)) ? 'anonymous volume' : 'mount';
}

const isBelow = (path: string, mountPoint: string): boolean =>
  mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`);

const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** The real path of the folder, or of its nearest existing parent. */
async function existing(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (folder === '/') throw error;
    return existing(dirname(folder));
  }
}
