import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../../config/config.js';
import { CallerConnections } from '../connections/caller-connections.js';
import { RequestDrain } from './request-drain.js';

const DELAY_MS = 1_000;
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** A keep-alive connection, with all data that was received on it. */
interface Kept {
  readonly socket: Socket;
  text(): string;
}

describe('a server that drains', () => {
  let server: Server;
  let drain: RequestDrain;
  let responses: ServerResponse[];
  const sockets: Socket[] = [];
  beforeEach(async () => {
    responses = [];
    server = createServer((_, response) => void responses.push(response));
    drain = new RequestDrain(server, new CallerConnections(server, Config.read({})));
    await drain.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function connected(): Promise<Kept> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    await once(socket, 'connect');
    return { socket, text: () => text };
  }

  const requested = async (count: number): Promise<ServerResponse> => {
    while (responses.length < count) await sleep(5);
    return responses[count - 1]!;
  };

  async function untilClosed(): Promise<void> {
    while (server.listening) await sleep(5);
  }

  it.each(['before', 'after'])(
    'keeps a connection open for one more request if its response ends %s the listener closes',
    async (when) => {
      const { socket, text } = await connected();
      socket.write(GET);
      const stream = await requested(1);
      stream.write('first piece');
      const drained = drain.drain(DELAY_MS, 10_000);
      await sleep(DELAY_MS / 2);
      if (when === 'before') stream.end();
      await untilClosed();
      stream.end();
      await sleep(100);
      // A proxy does this if it has not received `Connection: close`.
      socket.write(GET);
      (await requested(2)).end('next');
      expect(await drained).toBe(0);
      expect(
        text()
          .match(/^connection: [\w-]+/gim)!
          .map((line) => line.toLowerCase()),
      ).toEqual(['connection: keep-alive', 'connection: close']);
      expect(text()).toContain('next');
    },
  );

  it('serves the first request of a connection that was opened shortly before the listeners closed', async () => {
    const drained = drain.drain(DELAY_MS, 10_000);
    await sleep(DELAY_MS / 2);
    const { socket, text } = await connected();
    await untilClosed();
    socket.write(GET);
    (await requested(1)).end('first');
    expect(await drained).toBe(0);
    expect(text()).toContain('first');
  });

  it('closes idle connections at once if the delay is 0, and then ends', async () => {
    const { socket } = await connected();
    const closed = once(socket, 'close');
    expect(await drain.drain(0, 10_000)).toBe(0);
    await closed;
  });
});
