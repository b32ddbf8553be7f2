import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SOCKET = 'egress.sock';
/** What fits a socket's address on every system, its terminating zero included. */
const LONGEST_SOCKET_PATH = 103;

/** A folder of this process alone: in DATA_DIR, or, where its path is too long for a socket, among the temporary files. */
export async function newSocketFolder(dataDir: string): Promise<string> {
  const all = join(dataDir, 'egress');
  await removeLeftovers(all);
  const wanted = join(all, randomBytes(4).toString('hex'));
  const folder = Buffer.byteLength(join(wanted, SOCKET)) <= LONGEST_SOCKET_PATH ? wanted : await mkdtemp(join(tmpdir(), 'gatehouse-egress-'));
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  return folder;
}

/** What services left behind that were killed: nobody answers there any more. Process ids would not tell, across containers. */
async function removeLeftovers(all: string): Promise<void> {
  for (const name of await readdir(all).catch(() => [])) {
    const folder = join(all, name);
    if (await isAbandoned(join(folder, SOCKET))) await rm(folder, { recursive: true, force: true });
  }
}

/** Only a socket that was there and that nobody listens on: one that is still to come belongs to a service that is starting. */
function isAbandoned(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
