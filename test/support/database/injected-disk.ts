import { execFileSync } from 'node:child_process';
import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const NEIGHBOUR_CANARY = 'NEIGHBOUR-CANARY';
export const FILE_CANARY = 'PRIVATE-FILE-OF-THE-INTERN';

/** Files and links on an intern's disk of which the corpus of injections speaks. */
export async function fillInjectedDisk(home: string, neighbourId: string): Promise<void> {
  const at = (name: string): string => join(home, name);
  await writeFile(at('notes.txt'), FILE_CANARY);
  await mkdir(at('inbox'));
  await mkdir(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  const links = {
    'link-to-file': `../../${neighbourId}/home/notes.txt`,
    'link-to-folder': `../../${neighbourId}/home`,
    'link-to-link': 'link-to-folder',
    'link-to-proc': '/proc/self',
    'link-to-root': '/',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, at(name));
  // As the agent itself would have made them: an ordinary user removes no folder of root with what is in it.
  const { uid, gid } = await stat(home);
  execFileSync('chown', ['-hR', `${uid}:${gid}`, home]);
}

/** The notes of the other intern, which every user of this machine may change who reaches them. */
export async function writeNeighbourNotes(home: string): Promise<void> {
  await writeFile(join(home, 'notes.txt'), NEIGHBOUR_CANARY, { mode: 0o666 });
  await chmod(join(home, 'notes.txt'), 0o666);
}
