import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EgressPasses } from '../../../src/egress/egress-passes.js';
import { EgressProxy } from '../../../src/egress/egress-proxy.js';
import { Network } from '../../../src/egress/network.js';
import { ServiceHost } from '../../../src/egress/service-host.js';
import type { ApiClient } from '../../support/api/api-client.js';
import { attempt } from '../../support/secrets/egress-client.js';
import { eventually } from '../../support/eventually.js';
import { mintInternKey } from '../../support/interns/intern-origin.js';
import { chatChunk } from '../../support/vendors/scripted-chat-vendor.js';
import { HELLO, startTextStage, streamedChunks, type TextStage } from '../../support/calls/text-stage.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const CHAT = { model: 'rules/openai', messages: HELLO };

describe('the service host, by which an intern reaches this service,', () => {
  let stage: TextStage;
  let internId: string;
  let otherId: string;
  let key: string;
  let own: ApiClient;
  let proxy: { readonly port: number; readonly socketFolder: string; readonly authority: string };
  let credentials: string;
  let token: string;
  const resolved: string[] = [];

  beforeAll(async () => {
    stage = await startTextStage({ env: { TRUST_PROXY: 'loopback' } });
    const { app, sql, standard } = stage.service;
    internId = (await standard.post('/interns', { json: { name: 'ab' } })).json.id;
    otherId = (await standard.post('/interns', { json: { name: 'other' } })).json.id;
    key = await mintInternKey(app, sql, internId);
    own = await stage.service.inside(internId, key);
    proxy = await app.get(EgressProxy, { strict: false }).endpoint();
    token = app.get(EgressPasses, { strict: false }).issue(internId).reveal();
    credentials = `Basic ${Buffer.from(`intern:${token}`).toString('base64')}`;
    Object.assign(app.get(Network, { strict: false }), {
      resolve: async (host: string) => {
        resolved.push(host);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
  }, 60_000);
  afterAll(() => stage.stop());
  beforeEach(() => void resolved.splice(0));

  /** Sends one request unchanged to the TCP port or the socket of the proxy. Resolves with the complete response. */
  const say = (lines: readonly string[], body = '', at: NetConnectOpts = { port: proxy.port, host: '127.0.0.1' }) => {
    const socket = connect(at);
    socket.write([...lines, `Proxy-Authorization: ${credentials}`, 'Connection: close', '', body].join('\r\n'));
    return text(socket);
  };

  it("accepts the intern's own key for a call of text, buffered and streamed", async () => {
    expect((await own.post('/chat/completions', { json: CHAT })).json.model).toBe('rules/openai');
    const streamed = await own.post('/chat/completions', { json: { ...CHAT, stream: true } });
    expect(streamedChunks(streamed).length).toBeGreaterThan(3);
    expect(streamed.headers.get('x-request-id')).toMatch(/./);
    expect(resolved).toEqual([]);
  });

  it('serves requests on the socket for containers like requests on the port', async () => {
    const body = JSON.stringify(CHAT);
    const at = { path: join(proxy.socketFolder, 'egress.sock') };
    const lines = [
      'POST http://gatehouse.internal/api/v1/chat/completions HTTP/1.1',
      'Host: gatehouse.internal',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    expect(await say(lines, body, at)).toMatch(/^HTTP\/1\.1 200 [^]*"model":"rules\/openai"/);
  });

  it('is the only way to use the key of an intern', async () => {
    for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }] as Record<string, string>[]) {
      const outside = await stage.service.as().post('/messages', { json: {}, headers });
      expect([outside.status, outside.json.error.message]).toEqual([
        401,
        expect.stringContaining('inside its runtime'),
      ]);
    }
    const theirs = await stage.service.inside(otherId, key);
    expect((await theirs.get('/key')).status).toBe(401);
    expect((await own.get('/key')).status).toBe(200);
  });

  it('refuses all other keys and requests without a key', async () => {
    for (const other of [TEST_API_KEY, await mintInternKey(stage.service.app, stage.service.sql, otherId), null])
      for (const path of ['/key', '/models'])
        expect([path, (await own.get(path, { key: other })).status]).toEqual([path, 401]);
    expect((await own.post('/chat/completions', { json: CHAT, key: TEST_API_KEY })).status).toBe(401);
  });

  it('refuses management requests with the key of an intern', async () => {
    const settled = [
      await own.get('/keys'),
      await own.post('/keys', { json: { name: 'x' } }),
      await own.get('/interns'),
    ];
    expect(settled.map(({ status }) => status)).toEqual([401, 401, 404]);
    expect((await own.patch(`/interns/${internId}`, { json: { name: 'cd' } })).status).toBe(404);
  });

  it.each([
    ['a path outside the API', 'http://gatehouse.internal/healthz', 403],
    ['a path that leaves the API', 'http://gatehouse.internal/api/v1/../../readyz', 403],
    ['a path that leaves the API in its encoded form', 'http://gatehouse.internal/api/v1/%2e%2e/%2E%2e/', 403],
    ['another port', 'http://gatehouse.internal:443/api/v1/models', 403],
    ['a port that is closed', 'http://gatehouse.internal:3000/api/v1/models', 403],
    ['a subdomain', 'http://a.gatehouse.internal/api/v1/models', 502],
  ])('serves nothing at %s', async (_, url, status) => {
    const lines = [`GET ${url} HTTP/1.1`, 'Host: gatehouse.internal', `Authorization: Bearer ${key}`];
    const answer = await say(lines);
    expect(answer).toMatch(/^HTTP\/1\.1 (403|502)/);
    if (status === 403) expect(answer).toMatch(/^HTTP\/1\.1 403/);
    expect(resolved).not.toContain('gatehouse.internal');
  });

  it.each(['gatehouse.internal:80', 'gatehouse.internal:443', 'GateHouse.Internal.:443'])(
    'refuses a tunnel: CONNECT %s',
    async (authority) => {
      const { connected } = await attempt({ ...proxy, token }, { connect: authority });
      expect([connected, resolved]).toEqual([403, []]);
    },
  );

  it('passes on neither the proxy credentials nor headers that claim to identify the caller', async () => {
    const seen: IncomingMessage['headers'][] = [];
    const note = ({ headers }: IncomingMessage): void => void seen.push({ ...headers });
    const server = stage.service.app.getHttpServer();
    server.prependListener('request', note);
    await say([
      'GET http://gatehouse.internal/api/v1/key HTTP/1.1',
      'Host: api.regional.test',
      `Authorization: Bearer ${key}`,
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-Host: elsewhere.test',
      'Forwarded: for=203.0.113.7',
    ]);
    server.off('request', note);
    expect(seen).toEqual([{ host: 'gatehouse.internal', authorization: `Bearer ${key}`, connection: 'close' }]);
  });

  it('ends the call of the vendor when the intern leaves in mid-stream', async () => {
    const released = Promise.withResolvers<undefined>();
    const events = [chatChunk({ role: 'assistant', content: 'a' }), chatChunk({ content: 'b' })];
    stage.vendors.openai.script({ events, holdAfter: 1, released: released.promise });
    const calls = stage.vendors.openai.seen.length;
    const call = httpRequest({
      host: '127.0.0.1',
      port: proxy.port,
      method: 'POST',
      path: 'http://gatehouse.internal/api/v1/chat/completions',
      headers: {
        'proxy-authorization': credentials,
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
      },
    });
    call.on('error', () => undefined).end(JSON.stringify({ ...CHAT, stream: true }));
    const answer = await new Promise<IncomingMessage>((resolve) => call.once('response', resolve));
    await new Promise((resolve) => answer.once('data', resolve));
    call.destroy();
    await eventually(async () => expect(stage.vendors.openai.seen[calls]!.aborted).toBe(true));
    released.resolve(undefined);
  });

  it('accepts several requests on one connection, independent of each other', async () => {
    const socket = connect(proxy.port, '127.0.0.1');
    const request = (path: string, more: readonly string[]): string =>
      [`GET http://gatehouse.internal/api/v1${path} HTTP/1.1`, 'Host: gatehouse.internal', ...more, '', ''].join(
        '\r\n',
      );
    const allowed = [`Proxy-Authorization: ${credentials}`, `Authorization: Bearer ${key}`];
    socket.write(request('/key', allowed));
    socket.write(request('/key', allowed.slice(1)));
    socket.write(request('/models/count', [...allowed, 'Connection: close']));
    const statuses = [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '407', '200']);
  });

  // This test must be the last one, because the service stops listening.
  it('accepts requests until the open requests of a stopping service have ended', async () => {
    stage.service.app.getHttpServer().close();
    expect((await own.get('/models/count')).status).toBe(200);
    stage.service.app.get(ServiceHost, { strict: false }).onModuleDestroy();
    const answer = await say([
      'GET http://gatehouse.internal/api/v1/models/count HTTP/1.1',
      'Host: gatehouse.internal',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 503/);
  });
});
