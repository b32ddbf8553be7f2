import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinStreams } from './join-streams.js';

const BYTES = 4_000_000;
const slowMask = (): Transform =>
  new Transform({ transform: (chunk, _, done) => void setTimeout(() => done(null, chunk), 3) });

/** Both ends of a connection. */
async function connection(server: Server): Promise<readonly [Socket, Socket]> {
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[far]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, once(near, 'connect')]);
  for (const socket of [near, far]) socket.on('error', () => undefined);
  return [near, far];
}

describe('two streams that are joined', () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    ['without a mask', () => []],
    ['with a slow mask', () => [slowMask()]],
  ])('%s lose no bytes that the host sent before closing, although the intern reads slowly', async (_, masks) => {
    const [intern, inner] = await connection(server);
    const [host, outer] = await connection(server);
    joinStreams(inner, outer, masks());
    host.end(Buffer.alloc(BYTES, 'x'));
    let got = 0;
    const ended = once(intern, 'end');
    await sleep(100);
    intern.on('data', (part: Buffer) => (got += part.length));
    await ended;
    expect(got).toBe(BYTES);
    intern.destroy();
  });

  it('close together: the connection to the host closes when the intern closes its connection', async () => {
    const [intern, inner] = await connection(server);
    const [host, outer] = await connection(server);
    joinStreams(inner, outer);
    intern.write('hello');
    expect(String(await once(host, 'data'))).toBe('hello');
    const closed = once(host, 'close');
    intern.destroy();
    await closed;
    expect(inner.destroyed && outer.destroyed).toBe(true);
  });
});
