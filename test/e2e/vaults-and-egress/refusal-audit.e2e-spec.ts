import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { RefusalAudit } from '../../../src/egress/refusal-audit.js';
import { attempt, type Outcome, type Pass } from '../../support/secrets/egress-client.js';
import { passOf } from '../../support/secrets/egress-pass.js';
import { openEgressStage, VALUE, type EgressStage } from '../../support/secrets/egress-stage.js';
import { eventually } from '../../support/eventually.js';
import { SetClock } from '../../support/services/test-service.js';

const START = Date.UTC(2026, 10, 22);
const WINDOW_MS = 60_000;

describe('refusals of the egress proxy to an intern', () => {
  let on: EgressStage;
  let pass: Pass;
  let id: string;
  const clock = new SetClock(new Date(START));
  let interns = 0;
  beforeAll(async () => {
    on = await openEgressStage();
    Object.assign(on.stage.app.get(RefusalAudit, { strict: false }), { clock });
  }, 60_000);
  beforeEach(async () => {
    clock.set(new Date(START));
    id = (await on.me.api.post('/interns', { json: { name: `in-${++interns}` } })).json.id;
    await on.me.api.put(`/vault/interns/${id}/secrets/api_token`, {
      json: { value: VALUE, hosts: ['api.bound.test', 'private.bound.test'] },
    });
    await on.me.api.put(`/interns/${id}/settings`, { json: { allowed_hosts: ['other.bound.test', 'elsewhere.test'] } });
    pass = await passOf(on.stage.app, id);
  });
  afterAll(async () => {
    await on.stage.stop();
    await on.world.close();
    await on.folder.remove();
  });

  const ask = (host: string, secret = ''): Promise<Outcome> =>
    attempt(
      pass,
      {
        connect: `${host}:443`,
        request: `GET / HTTP/1.1\r\nHost: $HOST\r\nx: ${secret}\r\nConnection: close\r\n\r\n`,
      },
      [on.world.authority],
    );
  const plain = (host: string, secret: string): Promise<string> => {
    const socket = connect(pass.port, '127.0.0.1');
    const credentials = Buffer.from(`intern:${pass.token}`).toString('base64');
    const head = [`GET http://${host}/ HTTP/1.1`, `Host: ${host}`, `Proxy-Authorization: Basic ${credentials}`];
    socket.write([...head, `x: ${secret}`, 'Connection: close', '', ''].join('\r\n'));
    return text(socket);
  };
  const entries = async (): Promise<string[]> =>
    (
      await on.stage.sql.query<{ kind: string; id: string }>(
        `select resource_kind as kind, resource_id as id from audit_entry
         where action = 'refuse' and actor = 'service' and account_id = $2 and starts_with(resource_id, $1)
         order by id`,
        [`${id}/`, on.me.accountId],
      )
    ).map(({ kind, id: resource }) => `${kind} ${resource.slice(id.length + 1)}`);
  const recorded = (expected: readonly string[]) =>
    eventually(async () => expect((await entries()).toSorted()).toEqual(expected.toSorted()));

  it('are audited for hosts, private addresses and secrets, with the name but not the value of a secret', async () => {
    expect((await ask('evil.test')).connected).toBe(403);
    expect((await ask('private.bound.test')).text).toContain('403');
    expect((await ask('api.bound.test', '__vault__no_such__')).text).toContain('403');
    await on.me.api.put(`/vault/interns/${id}/secrets/other_token`, {
      json: { value: VALUE, hosts: ['other.bound.test'] },
    });
    expect((await ask('other.bound.test', '__vault__api_token__')).text).toContain('403');
    expect(await plain('elsewhere.test', '__vault__api_token__')).toContain('403');
    await recorded([
      'egress_host evil.test',
      'egress_host private.bound.test',
      'egress_secret no_such@api.bound.test',
      'egress_secret api_token@other.bound.test',
      'egress_secret api_token@elsewhere.test',
    ]);
    const all = await on.stage.sql.query('select * from audit_entry');
    expect(
      JSON.stringify(all, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(VALUE);
  });

  it('are recorded once a minute for each host, however often the agent tries to reach the host', async () => {
    for (let round = 0; round < 20; round++) await ask('evil.test');
    clock.set(new Date(START + WINDOW_MS - 1));
    await ask('evil.test');
    await ask('last.test');
    await recorded(['egress_host evil.test', 'egress_host last.test']);
    clock.set(new Date(START + WINDOW_MS));
    await ask('evil.test');
    await recorded(['egress_host evil.test', 'egress_host evil.test', 'egress_host last.test']);
  });

  it('cause at most ten audit rows a minute for each intern, however many hosts its agent tries', async () => {
    for (let host = 0; host < 30; host++) expect((await ask(`h${host}.test`)).connected).toBe(403);
    await recorded(Array.from({ length: 10 }, (_, host) => `egress_host h${host}.test`));
    const [before, other] = [id, (await on.me.api.post('/interns', { json: { name: 'beside' } })).json.id];
    [id, pass] = [other, await passOf(on.stage.app, other)];
    await ask('evil.test');
    await recorded(['egress_host evil.test']);
    id = before;
    expect(await entries()).toHaveLength(10);
  });

  it('do not include allowed requests', async () => {
    expect((await ask('elsewhere.test')).connected).toBe(200);
    expect((await ask('api.bound.test', '__vault__api_token__')).text).toMatch(/^HTTP\/1.1 200/);
    await ask('evil.test');
    await recorded(['egress_host evil.test']);
  });
});
