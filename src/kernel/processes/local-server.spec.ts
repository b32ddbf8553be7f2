import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { LocalServer } from './local-server.js';

describe('a server for the processes of a service', () => {
  it('ends although a process was killed before it read its response', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'local-server-'));
    const path = join(folder, 'test.sock');
    const responded = Promise.withResolvers<void>();
    const server = new LocalServer(async () => responded.resolve());
    await server.listen(path);
    try {
      const client = connect(path).pause();
      await once(client, 'connect');
      client.write(`${JSON.stringify([{ n: 1, request: null }])}\n`);
      await responded.promise;
      // The server writes the response at the end of the turn.
      await turn();
      await turn();
      const ended = server.ended();
      // The operating system reports an unread response as ECONNRESET.
      client.destroy();
      await expect(ended).resolves.toBeUndefined();
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});
