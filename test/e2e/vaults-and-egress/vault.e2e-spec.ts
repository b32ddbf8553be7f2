import { randomUUID } from 'node:crypto';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

const refusal = (code: number): object => ({ error: { code, message: expect.any(String) } });
const NOT_FOUND = refusal(404);

describe('the vault (docs/api-rules.md, section 11)', () => {
  let stage: InternsStage;
  let me: Member;
  let intern: { id: string; vault_id: string };
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_RUNTIME: 'none', REGIONAL_HOSTNAMES: 'eu.gateway.example' } });
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    me = await stage.member();
    intern = (await me.api.post('/interns', { json: { name: 'keeper' } })).json;
  });
  const secret = (value = 'hunter2', hosts = ['api.example.com']) => ({ json: { value, hosts } });
  const scopes = (): string[] => ['/vault/secrets', `/vault/interns/${intern.id}/secrets`];

  it('stores, lists and deletes secrets of a workspace and of an intern, and shows no value', async () => {
    for (const path of scopes()) {
      const stored = await me.api.put(
        `${path}/api_token`,
        secret('hunter2', ['API.Example.com.', 'b.example', 'api.example.com']),
      );
      expect([stored.status, stored.json.data]).toEqual([
        200,
        {
          name: 'api_token',
          hosts: ['api.example.com', 'b.example'],
          fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
          created_at: expect.any(String),
        },
      ]);
      expect((await me.api.get(path)).json).toEqual({ data: [stored.json.data], has_more: false });
      const gone = await me.api.delete(`${path}/api_token`);
      expect([gone.status, gone.text]).toEqual([204, '']);
      expect((await me.api.delete(`${path}/api_token`)).json).toEqual(NOT_FOUND);
      expect((await me.api.get(path)).json).toEqual({ data: [], has_more: false });
    }
  });

  it('replaces the value and the hosts of a secret with the same name, and keeps created_at', async () => {
    for (const path of scopes()) {
      const first = (await me.api.put(`${path}/token`, secret('one'))).json.data;
      const second = (await me.api.put(`${path}/token`, secret('two', ['c.example']))).json.data;
      expect(second).toMatchObject({ hosts: ['c.example'], created_at: first.created_at });
      expect(second.fingerprint).not.toBe(first.fingerprint);
    }
  });

  it('gives equal values equal fingerprints within a vault, and different ones across vaults', async () => {
    const prints: string[] = [];
    for (const path of scopes())
      for (const name of ['one', 'two'])
        prints.push((await me.api.put(`${path}/${name}`, secret('same'))).json.data.fingerprint);
    expect(prints[0]).toBe(prints[1]);
    expect(prints[2]).toBe(prints[3]);
    expect(prints[0]).not.toBe(prints[2]);
  });

  it('seals values: vault_secret, data_key and audit_entry contain no plaintext', async () => {
    const value = `plain-${randomUUID()}`;
    for (const path of scopes()) await me.api.put(`${path}/token`, secret(value));
    const rows = await stage.sql.query<{ text: string }>(
      `select s::text || encode(s.sealed, 'escape') as text from vault_secret s
       union all select d::text from data_key d
       union all select a::text from audit_entry a`,
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { text } of rows) expect(text).not.toContain(value);
  });

  it('lists secrets by name, page by page with limit and offset', async () => {
    for (const name of ['b', 'a_1', 'a1', 'c']) await me.api.put(`/vault/secrets/${name}`, secret());
    const page = async (query: string): Promise<unknown> => {
      const { json } = await me.api.get(`/vault/secrets?${query}`);
      return [json.data.map((found: { name: string }) => found.name), json.has_more];
    };
    expect(await page('limit=2')).toEqual([['a1', 'a_1'], true]);
    expect(await page('limit=2&offset=2')).toEqual([['b', 'c'], false]);
    expect(await page('offset=10000')).toEqual([[], false]);
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'offset=10001', 'limit=x'])
      expect((await me.api.get(`/vault/secrets?${query}`)).status).toBe(400);
  });

  it.each(['A', '1a', '_a', 'a_', 'a__b', 'a-b', 'a.b', `a${'b'.repeat(255)}`])(
    'returns 400 for the name %s',
    async (name) => {
      for (const path of scopes()) expect((await me.api.put(`${path}/${name}`, secret())).json).toEqual(refusal(400));
    },
  );

  it.each([
    [{}],
    [{ value: 'x' }],
    [{ hosts: ['a.example'] }],
    [{ value: '', hosts: ['a.example'] }],
    [{ value: 7, hosts: ['a.example'] }],
    [{ value: 'x', hosts: [] }],
    [{ value: 'x', hosts: 'a.example' }],
    [{ value: 'x', hosts: [7] }],
    [{ value: 'x', hosts: [''] }],
    [{ value: 'x', hosts: ['https://a.example'] }],
    [{ value: 'x', hosts: ['a.example:443'] }],
    [{ value: 'x', hosts: ['a.example/x'] }],
    [{ value: 'x', hosts: ['*.example'] }],
    [{ value: 'x', hosts: ['127.0.0.1'] }],
    [{ value: 'x', hosts: ['a.example'], scope: 'all' }],
    [{ value: 'x', hosts: Array.from({ length: 101 }, (_, n) => `h${n}.example`) }],
    [{ value: 'x'.repeat(65_537), hosts: ['a.example'] }],
  ])('returns 400 for the body %j', async (json) => {
    for (const path of scopes()) expect((await me.api.put(`${path}/token`, { json })).json).toEqual(refusal(400));
  });

  it('accepts values of 65536 characters and 100 hosts, and bodies of up to 425000 bytes', async () => {
    const hosts = Array.from({ length: 100 }, (_, n) => `h${n}.example`);
    expect((await me.api.put('/vault/secrets/token', secret('😀'.repeat(65_536), hosts))).status).toBe(200);
    const padded = (bytes: number) => ({
      body: JSON.stringify(secret().json).padEnd(bytes),
      headers: { 'content-type': 'application/json' },
    });
    expect((await me.api.put('/vault/secrets/token', padded(425_000))).status).toBe(200);
    expect((await me.api.put('/vault/secrets/token', padded(425_001))).status).toBe(413);
  });

  it("prefers the intern's own secret of a name, then the borrowed vault's, then the workspace's", async () => {
    const borrower = (await me.api.post('/interns', { json: { name: 'borrower', vault_id: intern.vault_id } })).json;
    const puts = (path: string, name: string, host: string) => me.api.put(`${path}/${name}`, secret(host, [host]));
    for (const name of ['a', 'b', 'c']) await puts('/vault/secrets', name, 'workspace.example');
    for (const name of ['a', 'b']) await puts(`/vault/interns/${intern.id}/secrets`, name, 'attached.example');
    await puts(`/vault/interns/${borrower.id}/secrets`, 'a', 'own.example');
    const { json } = await me.api.get(`/vault/interns/${borrower.id}/secrets/effective`);
    expect(
      json.data.map((found: { name: string; scope: string; hosts: string[] }) => [
        found.name,
        found.scope,
        found.hosts,
      ]),
    ).toEqual([
      ['a', 'intern', ['own.example']],
      ['b', 'attached', ['attached.example']],
      ['c', 'workspace', ['workspace.example']],
    ]);
  });

  it('lets the key of an intern read own and effective secrets; every other route returns 404', async () => {
    const other = (await me.api.post('/interns', { json: { name: 'other' } })).json;
    await me.api.put('/vault/secrets/shared', secret());
    await me.api.put(`/vault/interns/${intern.id}/secrets/own`, secret());
    const own = await stage.keyOf(me, { keyClass: 'intern', internId: intern.id });
    const names = async (path: string): Promise<string[]> =>
      (await own.get(path)).json.data.map((found: { name: string }) => found.name);
    expect(await names('/vault/secrets')).toEqual(['own']);
    expect(await names(`/vault/interns/${intern.id}/secrets`)).toEqual(['own']);
    expect(await names(`/vault/interns/${intern.id}/secrets/effective`)).toEqual(['own', 'shared']);
    for (const answer of [
      await own.get(`/vault/interns/${other.id}/secrets`),
      await own.get(`/vault/interns/${other.id}/secrets/effective`),
      await own.put('/vault/secrets/x', secret()),
      await own.delete('/vault/secrets/shared'),
      await own.put(`/vault/interns/${intern.id}/secrets/x`, secret()),
      await own.delete(`/vault/interns/${intern.id}/secrets/own`),
      await own.post(`/vault/interns/${intern.id}/secrets/copy`, { json: { names: ['shared'] } }),
    ]) {
      expect(answer.json).toEqual(NOT_FOUND);
    }
  });

  it('returns 400, not 415, for another content type, and 404 for a key without a member', async () => {
    const nobody = await stage.keyOf(me, { keyClass: 'standard', creatorUserId: null });
    for (const path of scopes()) {
      expect(
        (
          await me.api.put(`${path}/token`, {
            body: JSON.stringify(secret().json),
            headers: { 'content-type': 'text/plain' },
          })
        ).json,
      ).toEqual(refusal(400));
      expect((await nobody.get(path)).json).toEqual(NOT_FOUND);
      expect(
        (await nobody.put(`${path}/token`, { body: 'x', headers: { 'content-type': 'text/plain' } })).json,
      ).toEqual(NOT_FOUND);
    }
  });

  it('checks permissions before it reads a body: 404 outside the programme for any type and size', async () => {
    const outside = await stage.member({ inProgramme: false });
    for (const request of [
      { body: 'x'.repeat(425_001), headers: { 'content-type': 'application/json' } },
      { body: 'x', headers: { 'content-type': 'text/plain' } },
      { body: '' },
    ]) {
      for (const path of scopes()) expect((await outside.api.put(`${path}/token`, request)).json).toEqual(NOT_FOUND);
      expect((await outside.api.post(`/vault/interns/${intern.id}/secrets/copy`, request)).json).toEqual(NOT_FOUND);
    }
  });

  it('lists 100 secrets if no limit is given', async () => {
    for (let n = 0; n < 101; n++) await me.api.put(`/vault/secrets/n${n}`, secret());
    const { json } = await me.api.get('/vault/secrets');
    expect([json.data.length, json.has_more]).toEqual([100, true]);
  }, 30_000);

  it('returns 404 outside the programme, 401 for a management key, and 404 for the interns of others', async () => {
    const outside = await stage.member({ inProgramme: false });
    const colleague = await stage.member({ accountOf: me });
    const management = await stage.keyOf(me, { keyClass: 'management' });
    for (const path of [...scopes(), `/vault/interns/${intern.id}/secrets/effective`]) {
      expect((await outside.api.get(path)).json).toEqual(NOT_FOUND);
      expect((await management.get(path)).status).toBe(401);
    }
    expect((await outside.api.put('/vault/secrets/x', { body: 'x' })).json).toEqual(NOT_FOUND);
    expect((await colleague.api.get(`/vault/interns/${intern.id}/secrets`)).json).toEqual(NOT_FOUND);
    expect((await me.api.get(`/vault/interns/${randomUUID()}/secrets`)).json).toEqual(NOT_FOUND);
    expect((await me.api.put('/vault/interns/x/secrets/token', secret())).json).toEqual(NOT_FOUND);
  });
});

describe('vault writes that are switched off', () => {
  it('return 503 before the body is read, and reads still work', async () => {
    const stage = await startInternsStage({ env: { VAULT_WRITES_ENABLED: 'false' } });
    try {
      const me = await stage.member();
      for (const answer of [
        await me.api.put('/vault/secrets/x', { body: 'x' }),
        await me.api.delete('/vault/secrets/x'),
        await me.api.post('/vault/interns/x/secrets/copy', { json: {} }),
      ]) {
        expect(answer.json).toEqual({ error: { code: 503, message: 'Vault writes are not enabled' } });
      }
      expect((await me.api.get('/vault/secrets')).status).toBe(200);
    } finally {
      await stage.stop();
    }
  });
});
