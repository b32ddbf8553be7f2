import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { Client } from 'pg';
import { DeadlineClient } from './deadline-client.js';

const AUTHENTICATION_OK = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

describe('a connection', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    // Accepts the login, and closes the connection on the first statement.
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY]));
        socket.once('data', () => socket.destroy());
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/database`;
  });
  afterAll(() => void server.close());

  it('that is lost between the login and the first statement fails without ending the process', async () => {
    const client: Client = new DeadlineClient({ connectionString: url });
    await expect(client.connect()).rejects.toMatchObject({ message: expect.stringContaining('terminated') });
  });
});
