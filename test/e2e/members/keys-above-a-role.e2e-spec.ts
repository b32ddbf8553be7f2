import { ownerOf, makePerson, send, type Person } from '../../support/members/account-people.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

/** A person with the secret of a key can act with the role and the acting member of the key. */
describe('keys above a role', () => {
  let service: TestService;
  let owner: Person;
  let admin: Person;
  /** A developer who administers the default workspace, which contains the keys. */
  let local: Person;
  beforeAll(async () => {
    service = await startTestService({ env: { INTERN_RUNTIME: 'none' } });
    owner = await ownerOf(service);
    admin = await makePerson(service, 'admin');
    local = await makePerson(service, 'developer');
    await service.sql.query(
      `insert into workspace_member (account_id, workspace_id, user_id, role, created_at)
       select account_id, id, $1, 'admin', now() from workspace where is_default`,
      [local.userId],
    );
  }, 60_000);
  afterAll(() => service.stop());

  const made = async (by: Person, fields: object): Promise<string> =>
    (await by.browser.post('/keys', { name: 'made', ...fields })).json.data.hash as string;
  const refusals = async (hash: string): Promise<number> =>
    (await service.sql.query("select 1 from audit_entry where action = 'refuse' and resource_id = $1", [hash])).length;
  const CHANGES = [
    ['PATCH', '', { name: 'taken' }],
    ['PUT', '/settings', { requests_per_minute: 1 }],
    ['POST', '/rotate', {}],
    ['DELETE', '', undefined],
  ] as const;

  it('cannot be changed, rotated or deleted by an admin if the role of the key is owner', async () => {
    const hash = await made(owner, { class: 'management' });
    for (const [method, path, json] of CHANGES)
      expect((await send(admin, method, `/keys/${hash}${path}`, json)).status).toBe(403);
    expect(await refusals(hash)).toBe(3);
    expect((await send(admin, 'GET', `/keys/${hash}`)).status).toBe(200);
    expect((await send(owner, 'POST', `/keys/${hash}/rotate`, {})).status).toBe(200);
    const own = await made(admin, { class: 'management' });
    expect((await send(admin, 'POST', `/keys/${own}/rotate`, {})).status).toBe(200);
  });

  it('are not found by the admin of their workspace if they are management keys', async () => {
    for (const role of ['owner', 'admin'] as const) {
      const hash = await made(owner, { class: 'management', role });
      expect((await send(local, 'GET', `/keys/${hash}`)).status).toBe(404);
      for (const [method, path, json] of CHANGES)
        expect((await send(local, method, `/keys/${hash}${path}`, json)).status).toBe(404);
    }
  });

  it('show their secret to nobody below the role of their member', async () => {
    const [ofOwner, ofAdmin, ofNobody] = [
      await made(owner, {}),
      await made(admin, {}),
      await made(owner, { creator_user_id: null }),
    ];
    const rotate = async (by: Person, hash: string): Promise<number> =>
      (await send(by, 'POST', `/keys/${hash}/rotate`, {})).status;
    expect([await rotate(admin, ofOwner), await rotate(local, ofOwner), await rotate(local, ofAdmin)]).toEqual([
      403, 403, 403,
    ]);
    expect([await rotate(local, ofNobody), await rotate(owner, ofAdmin)]).toEqual([200, 200]);
    expect((await send(local, 'PATCH', `/keys/${ofOwner}`, { limit: 1 })).status).toBe(200);
    for (const { userId } of [owner, admin])
      expect((await send(local, 'POST', '/keys', { name: 'for others', creator_user_id: userId })).status).toBe(403);
  });
});
