import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { CertificateAuthority } from './certificate-authority.js';
import { Interception, MAX_REQUESTS_PER_TUNNEL } from './interception.js';
import type { SecureForwarding } from '../forwarding/secure-forwarding.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: api.bound.test\r\n\r\n';

describe('an opened tunnel', () => {
  const responses: ServerResponse[] = [];
  const forwarding = {
    forward: (_tunnel: unknown, _request: IncomingMessage, response: ServerResponse) => void responses.push(response),
  } as unknown as SecureForwarding;
  const interception = new Interception({} as CertificateAuthority, forwarding);
  const proxy = createServer((socket) =>
    interception.open(socket, { internId: 'i', host: 'api.bound.test', isSecure: false }),
  );
  let client: Socket;

  beforeAll(() => once(proxy.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => proxy.close());
  beforeEach(async () => {
    responses.splice(0);
    client = connect((proxy.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    await once(client, 'connect');
  });
  afterEach(() => client.destroy());

  const arrived = async (count: number): Promise<void> => {
    while (responses.length < count && !client.destroyed) await new Promise((resolve) => setImmediate(resolve));
  };

  it(`accepts ${MAX_REQUESTS_PER_TUNNEL} concurrent requests, and any number of sequential requests`, async () => {
    for (let round = 1; round <= 3; round++) {
      client.write(REQUEST.repeat(MAX_REQUESTS_PER_TUNNEL));
      await arrived(MAX_REQUESTS_PER_TUNNEL);
      for (const response of responses.splice(0)) response.end();
      await once(client, 'data');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(client.destroyed).toBe(false);
  });

  it('is closed by a concurrent request beyond the maximum, before the request reaches the host', async () => {
    client.resume();
    client.write(REQUEST.repeat(1_000));
    await once(client, 'close');
    expect(responses).toHaveLength(MAX_REQUESTS_PER_TUNNEL);
  });
});
