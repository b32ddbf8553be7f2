import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The portable maximum length of a socket path, without the terminating zero. */
const MAX_SOCKET_PATH_BYTES = 103;

interface SocketFolder {
  readonly dataDir: string;
  /** Name of the folder in `dataDir` that contains one folder per process. */
  readonly name: string;
  /** The socket with the longest name. A process listens on this socket as long as the process runs. */
  readonly socket: string;
  /** The permissions of the folder. */
  readonly mode: number;
}

/**
 * Creates a folder for the sockets of this process: in DATA_DIR, or in the temporary directory if the path would be too
 * long for a socket.
 */
export async function newSocketFolder({ dataDir, name, socket, mode }: SocketFolder): Promise<string> {
  const all = join(dataDir, name);
  const prefix = `gatehouse-${name}-`;
  const wanted = join(all, randomBytes(4).toString('hex'));
  const fits = Buffer.byteLength(join(wanted, socket)) <= MAX_SOCKET_PATH_BYTES;
  await (fits ? removeLeftovers(all, '', socket) : removeLeftovers(tmpdir(), prefix, socket));
  const folder = fits ? wanted : await mkdtemp(join(tmpdir(), prefix));
  await mkdir(folder, { recursive: true });
  await chmod(folder, mode);
  return folder;
}

/**
 * Removes the folders of killed services. The sockets in these folders refuse connections. Process ids are not used to
 * find them, because a service may run in another container.
 */
async function removeLeftovers(all: string, prefix: string, socket: string): Promise<void> {
  const names = await readdir(all).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const folder = join(all, name);
    // Deleting a folder of another user fails; the failure is ignored.
    if (await isAbandoned(join(folder, socket)))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Whether the socket exists but no process listens on it. A folder without a socket belongs to a service that is
 * starting.
 */
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
