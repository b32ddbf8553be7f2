import { firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { makeMember } from '../../support/money/account-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('federation policies', () => {
  let service: TestService;
  let policy: Record<string, string>;
  beforeAll(async () => {
    service = await startTestService();
    const key = await service.management.post('/keys', { json: { name: 'Workload' } });
    policy = {
      name: 'Deployments',
      issuer: 'https://token.actions.githubusercontent.com',
      subject: 'repo:acme/shop:ref:refs/heads/main',
      audience: 'gatehouse',
      api_key_hash: key.json.data.hash,
    };
  });
  afterAll(() => service.stop());

  it('are created, listed, read, disabled, enabled and deleted; each change writes an audit row', async () => {
    const created = await service.management.post('/federation-policies', { json: policy });
    expect(created.status).toBe(201);
    const { data } = created.json;
    expect(data).toMatchObject({ ...policy, jwks_url: null, disabled: false, updated_at: null });
    expect((await service.management.get('/federation-policies?limit=1')).json).toEqual({
      data: [data],
      total_count: 1,
    });
    const path = `/federation-policies/${data.id}`;
    expect((await service.management.get(path)).json.data).toEqual(data);
    for (const disabled of [true, false])
      expect((await service.management.patch(path, { json: { disabled } })).json.data).toMatchObject({ disabled });
    expect((await service.management.delete(path)).json).toEqual({ deleted: true });
    for (const method of ['get', 'delete'] as const) expect((await service.management[method](path)).status).toBe(404);
    const rows = await service.sql.query<{ action: string }>(
      'select action from audit_entry where resource_id = $1 order by id',
      [data.id],
    );
    expect(rows.map(({ action }) => action)).toEqual(['create', 'update', 'update', 'delete']);
  });

  it('contain the current hash of the key after a rotation', async () => {
    const key = await service.management.post('/keys', { json: { name: 'Rotated' } });
    const json = { ...policy, api_key_hash: key.json.data.hash };
    const { id } = (await service.management.post('/federation-policies', { json })).json.data;
    const rotated = await service.management.post(`/keys/${key.json.data.hash}/rotate`, { json: {} });
    const read = await service.management.get(`/federation-policies/${id}`);
    expect(read.json.data.api_key_hash).toBe(rotated.json.data.hash);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ issuer: 'x' }, 'issuer'],
    [{ jwks_url: 'http://issuer.example.com/keys' }, 'jwks_url'],
    [{ jwks_url: 'https://10.0.0.1/keys' }, 'jwks_url'],
    [{ subject: '' }, 'subject'],
    [{ audience: 'x'.repeat(1_001) }, 'audience'],
    [{ api_key_hash: 'x' }, 'api_key_hash'],
    [{ disabled: true }, 'disabled'],
  ])('are refused for %j', async (fields, message) => {
    const refused = await service.management.post('/federation-policies', { json: { ...policy, ...fields } });
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('may be read by admins, but created by owners only', async () => {
    const { accountId } = await firstOwner(service);
    const admin = await signedInAs(service, {
      accountId,
      userId: await makeMember(service, { accountId }, { role: 'admin' }),
    });
    expect((await admin.get('/federation-policies')).status).toBe(200);
    expect((await admin.post('/federation-policies', policy)).status).toBe(403);
    const owner = await signedInAs(service, await firstOwner(service));
    expect((await owner.post('/federation-policies', policy)).status).toBe(201);
  });

  it('are limited to 100 in an account', async () => {
    const { total_count: total } = (await service.management.get('/federation-policies')).json;
    const statuses = [];
    for (let at = total; at <= 100; at++)
      statuses.push((await service.management.post('/federation-policies', { json: policy })).status);
    expect([statuses.at(-2), statuses.at(-1)]).toEqual([201, 409]);
  });
});
