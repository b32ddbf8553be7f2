import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { mutate } from './mutate.js';
import type { Mutation } from './mutation.js';

const MAX_LIST_BYTES = 67_108_864;
/** Linked instead of copied. */
const PACKAGES = ['node_modules', 'test/node_modules'];

/** A copy of the working tree in another folder, which mutations may change. Installed packages are linked. */
export class SourceCopy {
  private constructor(readonly root: string) {}

  /** Copies the files that git tracks, and new files that it does not ignore. */
  static async of(root: string): Promise<SourceCopy> {
    const copy = new SourceCopy(await mkdtemp(join(tmpdir(), 'gatehouse-mutations-')));
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: MAX_LIST_BYTES });
    for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
      await mkdir(dirname(join(copy.root, file)), { recursive: true });
      await cp(join(root, file), join(copy.root, file));
    }
    for (const folder of PACKAGES)
      if (existsSync(join(root, folder))) await symlink(join(root, folder), join(copy.root, folder));
    return copy;
  }

  /** Inserts the fault into the source, runs the work, and removes the fault. */
  async withFault<T>(mutation: Mutation, work: () => Promise<T>): Promise<T> {
    const path = join(this.root, mutation.file);
    const source = await readFile(path, 'utf8');
    await writeFile(path, mutate(source, mutation));
    try {
      return await work();
    } finally {
      await writeFile(path, source);
    }
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
