import type { Role } from '../../../src/kernel/access/permissions.js';
import { Accounts } from '../../../src/tenancy/accounts.js';
import { firstOwner } from '../../support/console/console-browser.js';
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
  const added = async ({ userId }: Person, role: Role): Promise<void> => {
    const { accountId } = await firstOwner(service);
    await service.app.get(Accounts, { strict: false }).addMember(accountId, userId, role, true);
  };
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

  describe.each([
    ['demoted', 'PATCH', '', { role: 'developer' }],
    ['removed', 'DELETE', '', undefined],
    ['deactivated', 'POST', '/deactivate', {}],
  ] as const)('of a member who was %s', (_state, method, path, json) => {
    it('cannot be enabled, and work again only if the member has the role again', async () => {
      const leaver = await makePerson(service, 'admin');
      const { key, data } = (await leaver.browser.post('/keys', { name: 'kept', class: 'management' })).json;
      expect((await send(owner, method, `/members/${leaver.userId}${path}`, json)).status).toBe(200);
      const enable = () => send(owner, 'PATCH', `/keys/${data.hash}`, { name: 'back', disabled: false });
      const refused = await enable();
      expect([refused.status, refused.message]).toEqual([409, expect.stringContaining('create a new key')]);
      const others = [
        await send(owner, 'POST', `/keys/${data.hash}/rotate`, {}),
        await send(owner, 'PUT', `/keys/${data.hash}/settings`, { requests_per_minute: 60 }),
      ];
      expect(others.map(({ status }) => status)).toEqual([409, 200]);
      expect((await service.as(key).get('/credits')).status).toBe(401);
      if (method === 'DELETE') await added(leaver, 'admin');
      else expect((await send(owner, 'PATCH', `/members/${leaver.userId}`, { role: 'admin' })).status).toBe(200);
      expect((await service.as(key).get('/credits')).status).toBe(401);
      expect((await enable()).status).toBe(200);
      expect((await service.as(key).get('/credits')).status).toBe(200);
    });

    it('are not enabled by a simultaneous request', async () => {
      for (let round = 0; round < 5; round++) {
        const leaver = await makePerson(service, 'admin');
        const hash = await made(leaver, { class: 'management' });
        await send(owner, 'PATCH', `/keys/${hash}`, { disabled: true });
        const enable = () => send(owner, 'PATCH', `/keys/${hash}`, { disabled: false });
        const end = send(owner, method, `/members/${leaver.userId}${path}`, json);
        const statuses = (await Promise.all([enable(), end, enable()])).map(({ status }) => status);
        expect([200, 409]).toEqual(expect.arrayContaining(statuses));
        const [row] = await service.sql.query('select disabled from api_key where hash = $1', [hash]);
        expect([statuses[1], row]).toEqual([200, { disabled: true }]);
      }
    });
  });

  it('cannot be enabled if their member was removed and added again with a lower role', async () => {
    const second = await makePerson(service, 'owner');
    const hash = await made(second, { class: 'management' });
    expect((await send(owner, 'DELETE', `/members/${second.userId}`)).status).toBe(200);
    await added(second, 'admin');
    const { status, message } = await send(owner, 'PATCH', `/keys/${hash}`, { disabled: false });
    expect([status, message]).toEqual([
      409,
      'This API key has the role owner and cannot be enabled, because its member has the role admin: create a new key',
    ]);
  });

  it('cannot be created for a member below the role of the key; the audit has the refusal', async () => {
    const wanted = async (role: Role): Promise<{ userId: string; fields: object }> => {
      const { userId } = await makePerson(service, role);
      return { userId, fields: { name: 'above', class: 'management', creator_user_id: userId } };
    };
    const refusedTo = async (person: Person): Promise<object[]> =>
      service.sql.query(
        `select role from audit_entry where action = 'refuse' and resource_kind = 'api_key' and user_id = $1
         order by id desc limit 1`,
        [person.userId],
      );
    for (const role of ['billing', 'developer', 'viewer'] as const) {
      const { userId, fields } = await wanted(role);
      for (const json of [{ ...fields, role: 'admin' }, { ...fields, role: 'owner' }, fields])
        expect((await service.management.post('/keys', { json })).status).toBe(403);
      const refused = await send(admin, 'POST', '/keys', { ...fields, role: 'admin' });
      expect([refused.status, refused.message]).toEqual([
        403,
        `A member of the role ${role} may not have a key of the role admin: set a lower role, ` +
          'another creator_user_id, or null for a key without a member',
      ]);
      expect(await refusedTo(admin)).toEqual([{ role: 'admin' }]);
      const keys = "select 1 from api_key where creator_user_id = $1 and name = 'above'";
      expect(await service.sql.query(keys, [userId])).toEqual([]);
    }
    const { fields } = await wanted('admin');
    for (const [by, json, status] of [
      [owner, { ...fields, role: 'owner' }, 403],
      [owner, fields, 403],
      [owner, { ...fields, role: 'admin' }, 201],
      [admin, fields, 201],
      [admin, { ...fields, creator_user_id: null }, 201],
      [owner, { ...fields, creator_user_id: null, role: 'owner' }, 201],
    ] as const)
      expect([json, (await send(by, 'POST', '/keys', json)).status]).toEqual([json, status]);
  });

  it('may be disabled and enabled if they have no member, or the role of their member allows them', async () => {
    const person = await makePerson(service, 'admin');
    const standard = await made(person, {});
    const hashes = [
      standard,
      await made(person, { class: 'management' }),
      await made(owner, { class: 'management', creator_user_id: null }),
    ];
    const set = async (hash: string, disabled: boolean): Promise<number> =>
      (await send(owner, 'PATCH', `/keys/${hash}`, { disabled })).status;
    for (const hash of hashes) expect([await set(hash, true), await set(hash, false)]).toEqual([200, 200]);
    await send(owner, 'PATCH', `/members/${person.userId}`, { role: 'viewer' });
    expect([await set(standard, true), await set(standard, false)]).toEqual([200, 200]);
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
