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

  describe('POST /vault/interns/{id}/secrets/copy', () => {
    const copy = (names: unknown) => me.api.post(`/vault/interns/${intern.id}/secrets/copy`, { json: { names } });

    it('copies workspace secrets with their hosts, and replaces secrets of the same name', async () => {
      await me.api.put('/vault/secrets/one', secret('1', ['one.example']));
      await me.api.put('/vault/secrets/two', secret('2', ['two.example']));
      await me.api.put(`/vault/interns/${intern.id}/secrets/two`, secret('old', ['old.example']));
      const copied = await copy(['two', 'one']);
      expect(copied.status).toBe(200);
      expect(copied.json.data.map((found: { name: string; hosts: string[] }) => [found.name, found.hosts])).toEqual([
        ['two', ['two.example']],
        ['one', ['one.example']],
      ]);
      const own = (await me.api.put(`/vault/interns/${intern.id}/secrets/check`, secret('2'))).json.data.fingerprint;
      expect(copied.json.data[0].fingerprint).toBe(own);
    });

    it('copies no secret if one of the names is unknown', async () => {
      await me.api.put('/vault/secrets/one', secret());
      expect((await copy(['one', 'absent'])).json).toEqual(NOT_FOUND);
      expect((await me.api.get(`/vault/interns/${intern.id}/secrets`)).json.data).toEqual([]);
    });

    it('copies secrets for 32 interns at the same time', async () => {
      await me.api.put('/vault/secrets/one', secret());
      const names = Array.from({ length: 32 }, (_, n) => `at-once-${n}`);
      const made = await Promise.all(names.map((name) => me.api.post('/interns', { json: { name } })));
      const copies = await Promise.all(
        made.map(({ json: { id } }) => me.api.post(`/vault/interns/${id}/secrets/copy`, { json: { names: ['one'] } })),
      );
      expect(copies.map(({ status }) => status)).toEqual(names.map(() => 200));
    });

    it.each([
      [[]],
      [['a', 'a']],
      [Array.from({ length: 101 }, (_, n) => `n${n}`)],
      ['one'],
      [['Bad-Name']],
      [undefined],
    ])('returns 400 for the names %j', async (names) => {
      expect((await copy(names)).json).toEqual(refusal(400));
    });
  });
});
