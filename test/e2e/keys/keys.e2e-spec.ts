import { makeKey } from '../../support/api/api-builders.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';
const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } };

describe('API keys', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  const create = (fields: object) => makeKey(service.management, fields);

  describe('PATCH /keys/{hash}', () => {
    it('changes the members that the request contains, and keeps all others', async () => {
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
    ])('returns 400 for %j', async (json) => {
      const { data } = await create({ name: 'x' });
      expect((await service.management.patch(`/keys/${data.hash}`, { json })).status).toBe(400);
    });

    it('disables a key at once, and enables it again', async () => {
      const { data, key } = await create({ name: 'x' });
      expect((await service.as(key).get('/key')).status).toBe(200);
      await service.management.patch(`/keys/${data.hash}`, { json: { disabled: true } });
      expect((await service.as(key).get('/key')).json).toEqual({
        error: { code: 401, message: 'This API key is disabled' },
      });
      await service.management.patch(`/keys/${data.hash}`, { json: { disabled: false } });
      expect((await service.as(key).get('/key')).status).toBe(200);
    });

    it('lowers a limit below the spend: limit_remaining is 0, and calls return 402', async () => {
      const { data, key } = await create({ name: 'x', limit: 1 });
      expect((await service.as(key).post('/audio/speech', SPEECH)).status).toBe(200);
      const lowered = await service.management.patch(`/keys/${data.hash}`, { json: { limit: 0.000001 } });

      expect(lowered.json.data).toMatchObject({ usage: 0.000002, limit: 0.000001, limit_remaining: 0 });
      expect((await service.as(key).post('/audio/speech', SPEECH)).status).toBe(402);
    });
  });

  describe('DELETE /keys/{hash}', () => {
    it('returns deleted: true; the key is then unknown, and its spend is kept', async () => {
      const { data, key } = await create({ name: 'x' });
      await service.as(key).post('/audio/speech', SPEECH);
      const deleted = await service.management.delete(`/keys/${data.hash}`);

      expect([deleted.status, deleted.json]).toEqual([200, { deleted: true }]);
      for (const path of ['/key', '/models'])
        expect((await service.as(key).get(path)).json).toEqual({ error: { code: 401, message: 'Invalid API key' } });
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
    ])('shows a %s key its own record', async (_, key, isManagement) => {
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
    it('is the time of the last use, without a write for each use', async () => {
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

  it('are refused with 401 after expires_at', async () => {
    const { key } = await create({ name: 'x', expires_at: new Date(Date.now() - 1000).toISOString() });
    expect((await service.as(key).get('/key')).json).toEqual({
      error: { code: 401, message: 'This API key has expired' },
    });
  });
});
