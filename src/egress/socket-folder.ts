import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SOCKET = 'egress.sock';
/** What fits a socket's address on every system, its terminating zero included. */
const LONGEST_SOCKET_PATH = 103;
/** Of folders among the temporary files. */
const PREFIX = 'gatehouse-egress-';

/** A folder of this process alone: in DATA_DIR, or, where its path is too long for a socket, among the temporary files. */
export async function newSocketFolder(dataDir: string): Promise<string> {
  const all = join(dataDir, 'egress');
  const wanted = join(all, randomBytes(4).toString('hex'));
  const fits = Buffer.byteLength(join(wanted, SOCKET)) <= LONGEST_SOCKET_PATH;
  await (fits ? removeLeftovers(all, '') : removeLeftovers(tmpdir(), PREFIX));
  const folder = fits ? wanted : await mkdtemp(join(tmpdir(), PREFIX));
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  return folder;
}

/** What services left behind that were killed: nobody answers there any more. Process ids would not tell, across containers. */
async function removeLeftovers(all: string, prefix: string): Promise<void> {
  const names = await readdir(all).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const folder = join(all, name);
    // Another user's stays.
    if (await isAbandoned(join(folder, SOCKET)))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
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
