import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ProxyAgent, request } from 'undici';
import { EgressPasses } from '../../../src/egress/egress-passes.js';
import { attempt, type Outcome, type Pass } from '../../support/secrets/egress-client.js';
import { passOf } from '../../support/secrets/egress-pass.js';
import { CORPUS } from '../../support/secrets/egress-corpus/corpus.js';
import type { EgressCase } from '../../support/secrets/egress-corpus/egress-case.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import type { InternsStage, Member } from '../../support/interns/interns-stage.js';
import type { TemporaryFolder } from '../../support/temporary-folder.js';
import type { TlsWorld } from '../../support/engines/tls-world.js';
import { BOUND, EVERYWHERE, openEgressStage, OTHER_VALUE, VALUE } from '../../support/secrets/egress-stage.js';

describe('the egress proxy', () => {
  let world: TlsWorld;
  let folder: TemporaryFolder;
  let stage: InternsStage;
  let me: Member;
  let internId: string;
  let pass: Pass;

  beforeAll(async () => {
    ({ world, folder, stage, me, internId } = await openEgressStage());
    pass = await aPass();
  }, 60_000);

  afterAll(async () => {
    await stage.stop();
    await world.close();
    await folder.remove();
  });
  beforeEach(() => void world.arrivals.splice(0));

  const aPass = (of = internId): Promise<Pass> => passOf(stage.app, of, EVERYWHERE);
  const act = (wanted: EgressCase): Promise<Outcome> => attempt(pass, wanted, [world.authority]);
  const GET =
    'GET / HTTP/1.1\r\nHost: api.bound.test\r\nAuthorization: Bearer __vault__api_token__\r\nConnection: close\r\n\r\n';
  const uses = async (): Promise<number> =>
    (await stage.sql.query(`select 1 from audit_entry where action = 'use' and resource_kind = 'vault_secret'`)).length;
  const forms = (value: string): string[] => [value, Buffer.from(`user:${value}`).toString('base64')];
  const holds = (text: string, value: string): boolean => forms(value).some((form) => text.includes(form));

  it(`is tested with at least 60 cases: ${CORPUS.length}`, () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
  });

  it.each(
    CORPUS.map(
      (wanted) =>
        [wanted.released ? 'releases the secret for' : 'releases no secret for', wanted.name, wanted] as const,
    ),
  )('%s %s', async (_, __, wanted) => {
    const usesBefore = await uses();
    const { connected, text } = await act(wanted);

    expect(connected).toBe(wanted.status ?? 200);
    expect(text).toMatch(wanted.says ?? /^$/);
    const got = world.arrivals.filter((arrival) => holds(arrival.text, VALUE));
    expect(got.length > 0).toBe(wanted.released);
    if (wanted.arrive) expect(world.arrivals.map(({ url }) => url)).toEqual(wanted.arrive);
    for (const { servername, host } of got) {
      expect(BOUND).toContain(servername);
      expect(host).toBe(servername);
    }
    // In every case, the secret is not returned to the intern, and the other secret is sent nowhere.
    expect(holds(text, VALUE)).toBe(false);
    expect(JSON.stringify([text, world.arrivals])).not.toContain(OTHER_VALUE);
    // The audit row is written before the secret is opened, so it also exists for a bound host to which no safe
    // connection succeeds.
    const opened = wanted.released || /^(untrusted|wrong-name|private)\.bound/.test(wanted.connect);
    expect((await uses()) > usesBefore).toBe(opened);
  });

  it('refuses unencrypted requests with a secret, and passes on unencrypted requests without a secret', async () => {
    const plain = (path: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = {
          'proxy-authorization': `Basic ${Buffer.from(`intern:${pass.token}`).toString('base64')}`,
          host: 'api.bound.test',
        };
        httpRequest({ host: '127.0.0.1', port: pass.port, path, headers }, (answer) =>
          resolve(answer.resume().statusCode!),
        )
          .on('error', reject)
          .end();
      });
    expect(await plain('http://api.bound.test/?key=__vault__api_token__')).toBe(403);
    expect(world.arrivals).toEqual([]);
    expect(await plain('http://api.bound.test/hello')).toBe(200);
    expect(await plain('http://127.0.0.1/')).toBe(403);
    expect(await plain('/relative')).toBe(400);
    expect(world.arrivals.map(({ url }) => url)).toEqual(['/hello']);
  });

  it('masks a secret that the host returns in headers and body, with an asterisk for each character', async () => {
    const { text } = await act({ name: '', released: true, connect: 'api.bound.test:443', request: GET });
    expect(text).toContain(`x-echo: Bearer ${'*'.repeat(VALUE.length)}`);
    expect(text.split('*'.repeat(VALUE.length)).length - 1).toBe(2);
  });

  it.each(['zipped', 'recoded', 'switching'])(
    'passes back no unreadable response (%s) to a request with a secret',
    async (how) => {
      const { text } = await act({
        name: '',
        released: true,
        connect: 'api.bound.test:443',
        request: GET.replace('GET /', `GET /${how}`),
      });
      expect(text).toMatch(/^HTTP\/1\.1 502/);
    },
  );

  it('passes on no WebSocket with unrequested compression, if a secret was sent with the request', async () => {
    const asked = GET.replace('GET /', 'GET /compressing').replace(
      'Connection: close',
      'Connection: Upgrade\r\nUpgrade: websocket',
    );
    expect((await act({ name: '', released: true, connect: 'api.bound.test:443', request: asked })).text).toMatch(
      /^HTTP\/1\.1 502/,
    );
  });

  (LONG_TESTS ? it : it.skip)(
    'waits longer for a response than for a connection',
    async () => {
      const { port, authority } = pass;
      const dispatcher = new ProxyAgent({
        uri: `http://127.0.0.1:${port}`,
        token: `Basic ${Buffer.from(`intern:${pass.token}`).toString('base64')}`,
        requestTls: { ca: [authority] },
      });
      const answer = await request('https://api.bound.test/pondering', { dispatcher });
      expect([answer.statusCode, await answer.body.text()]).toEqual([200, 'at last']);
      await dispatcher.close();
    },
    60_000,
  );

  it('puts no secret with a line break into a header, and encodes such a secret in a path', async () => {
    const value = `two\r\nHost: elsewhere.test\r\n\r\nlines ${randomBytes(8).toString('hex')}`;
    await me.api.put(`/vault/interns/${internId}/secrets/lines`, { json: { value, hosts: ['api.bound.test'] } });
    const inHeader = await act({
      name: '',
      released: false,
      connect: 'api.bound.test:443',
      request: GET.replace('api_token', 'lines'),
    });
    expect(inHeader.text).toMatch(/^HTTP\/1\.1 403/);
    expect(inHeader.text).not.toContain('lines ');
    const inPath = await act({
      name: '',
      released: true,
      connect: 'api.bound.test:443',
      request: 'GET /?key=__vault__lines__ HTTP/1.1\r\nHost: api.bound.test\r\nConnection: close\r\n\r\n',
    });
    expect(inPath.text).toMatch(/^HTTP\/1\.1 200/);
    expect(world.arrivals.map(({ url }) => url)).toEqual([`/?key=${encodeURIComponent(value)}`]);
    await me.api.delete(`/vault/interns/${internId}/secrets/lines`);
  });

  it('frames the body of an unencrypted request: a request hidden in the body is not sent', async () => {
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: api.bound.test\r\n\r\n';
    const credentials = Buffer.from(`intern:${pass.token}`).toString('base64');
    const socket = connect(pass.port, '127.0.0.1');
    socket.write(
      `GET http://api.bound.test/outer HTTP/1.1\r\nHost: api.bound.test\r\n` +
        `Proxy-Authorization: Basic ${credentials}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/);
    expect(world.arrivals.map(({ url }) => url)).toEqual(['/outer']);
  });

  it('releases nothing when the release cannot be audited', async () => {
    await stage.sql.query('alter table audit_entry rename to audit_entry_away');
    const { text } = await act({ name: '', released: false, connect: 'api.bound.test:443', request: GET });
    await stage.sql.query('alter table audit_entry_away rename to audit_entry');
    expect(text).toMatch(/^HTTP\/1\.1 503/);
    expect(world.arrivals).toEqual([]);
  });

  it('uses only the first secret of a name: hosts of other secrets with this name get no secret', async () => {
    await me.api.put('/vault/secrets/api_token', { json: { value: OTHER_VALUE, hosts: ['elsewhere.test'] } });
    await me.api.put('/vault/secrets/opens_it', { json: { value: 'something', hosts: ['elsewhere.test'] } });
    const { text } = await act({
      name: '',
      released: false,
      connect: 'elsewhere.test:443',
      request: GET.replace('api.bound.test', 'elsewhere.test'),
    });
    await me.api.delete('/vault/secrets/api_token');
    await me.api.delete('/vault/secrets/opens_it');
    expect(text).toMatch(/^HTTP\/1\.1 403/);
    expect(text).toContain('not bound');
    expect(world.arrivals).toEqual([]);
  });

  it('releases no secret of an intern to another intern, and none for an ended pass', async () => {
    const other = (await me.api.post('/interns', { json: { name: 'other' } })).json.id;
    const theirs = await attempt(await aPass(other), { connect: 'api.bound.test:443', request: GET }, [
      world.authority,
    ]);
    expect(theirs.text).toMatch(/^HTTP\/1\.1 200/);
    expect(world.arrivals.every(({ text }) => !text.includes(VALUE))).toBe(true);
    const ended = await aPass();
    stage.app.get(EgressPasses, { strict: false }).revoke({ reveal: () => ended.token } as never);
    expect((await attempt(ended, { connect: 'api.bound.test:443', request: GET })).connected).toBe(407);
  });

  it('no longer releases a secret to a host after the secret has been bound to another host', async () => {
    await me.api.put(`/vault/interns/${internId}/secrets/brief`, {
      json: { value: 'brief-value', hosts: ['api.bound.test'] },
    });
    const request = GET.replace('api_token', 'brief');
    expect((await act({ name: '', released: true, connect: 'api.bound.test:443', request })).text).toMatch(
      /^HTTP\/1\.1 200/,
    );
    await me.api.put(`/vault/interns/${internId}/secrets/brief`, {
      json: { value: 'brief-value', hosts: ['other.bound.test'] },
    });
    expect((await act({ name: '', released: false, connect: 'api.bound.test:443', request })).text).toMatch(
      /^HTTP\/1\.1 403/,
    );
  });

  it('uses only one certificate authority for the installation, and seals the key of the authority', async () => {
    const rows = await stage.sql.query<{ certificate: string; sealed: string }>(
      `select certificate, encode(sealed_key, 'escape') as sealed from egress_authority`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.certificate).toBe(pass.authority);
    expect(rows[0]!.sealed).not.toContain('PRIVATE KEY');
  });
});
