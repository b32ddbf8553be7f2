import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { EgressPasses } from '../../../src/egress/egress-passes.js';
import { MAX_OPEN_PER_PASS, MAX_UNKNOWN_CONNECTIONS } from '../../../src/egress/proxy-connections.js';
import { eventually } from '../../support/eventually.js';
import { passOf } from '../../support/secrets/egress-pass.js';
import type { Pass } from '../../support/secrets/egress-client.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('the connections of interns to the egress proxy', () => {
  let service: TestService;
  let pass: Pass;
  let opened: Socket[];
  beforeAll(async () => {
    service = await startTestService();
    pass = await passOf(service.app, crypto.randomUUID());
  });
  afterAll(() => service.stop());
  beforeEach(() => void (opened = []));
  afterEach(() => opened.forEach((socket) => socket.destroy()));

  async function open(): Promise<Socket> {
    const socket = connect(pass.port, '127.0.0.1').on('error', () => undefined);
    opened.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  /** The status of a request that keeps its connection open. */
  async function statusOn(socket: Socket, token = pass.token): Promise<string> {
    const credentials = Buffer.from(`intern:${token}`).toString('base64');
    socket.write('GET http://gatehouse.internal/api/v1/models HTTP/1.1\r\nHost: x\r\n');
    socket.write(`Proxy-Authorization: Basic ${credentials}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    return head.toString('latin1').split(' ')[1]!;
  }

  it(`are limited to ${MAX_OPEN_PER_PASS} for each boot of an intern`, async () => {
    // Open connections and running requests both count. The requests of these connections have ended.
    for (let number = 1; number < MAX_OPEN_PER_PASS; number++) expect(await statusOn(await open())).toBe('401');
    expect(await statusOn(opened[0]!)).toBe('401');
    expect(await statusOn(await open())).toBe('503');
    expect(await statusOn(opened[0]!)).toBe('503');
    const other = service.app.get(EgressPasses, { strict: false }).issue(crypto.randomUUID()).reveal();
    expect(await statusOn(await open(), other)).toBe('401');
    for (const socket of opened.slice(1, 20)) socket.destroy();
    await eventually(async () => expect(await statusOn(await open())).toBe('401'));
  }, 60_000);

  it(`are limited to ${MAX_UNKNOWN_CONNECTIONS} before authentication: one more closes the oldest`, async () => {
    const known = await open();
    expect(await statusOn(known)).toBe('401');
    const first = await open();
    const second = await open();
    first.resume();
    for (let number = 2; number < MAX_UNKNOWN_CONNECTIONS; number++) await open();
    expect(first.destroyed).toBe(false);
    await open();
    await eventually(() => Promise.resolve(expect(first.destroyed).toBe(true)));
    expect([await statusOn(known), await statusOn(second), await statusOn(opened.at(-1)!)]).toEqual([
      '401',
      '401',
      '401',
    ]);
  }, 60_000);
});
