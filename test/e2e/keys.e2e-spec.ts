import { startTestService, TEST_API_KEY, type TestService } from '../support/test-service.js';

describe('API keys', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it('answers 201 with the record and the secret, which is shown nowhere else', async () => {
    const created = await service.management.post('/keys', { json: { name: 'Production', limit: 12.5, limit_reset: 'monthly' } });

    expect(created.status).toBe(201);
    expect(created.json.key).toMatch(/^sk-gh-v1-[0-9a-f]{64}$/);
    expect(created.json.data).toMatchObject({ name: 'Production', limit: 12.5, limit_remaining: 12.5, limit_reset: 'monthly', disabled: false, usage: 0 });
    const read = await service.management.get(`/keys/${created.json.data.hash}`);
    expect(read.json).toEqual({ data: created.json.data });
    expect(read.text).not.toContain(created.json.key);
  });

  it('answers 401 to a key that is not a management key, and to none', async () => {
    expect((await service.standard.get(`/keys/${'0'.repeat(64)}`)).status).toBe(401);
    expect((await service.as().get(`/keys/${'0'.repeat(64)}`)).json).toEqual({ error: { code: 401, message: 'Missing Authentication header' } });
  });

  it('answers 404 to an unknown and to a malformed hash', async () => {
    expect((await service.management.get(`/keys/${'0'.repeat(64)}`)).status).toBe(404);
    expect((await service.management.get('/keys/nothing')).status).toBe(404);
  });

  it('keeps no secret in the database', async () => {
    const rows = await service.sql.query<{ found: bigint }>(`select count(*) as found from api_key where api_key::text like '%' || $1 || '%'`, [TEST_API_KEY]);
    expect(rows[0]?.found).toBe(0n);
  });
});
