import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../../test/support/temporary-folder.js';
import { newSocketFolder, SOCKET } from './socket-folder.js';

describe('the folder of the proxy\'s socket', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());
  const isThere = (path: string): Promise<boolean> => access(path).then(() => true, () => false);

  it('is a new one for each process, and leaves those of living ones alone', async () => {
    const first = await newSocketFolder(folder.path);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(first, SOCKET), resolve));
    const second = await newSocketFolder(folder.path);
    expect(second).not.toBe(first);
    expect(await isThere(first)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });

  it('removes what a killed service left', async () => {
    const left = await newSocketFolder(folder.path);
    const killed = spawn(process.execPath, ['-e', `require('node:net').createServer().listen(${JSON.stringify(join(left, SOCKET))}, () => console.log('up'))`], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await newSocketFolder(folder.path);
    expect(await isThere(left)).toBe(false);
  });

  it('lies among the temporary files where its path would be too long for a socket', async () => {
    const found = await newSocketFolder(join(folder.path, 'x'.repeat(100)));
    expect(Buffer.byteLength(join(found, SOCKET))).toBeLessThan(104);
  });
});
