import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { EgressPasses } from '../../../src/egress/egress-passes.js';
import { Network } from '../../../src/egress/network.js';
import { SecretValue } from '../../../src/kernel/secret-value.js';
import { attempt, type Outcome, type Pass } from '../../support/secrets/egress-client.js';
import { passOf } from '../../support/secrets/egress-pass.js';
import { openEgressStage, type EgressStage } from '../../support/secrets/egress-stage.js';

const BOUND_HOST = 'api.bound.test';
const FREE_HOST = 'elsewhere.test';

describe('the hosts that an intern may reach', () => {
  let on: EgressStage;
  let pass: Pass;
  const resolved: string[] = [];

  beforeAll(async () => {
    on = await openEgressStage();
    pass = await passOf(on.stage.app, on.internId);
    Object.assign(on.stage.app.get(Network, { strict: false }), {
      resolve: async (host: string) => {
        resolved.push(host);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
  }, 60_000);
  afterAll(async () => {
    await on.stage.stop();
    await on.world.close();
    await on.folder.remove();
  });
  beforeEach(() => {
    on.world.arrivals.length = 0;
    resolved.length = 0;
  });
  afterEach(() => allow([]));

  const allow = async (hosts: readonly string[], internId = on.internId): Promise<void> => {
    const { status } = await on.me.api.put(`/interns/${internId}/settings`, { json: { allowed_hosts: hosts } });
    expect(status).toBe(200);
  };
  const anIntern = async (name: string): Promise<string> =>
    (await on.me.api.post('/interns', { json: { name } })).json.id;
  const ask = (host: string, by = pass): Promise<Outcome> => {
    const request = 'GET / HTTP/1.1\r\nHost: $HOST\r\nConnection: close\r\n\r\n';
    return attempt(by, { connect: `${host.includes(':') ? `[${host}]` : host}:443`, request }, [on.world.authority]);
  };
  const isReached = async (host: string, by = pass): Promise<boolean> => {
    const { connected } = await ask(host, by);
    expect([200, 403]).toContain(connected);
    return connected === 200;
  };
  const plain = (host: string): Promise<string> => {
    const socket = connect(pass.port, '127.0.0.1');
    const credentials = Buffer.from(`intern:${pass.token}`).toString('base64');
    const head = [`GET http://${host}/ HTTP/1.1`, `Host: ${host}`, `Proxy-Authorization: Basic ${credentials}`];
    socket.write([...head, 'Connection: close', '', ''].join('\r\n'));
    return text(socket);
  };
  /** Opens a tunnel that stays open. Resolves when the proxy has connected it. */
  const tunnelTo = async (host: string): Promise<{ socket: Socket; closed: Promise<unknown> }> => {
    const socket = connect(pass.port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const credentials = Buffer.from(`intern:${pass.token}`).toString('base64');
    socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n`);
    const head = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(head.toString()).toMatch(/^HTTP\/1\.1 200/);
    return { socket, closed };
  };

  it('are the hosts of its secrets; other hosts are refused before their names are resolved', async () => {
    expect((await ask(BOUND_HOST)).text).toMatch(/^HTTP\/1\.1 200/);
    on.world.arrivals.length = 0;
    resolved.length = 0;
    for (const refused of [await ask(FREE_HOST), { text: await plain(FREE_HOST) }]) {
      expect(refused.text).toMatch(/^HTTP\/1\.1 403/);
      expect(refused.text).toContain('allowed_hosts');
    }
    expect([on.world.arrivals, resolved]).toEqual([[], []]);
  });

  it.each(['sub.api.bound.test', 'bound.test', 'evil-api.bound.test', 'api.bound.test.elsewhere.test'])(
    'do not include %s, which resembles an allowed host',
    async (host) => {
      expect(await isReached(host)).toBe(false);
    },
  );

  it('include the hosts in the settings of the intern at once, and no hosts of other interns', async () => {
    const other = await anIntern('other');
    await allow([FREE_HOST]);
    expect(await isReached(FREE_HOST)).toBe(true);
    expect(await plain(FREE_HOST)).toMatch(/^HTTP\/1\.1 200/);
    expect(await isReached(`sub.${FREE_HOST}`)).toBe(false);
    expect(await isReached(FREE_HOST, await passOf(on.stage.app, other))).toBe(false);
    await allow([]);
    expect(await isReached(FREE_HOST)).toBe(false);
  });

  it('are checked in open tunnels: a tunnel ends when the settings no longer allow its host', async () => {
    await allow([FREE_HOST, 'bound.test']);
    const [ended, kept] = [await tunnelTo(FREE_HOST), await tunnelTo('bound.test')];
    await allow(['bound.test']);
    await ended.closed;
    expect(kept.socket.destroyed).toBe(false);
    kept.socket.destroy();
  });

  it('are checked in open tunnels: a tunnel ends when the secret of its host is deleted', async () => {
    const secret = `/vault/interns/${on.internId}/secrets/brief`;
    await on.me.api.put(secret, { json: { value: 'brief', hosts: [FREE_HOST] } });
    const { closed } = await tunnelTo(FREE_HOST);
    await on.me.api.delete(secret);
    await closed;
    expect(await isReached(FREE_HOST)).toBe(false);
  });

  it('do not include the hosts of a secret that is hidden by another secret of the same name', async () => {
    await on.me.api.put('/vault/secrets/api_token', { json: { value: 'hidden', hosts: [FREE_HOST] } });
    await on.me.api.put('/vault/secrets/in_reach', { json: { value: 'seen', hosts: ['bound.test'] } });
    expect([await isReached(FREE_HOST), await isReached('bound.test')]).toEqual([false, true]);
    for (const name of ['api_token', 'in_reach']) await on.me.api.delete(`/vault/secrets/${name}`);
  });

  it('include hosts that a user allows for one boot, until the permission or the boot ends', async () => {
    const passes = on.stage.app.get(EgressPasses, { strict: false });
    const granted = await passOf(on.stage.app, on.internId, ['ELSEWHERE.test.']);
    expect([await isReached(FREE_HOST, granted), await isReached(FREE_HOST)]).toEqual([true, false]);
    await allow(['bound.test']);
    expect(await isReached(FREE_HOST, granted)).toBe(true);
    passes.disallow(new SecretValue(granted.token), FREE_HOST);
    expect(await isReached(FREE_HOST, granted)).toBe(false);
    passes.revoke(new SecretValue(granted.token));
    expect((await ask(FREE_HOST, granted)).connected).toBe(407);
  });

  it('include an IP address only if the address itself was allowed and is public', async () => {
    await allow([FREE_HOST]);
    expect((await ask('127.0.0.1')).text).toContain('may not reach 127.0.0.1');
    const granted = await passOf(on.stage.app, on.internId, ['127.0.0.1']);
    expect((await ask('127.0.0.1', granted)).text).toContain('not public');
    expect((await ask('::ffff:127.0.0.1', granted)).text).toContain('may not reach');
  });
});
