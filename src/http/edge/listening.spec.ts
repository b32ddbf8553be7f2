import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createListener, type AddressInfo } from 'node:net';
import { listenAdditionally, localOrigin } from './listening.js';

/** An address reserved for documentation (RFC 3849), so no machine has it. */
const NO_ADDRESS = '2001:db8::1';

describe('a second address', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((request, response) => response.end(request.socket.localAddress));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => server.close());

  it('passes its requests to the server of the first address', async () => {
    // Used instead of ::1, because some machines have no ::1.
    const beside = await listenAdditionally(server, { host: '127.0.0.2', port }, false);
    const from = async (host: string): Promise<string> => (await fetch(`http://${host}:${port}`)).text();
    expect([await from('127.0.0.1'), await from('127.0.0.2')]).toEqual(['127.0.0.1', '127.0.0.2']);
    beside!.close();
    server.closeAllConnections();
    await once(beside!, 'close');
  });

  it('that the machine does not have is skipped', async () => {
    expect(await listenAdditionally(server, { host: NO_ADDRESS, port }, false)).toBeUndefined();
  });

  it('that another program uses is skipped with mayBeTaken, and causes an error without mayBeTaken', async () => {
    const other = createListener().listen(port, '127.0.0.2');
    await once(other, 'listening');
    expect(await listenAdditionally(server, { host: '127.0.0.2', port }, true)).toBeUndefined();
    await expect(listenAdditionally(server, { host: '127.0.0.2', port }, false)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    other.close();
  });
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['gateway.example', 'http://gateway.example:3000'],
])('a service that listens on %s is reached at %s', (host, origin) => {
  expect(localOrigin(host, 3000)).toBe(origin);
});
