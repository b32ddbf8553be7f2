import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, opendir, rename, rm, type FileHandle } from 'node:fs/promises';
import { ToolError } from './tool.ts';

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const MAX_PATH_CHARACTERS = 1_024;
const MAX_DEPTH = 32;
const MAX_FILE_BYTES = 16_777_216;

interface Folder {
  readonly handle: FileHandle;
  /** A path to an entry of the folder. */
  readonly entry: (name: string) => string;
}

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
}

/**
 * The files below a folder. A path is opened one component at a time, relative to the previous open folder, and
 * symbolic links are not followed. On Linux, files outside the folder cannot be reached, even while entries are
 * replaced.
 */
export class ConfinedDisk {
  readonly #root: string;
  /** An entry of the root that is hidden from callers. */
  readonly #hidden: string | undefined;

  constructor(root: string, hidden?: string) {
    this.#root = root;
    this.#hidden = hidden;
  }

  /** Returns at most `max` entries, sorted by name. */
  async list(path: string, max: number): Promise<Entry[]> {
    const names = this.#namesOf(path);
    return this.#in(names, false, async ({ entry }) => {
      const found: Entry[] = [];
      for await (const { name } of await opendir(entry('.'))) {
        if (found.length === max) break;
        if (names.length === 0 && name === this.#hidden) continue;
        const stat = await lstat(entry(name)).catch(() => undefined);
        const kind = stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : 'other';
        found.push({ name, kind, bytes: stat?.size ?? 0 });
      }
      return found.sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  /** Returns up to `maxBytes` from `offset`, and the size of the file. */
  read(path: string, offset: number, maxBytes: number): Promise<{ bytes: Buffer; size: number }> {
    return this.#withParent(path, false, async ({ entry }, name) => {
      const file = await openFile(entry(name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      try {
        const { size } = await file.stat();
        const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, offset);
        return { bytes: buffer.subarray(0, bytesRead), size };
      } finally {
        await file.close();
      }
    });
  }

  /** Creates or replaces a file atomically, and creates missing folders. Durable when it resolves. */
  write(path: string, content: string): Promise<void> {
    return this.#withParent(path, true, async ({ handle, entry }, name) => {
      const temporary = entry(`.${randomBytes(8).toString('hex')}.tmp`);
      const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
        // Replaces a symbolic link, never its target.
        await rename(temporary, entry(name));
        await handle.sync();
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    });
  }

  append(path: string, content: string): Promise<void> {
    return this.#withParent(path, true, async ({ entry }, name) => {
      const file = await openFile(entry(name), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOFOLLOW);
      try {
        const { size } = await file.stat();
        if (size + Buffer.byteLength(content) > MAX_FILE_BYTES)
          throw new ToolError(`The file would exceed ${MAX_FILE_BYTES} bytes`);
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
    });
  }

  async #withParent<T>(path: string, create: boolean, work: (folder: Folder, name: string) => Promise<T>): Promise<T> {
    const names = this.#namesOf(path);
    const name = names.pop();
    if (name === undefined) throw new ToolError('The path names a folder, not a file');
    return this.#in(names, create, (folder) => work(folder, name));
  }

  #namesOf(path: string): string[] {
    if (path.length > MAX_PATH_CHARACTERS) throw new ToolError('The path is too long');
    if (path.startsWith('/'))
      throw new ToolError('Paths are relative to the root of the disk: leave out the first "/"');
    const names = path.split('/').filter((name) => name !== '' && name !== '.');
    if (names.length > MAX_DEPTH) throw new ToolError(`A path must have at most ${MAX_DEPTH} parts`);
    if (names.includes('..') || path.includes('\0')) throw new ToolError('A path must not contain ".."');
    if (this.#hidden !== undefined && names[0]?.toLowerCase() === this.#hidden)
      throw new ToolError(`The folder ${this.#hidden} is reserved`);
    return names;
  }

  async #in<T>(names: readonly string[], create: boolean, work: (folder: Folder) => Promise<T>): Promise<T> {
    let folder = await openFolder(this.#root);
    try {
      for (const name of names) {
        const path = folder.entry(name);
        if (create)
          await mkdir(path, 0o700).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== 'EEXIST') throw error;
          });
        const next = await openFolder(path);
        await folder.handle.close();
        folder = next;
      }
      return await work(folder);
    } catch (error) {
      throw asToolError(error);
    } finally {
      await folder.handle.close();
    }
  }
}

async function openFolder(path: string): Promise<Folder> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  // Linux resolves this path to the open folder itself, as openat() does, even if the folder has been moved.
  const base = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
  return { handle, entry: (name) => `${base}/${name}` };
}

/** Opens only a regular file, because reading a device or a pipe could block or have effects. */
async function openFile(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags, 0o600);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new ToolError('This is not a regular file');
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder',
  ENOTDIR: 'A part of the path is not a folder, or is a symbolic link, which is not followed',
  ELOOP: 'Symbolic links are not followed',
  EISDIR: 'This is a folder',
  ENXIO: 'This is not a regular file',
  EACCES: 'Permission denied',
  EPERM: 'Permission denied',
  ENAMETOOLONG: 'A part of the path is too long',
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk is full',
  EROFS: 'The disk is read-only',
};

function asToolError(error: unknown): unknown {
  const message = MESSAGES[(error as NodeJS.ErrnoException).code ?? ''];
  return message === undefined ? error : new ToolError(message);
}
