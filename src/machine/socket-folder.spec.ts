import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../../test/support/temporary-folder.js';
import { newSocketFolder } from './socket-folder.js';

const SOCKET = 'server.sock';
const newFolder = (dataDir: string): Promise<string> =>
  newSocketFolder({ dataDir, name: 'server', socket: SOCKET, mode: 0o700 });

describe('the folder of a socket', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());
  const isThere = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );

  it('is a new folder for each process, and the folders of running processes are kept', async () => {
    const first = await newFolder(folder.path);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(first, SOCKET), resolve));
    const second = await newFolder(folder.path);
    expect(second).not.toBe(first);
    expect(await isThere(first)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });

  const long = (): string => join(folder.path, 'x'.repeat(100));

  it.each([
    ['in DATA_DIR', () => folder.path],
    ['among the temporary files', long],
  ])('replaces the folder that a killed service left %s', async (_, dataDir) => {
    const left = await newFolder(dataDir());
    const killed = spawn(
      process.execPath,
      [
        '-e',
        `require('node:net').createServer().listen(${JSON.stringify(join(left, SOCKET))}, () => console.log('up'))`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const next = await newFolder(dataDir());
    expect(await isThere(left)).toBe(false);
    await rm(next, { recursive: true });
  });

  it('is in the folder of temporary files if its path would be too long for a socket', async () => {
    const found = await newFolder(long());
    expect(Buffer.byteLength(join(found, SOCKET))).toBeLessThan(104);
    await rm(found, { recursive: true });
  });
});
