import { startTestService, TEST_API_KEY, TEST_MANAGEMENT_KEY, type TestService } from '../support/test-service.js';

const NOWHERE = '0'.repeat(64);
const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } };

describe('API keys', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  const create = async (json: object) => (await service.management.post('/keys', { json })).json;

  describe('POST /keys', () => {
    it('answers 201 with the record and the secret, which is shown nowhere else', async () => {
      const created = await service.management.post('/keys', {
        json: { name: 'Production', limit: 12.5, limit_reset: 'monthly' },
      });

      expect(created.status).toBe(201);
      expect(created.json.key).toMatch(/^sk-gh-v1-[0-9a-f]{64}$/);
      expect(created.json.data).toMatchObject({
        name: 'Production',
        limit: 12.5,
        limit_remaining: 12.5,
        limit_reset: 'monthly',
        disabled: false,
        usage: 0,
      });
      const read = await service.management.get(`/keys/${created.json.data.hash}`);
      expect(read.json).toEqual({ data: created.json.data });
      expect(read.text).not.toContain(created.json.key);
    });

    it('keeps no secret in the database', async () => {
      const rows = await service.sql.query<{ found: bigint }>(
        `select count(*) as found from api_key where api_key::text like '%' || $1 || '%'`,
        [TEST_API_KEY],
      );
      expect(rows[0]?.found).toBe(0n);
    });

    it.each([
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'a\u0000b' }, 'name must not contain control characters'],
      [{ name: '\ud800' }, 'name must be well-formed Unicode'],
      [{ name: 'x', limit: -1 }, 'limit'],
      [{ name: 'x', limit: 1e12 }, 'limit'],
      [{ name: 'x', limit_reset: 'yearly' }, 'limit_reset'],
      [{ name: 'x', include_byok_in_limit: null }, 'include_byok_in_limit'],
      [{ name: 'x', expires_at: '2027-01-01T00:00:00+02:00' }, 'expires_at'],
      [{ name: 'x', expires_at: '2027-02-30T00:00:00Z' }, 'expires_at'],
      [{ name: 'x', creator_user_id: '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee' }, 'creator_user_id'],
      [{ name: 'x', workspace_id: 'default' }, 'workspace_id'],
      [{ name: 'x', colour: 'red' }, 'colour'],
    ])('answers 400 to %j and names what is wrong', async (json, named) => {
      const answer = await service.management.post('/keys', { json });
      expect(answer.status).toBe(400);
      expect(answer.json.error.message).toContain(named);
    });

    it('rounds a limit to the nearest nano-dollar instead of refusing its digits', async () => {
      expect((await create({ name: 'x', limit: 0.1 + 0.2 })).data.limit).toBe(0.3);
      expect((await create({ name: 'x', limit: 1.23456789051 })).data.limit).toBe(1.234567891);
    });
  });

  describe('GET /keys', () => {
    it('lists the keys of the default workspace, newest first, without the disabled ones unless asked', async () => {
      const first = (await create({ name: 'first' })).data;
      const second = (await create({ name: 'second' })).data;
      await service.management.patch(`/keys/${first.hash}`, { json: { disabled: true } });
      const hashes = async (query: string): Promise<string[]> =>
        (await service.management.get(`/keys${query}`)).json.data.map(({ hash }: { hash: string }) => hash);

      expect((await hashes(''))[0]).toBe(second.hash);
      expect(await hashes('')).not.toContain(first.hash);
      expect((await hashes('?include_disabled=true')).slice(0, 2)).toEqual([second.hash, first.hash]);
      expect((await hashes('?include_disabled=1&offset=1'))[0]).toBe(first.hash);
      expect(await hashes('?offset=100000')).toEqual([]);
    });

    it('answers at most 100 at a time', async () => {
      for (let made = 0; made < 105; made++) await create({ name: `many ${made}` });
      const [first, second] = [await service.management.get('/keys'), await service.management.get('/keys?offset=100')];

      expect(first.json.data).toHaveLength(100);
      expect(second.json.data.length).toBeGreaterThanOrEqual(5);
      const seen = [...first.json.data, ...second.json.data].map(({ hash }) => hash);
      expect(new Set(seen).size).toBe(seen.length);
    });

    it('lists another workspace where it is named, and answers 404 to one that is not there', async () => {
      const workspace = (await service.management.post('/workspaces', { json: { name: 'Side', slug: 'side' } })).json
        .data;
      const { data } = await create({ name: 'aside', workspace_id: workspace.id });

      expect((await service.management.get(`/keys?workspace_id=${workspace.id}`)).json).toEqual({ data: [data] });
      expect((await service.management.get('/keys?workspace_id=0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee')).status).toBe(
        404,
      );
    });

    it.each([
      'offset=-1',
      'offset=1.5',
      'offset=x',
      'include_disabled=maybe',
      'workspace_id=side',
      'offset=1&offset=2',
    ])('answers 400 to ?%s', async (query) => {
      expect((await service.management.get(`/keys?${query}`)).status).toBe(400);
    });

    it('ignores unknown query parameters, and takes an empty offset for none', async () => {
      expect((await service.management.get('/keys?colour=red&offset=&include_disabled=')).status).toBe(200);
    });
  });

  describe('GET /keys/{hash}', () => {
    it('answers 401 to a key that is not a management key, and to none', async () => {
      expect((await service.standard.get(`/keys/${NOWHERE}`)).status).toBe(401);
      expect((await service.as().get(`/keys/${NOWHERE}`)).json).toEqual({
        error: { code: 401, message: 'Missing Authentication header' },
      });
    });

    it.each(['get', 'patch', 'delete'] as const)(
      '%s answers 404 to an unknown and to a malformed hash alike',
      async (method) => {
        const request = method === 'patch' ? { json: { disabled: true } } : {};
        const unknown = await service.management[method](`/keys/${NOWHERE}`, request);
        expect(unknown.status).toBe(404);
        for (const path of ['/keys/nothing', `/keys/${'A'.repeat(64)}`, '/keys/%00'])
          expect((await service.management[method](path, request)).json).toEqual(unknown.json);
      },
    );
  });

  describe('PATCH /keys/{hash}', () => {
    it('changes what is named and leaves the rest', async () => {
      const { data } = await create({ name: 'before', limit: 5, limit_reset: 'daily' });
      const renamed = await service.management.patch(`/keys/${data.hash}`, { json: { name: 'after' } });

      expect(renamed.json.data).toEqual({ ...data, name: 'after', updated_at: expect.stringMatching(/^20/) });
      const freed = await service.management.patch(`/keys/${data.hash}`, {
        json: { limit: null, limit_reset: null, include_byok_in_limit: true },
      });
      expect(freed.json.data).toMatchObject({
        name: 'after',
        limit: null,
        limit_remaining: null,
        limit_reset: null,
        include_byok_in_limit: true,
      });
      expect((await service.management.patch(`/keys/${data.hash}`, { json: {} })).json).toEqual(freed.json);
    });

    it.each([
      { name: null },
      { disabled: null },
      { disabled: 'yes' },
      { limit: '5' },
      { hash: 'x' },
      { expires_at: null },
      { limit_reset: 'never' },
    ])('answers 400 to %j', async (json) => {
      const { data } = await create({ name: 'x' });
      expect((await service.management.patch(`/keys/${data.hash}`, { json })).status).toBe(400);
    });

    it('a disabled key is refused at once, and works again when it is enabled', async () => {
      const { data, key } = await create({ name: 'x' });
      expect((await service.as(key).get('/key')).status).toBe(200);
      await service.management.patch(`/keys/${data.hash}`, { json: { disabled: true } });
      expect((await service.as(key).get('/key')).json).toEqual({
        error: { code: 401, message: 'This API key is disabled' },
      });
      await service.management.patch(`/keys/${data.hash}`, { json: { disabled: false } });
      expect((await service.as(key).get('/key')).status).toBe(200);
    });

    it('a limit lowered below what is spent leaves 0, and 402', async () => {
      const { data, key } = await create({ name: 'x', limit: 1 });
      expect((await service.as(key).post('/audio/speech', SPEECH)).status).toBe(200);
      const lowered = await service.management.patch(`/keys/${data.hash}`, { json: { limit: 0.000001 } });

      expect(lowered.json.data).toMatchObject({ usage: 0.000002, limit: 0.000001, limit_remaining: 0 });
      expect((await service.as(key).post('/audio/speech', SPEECH)).status).toBe(402);
    });
  });

  describe('DELETE /keys/{hash}', () => {
    it('answers deleted: true; from then on the key is unknown, and what it spent stays known', async () => {
      const { data, key } = await create({ name: 'x' });
      await service.as(key).post('/audio/speech', SPEECH);
      const deleted = await service.management.delete(`/keys/${data.hash}`);

      expect([deleted.status, deleted.json]).toEqual([200, { deleted: true }]);
      expect((await service.as(key).get('/key')).json).toEqual({ error: { code: 401, message: 'Invalid API key' } });
      expect((await service.management.get(`/keys/${data.hash}`)).status).toBe(404);
      expect((await service.management.delete(`/keys/${data.hash}`)).status).toBe(404);
      const today = new Date().toISOString().slice(0, 10);
      const activity = await service.management.get(`/activity?api_key_hash=${data.hash}&date=${today}`);
      expect(activity.json.data).toEqual([expect.objectContaining({ requests: 1, usage: 0.000002 })]);
    });
  });

  describe('GET /key', () => {
    it.each([
      ['standard', TEST_API_KEY, false],
      ['management', TEST_MANAGEMENT_KEY, true],
    ])('tells a %s key about itself', async (_, key, isManagement) => {
      const { data } = (await service.as(key).get('/key')).json;
      expect(data).toMatchObject({
        is_management_key: isManagement,
        is_provisioning_key: isManagement,
        is_free_tier: false,
        limit: null,
        limit_remaining: null,
        limit_reset: null,
        expires_at: null,
      });
      expect(data.label).toBe(`${key.slice(0, 3)}...${key.slice(-4)}`);
    });
  });

  describe('last_used_at', () => {
    it('tells of any use, without a write for each', async () => {
      const { data, key } = await create({ name: 'x' });
      expect(data.last_used_at).toBeNull();
      for (let use = 0; use < 20; use++) await service.as(key).get('/models');

      const read = (await service.management.get(`/keys/${data.hash}`)).json.data;
      expect(Date.parse(read.last_used_at)).toBeGreaterThanOrEqual(Date.parse(data.created_at));
      expect(
        await service.sql.query('select 1 from key_use join api_key on no = key_no where hash = $1', [data.hash]),
      ).toEqual([]);
    });
  });

  it('a key that expires is refused from that moment', async () => {
    const { key } = await create({ name: 'x', expires_at: new Date(Date.now() - 1000).toISOString() });
    expect((await service.as(key).get('/key')).json).toEqual({
      error: { code: 401, message: 'This API key has expired' },
    });
  });
});
