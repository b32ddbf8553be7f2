import { makeSecondAccount, type SecondAccount } from '../../support/money/second-account.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const at = (user: string): string => `/end-users/${encodeURIComponent(user)}`;

describe('the registry of end users', () => {
  let service: TestService;
  let other: SecondAccount;
  beforeAll(async () => {
    service = await startTestService();
    other = await makeSecondAccount(service);
  });
  afterAll(() => service.stop());
  const register = (user: unknown) => service.management.post('/end-users', { json: { user } });

  it('registers a tracking id as active, and answers 409 if the id is registered again', async () => {
    const created = await register('once');
    expect(created.status).toBe(201);
    expect(created.json).toEqual({
      data: {
        user: 'once',
        is_active: true,
        created_at: expect.stringMatching(/Z$/),
        updated_at: created.json.data.created_at,
      },
    });
    const taken = { error: { code: 409, message: 'This tracking ID is already registered' } };
    expect((await register('once')).json).toEqual(taken);
    await service.management.delete(at('once'));
    expect((await register('once')).json).toEqual(taken);
  });

  it('answers 201 to one of many requests that register the same id at once, and 409 to the others', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => register('crowd')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  it('answers 404 for ids that are not registered, and for ids of another account', async () => {
    await service.as(other.managementKey).post('/end-users', { json: { user: 'theirs' } });
    for (const id of ['theirs', 'nobody']) {
      expect((await service.management.get(at(id))).json).toEqual({
        error: { code: 404, message: 'No end user is registered under this tracking ID' },
      });
      expect((await service.management.patch(at(id), { json: { is_active: false } })).status).toBe(404);
      expect((await service.management.delete(at(id))).status).toBe(404);
    }
    expect((await service.as(other.managementKey).get(at('theirs'))).json.data.is_active).toBe(true);
    expect((await register('theirs')).status).toBe(201);
  });

  it('activates and deactivates end users; updated_at is the time of the last change of state', async () => {
    const { data } = (await register('state')).json;
    const same = (await service.management.patch(at('state'), { json: { is_active: true } })).json.data;
    expect(same).toEqual(data);
    const off = (await service.management.delete(at('state'))).json.data;
    expect(off).toMatchObject({ is_active: false, created_at: data.created_at });
    expect(Date.parse(off.updated_at)).toBeGreaterThan(Date.parse(data.updated_at));
    expect((await service.management.delete(at('state'))).json.data).toEqual(off);
    expect((await service.management.get(at('state'))).json.data).toEqual(off);
    expect((await service.management.patch(at('state'), { json: { is_active: true } })).json.data.is_active).toBe(true);
  });

  it.each([{}, { is_active: null }, { is_active: 'true' }, { is_active: true, user: 'renamed' }])(
    'PATCH answers 400 to %j',
    async (json) => {
      expect((await service.management.patch(at('state'), { json })).status).toBe(400);
    },
  );

  it('POST accepts user and nothing else', async () => {
    expect((await service.management.post('/end-users', { json: { user: 'more', is_active: false } })).status).toBe(
      400,
    );
  });

  it('lists active users newest first, page by page, and inactive users if requested', async () => {
    const mine = service.as(other.managementKey);
    for (const id of ['l1', 'l2', 'l3']) await mine.post('/end-users', { json: { user: id } });
    await mine.delete(at('l2'));
    const users = async (query: string): Promise<string[]> =>
      (await mine.get(`/end-users${query}`)).json.data.map(({ user }: { user: string }) => user);

    expect(await users('')).toEqual(['l3', 'l1', 'theirs']);
    expect(await users('?include_inactive=true')).toEqual(['l3', 'l2', 'l1', 'theirs']);
    expect(await users('?include_inactive=true&limit=2&offset=1')).toEqual(['l2', 'l1']);
    expect(await users('?user=l2')).toEqual([]);
    expect((await mine.get('/end-users?user=l2&include_inactive=true')).json).toMatchObject({
      total_count: 1,
      data: [{ user: 'l2', is_active: false }],
    });
    expect(await users('?user=L1')).toEqual([]);
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'include_inactive=x', 'user=%00'])
      expect([query, (await mine.get(`/end-users?${query}`)).status]).toEqual([query, 400]);
  });

  it('records active, inactive and unregistered users of calls unchanged, and refuses invalid users', async () => {
    const speak = (user: string) =>
      service.standard.post('/audio/speech', { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi', user } });
    for (const user of ['active', 'silenced']) await register(user);
    await service.management.delete(at('silenced'));
    for (const user of ['active', 'silenced', 'never seen', 'e\u0301/👍']) {
      const spoken = await speak(user);
      expect(spoken.status).toBe(200);
      expect(
        (await service.standard.get(`/generation?id=${spoken.headers.get('x-generation-id')}`)).json.data.external_user,
      ).toBe(user);
    }
    for (const user of ['a\u0000b', '\ud83d', 'x'.repeat(257)]) expect((await speak(user)).status).toBe(400);
    expect((await speak('👍'.repeat(256))).status).toBe(200);
  });

  it('writes an audit row when an end user is registered, changed or deactivated', async () => {
    await register('audited');
    await service.management.patch(at('audited'), { json: { is_active: true } });
    await service.management.delete(at('audited'));
    const rows = await service.sql.query(
      `select action, actor from audit_entry where resource_kind = 'end_user' and resource_id = 'audited' order by id`,
    );
    expect(rows).toEqual(['create', 'update', 'delete'].map((action) => ({ action, actor: 'key' })));
  });
});
