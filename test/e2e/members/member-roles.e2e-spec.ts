import { firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { makePerson, ownerOf, roleOf, send, type Person } from '../../support/members/account-people.js';
import { makeMember } from '../../support/money/account-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('roles of members', () => {
  let service: TestService;
  let owner: Person;
  let admin: Person;
  beforeAll(async () => {
    service = await startTestService();
    owner = await ownerOf(service);
    admin = await makePerson(service, 'admin');
  }, 60_000);
  afterAll(() => service.stop());

  const refusals = async (): Promise<{ kind: string; id: string; role: string | null; user_id: string | null }[]> =>
    service.sql.query(
      `select resource_kind as kind, resource_id as id, role, user_id, address from audit_entry
       where action = 'refuse' order by audit_entry.id desc limit 1`,
    );
  /** Creates a management key as this person. */
  const managementKey = async (person: Person, fields: object = {}): Promise<string> => {
    const made = await person.browser.post('/keys', { name: 'management', class: 'management', ...fields });
    expect(made.status).toBe(201);
    return made.json.key as string;
  };

  it('can be changed only by owners and admins', async () => {
    const { userId } = await makePerson(service, 'viewer', 'Changed');
    for (const role of ['billing', 'developer', 'viewer'] as const) {
      const person = await makePerson(service, role);
      expect((await send(person, 'PATCH', `/members/${userId}`, { role: 'admin' })).status).toBe(403);
    }
    for (const [person, role] of [
      [admin, 'developer'],
      [owner, 'owner'],
    ] as const) {
      expect((await send(person, 'PATCH', `/members/${userId}`, { role })).status).toBe(200);
      expect(await roleOf(service, userId)).toBe(role);
    }
    expect((await send(owner, 'PATCH', `/members/${userId}`, { role: 'viewer' })).status).toBe(200);
  });

  it('refuse an admin who makes, edits, deactivates or removes an owner, with a row in the audit', async () => {
    const { accountId } = await firstOwner(service);
    const viewer = await makeMember(service, { accountId }, { role: 'viewer' });
    for (const [method, path, json, userId, role] of [
      ['PATCH', `/members/${viewer}`, { role: 'owner' }, viewer, 'owner'],
      ['PATCH', `/members/${owner.userId}`, { role: 'admin' }, owner.userId, 'admin'],
      ['POST', `/members/${owner.userId}/deactivate`, {}, owner.userId, null],
      ['DELETE', `/members/${owner.userId}`, undefined, owner.userId, null],
    ] as const) {
      expect((await send(admin, method, path, json)).status).toBe(403);
      expect(await refusals()).toEqual([
        { kind: 'member', id: `${accountId}/${userId}`, role, user_id: admin.userId, address: '127.0.0.1' },
      ]);
    }
    expect([await roleOf(service, viewer), await roleOf(service, owner.userId)]).toEqual(['viewer', 'owner']);
  });

  it("refuse an admin who makes an owner's key or invites an owner, with a row in the audit", async () => {
    const key = await admin.browser.post('/keys', { name: 'k', class: 'management', role: 'owner' });
    expect(key.status).toBe(403);
    expect((await refusals())[0]).toMatchObject({ kind: 'api_key', role: 'owner', user_id: admin.userId });
    expect((await admin.browser.post('/invitations', { role: 'owner' })).status).toBe(403);
    expect((await refusals())[0]).toMatchObject({ kind: 'invitation', role: 'owner', user_id: admin.userId });
    expect((await admin.browser.post('/invitations', { role: 'admin' })).status).toBe(201);
  });

  it('cannot be changed by their own member, except by an owner if another owner remains', async () => {
    for (const role of ['owner', 'developer'] as const)
      expect((await send(admin, 'PATCH', `/members/${admin.userId}`, { role })).status).toBe(403);
    expect((await send(admin, 'POST', `/members/${admin.userId}/deactivate`, {})).status).toBe(403);
    expect((await send(owner, 'PATCH', `/members/${owner.userId}`, { role: 'admin' })).status).toBe(409);
    const second = await makePerson(service, 'owner', 'Second');
    expect((await send(second, 'PATCH', `/members/${second.userId}`, { role: 'developer' })).status).toBe(200);
    expect(await roleOf(service, second.userId)).toBe('developer');
  });

  it('cannot be changed by a page of another site, which cannot invite or sign out anybody either', async () => {
    const person = await makePerson(service, 'viewer', 'Kept');
    const of = (site: string) => ({ headers: { 'sec-fetch-site': site } });
    for (const [method, path, json] of [
      ['PATCH', `/api/v1/members/${person.userId}`, { role: 'admin' }],
      ['POST', '/api/v1/invitations', { role: 'admin' }],
      ['POST', '/api/v1/auth/keys/code', { callback_url: 'https://evil.example/' }],
      ['DELETE', '/session', undefined],
      ['DELETE', '/sessions', undefined],
    ] as const)
      for (const site of ['cross-site', 'same-site'])
        expect((await owner.browser.send(method, `/console${path}`, { json, ...of(site) })).status).toBe(403);
    expect(await roleOf(service, person.userId)).toBe('viewer');
  });

  it('do not allow the last owner to be removed, demoted or deactivated', async () => {
    const key = await managementKey(owner);
    for (const [method, path, json] of [
      ['patch', `/members/${owner.userId}`, { role: 'admin' }],
      ['post', `/members/${owner.userId}/deactivate`, {}],
      ['delete', `/members/${owner.userId}`, undefined],
    ] as const) {
      const { status } = await service.as(key)[method](path, json && { json });
      expect([method, status]).toEqual([method, 409]);
    }
    const gone = await makePerson(service, 'owner', 'Deactivated owner');
    expect((await send(owner, 'POST', `/members/${gone.userId}/deactivate`, {})).status).toBe(200);
    // A deactivated owner does not count as an owner.
    expect((await send(owner, 'DELETE', `/members/${owner.userId}`)).status).toBe(409);
  });

  it('leave one of two owners who remove each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const second = await makePerson(service, 'owner', `Rival ${round}`);
      const key = { first: await managementKey(owner), second: await managementKey(second) };
      const answers = await Promise.all([
        service.as(key.first).patch(`/members/${second.userId}`, { json: { role: 'admin' } }),
        service.as(key.second).patch(`/members/${owner.userId}`, { json: { role: 'admin' } }),
      ]);
      const owners = await service.sql.query(
        `select 1 from member m where m.role = 'owner' and m.deactivated_at is null`,
      );
      expect(owners).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      await service.sql.query(
        `update member set role = case when user_id = $1 then 'owner' else 'admin' end
        where user_id in ($1, $2)`,
        [owner.userId, second.userId],
      );
      owner = await ownerOf(service);
    }
  });

  it('end the sessions of the member when they change, and not when they stay the same', async () => {
    const person = await makePerson(service, 'developer');
    expect((await send(owner, 'PATCH', `/members/${person.userId}`, { role: 'developer' })).status).toBe(200);
    expect((await person.browser.get('/members')).status).toBe(200);
    expect((await send(owner, 'PATCH', `/members/${person.userId}`, { role: 'admin' })).status).toBe(200);
    expect((await person.browser.get('/members')).status).toBe(401);
  });

  it('disable the management keys of a member below admin, and lower the keys of a demoted owner', async () => {
    const { accountId } = await firstOwner(service);
    const person = await makePerson(service, 'owner', 'Falling');
    const keys = [await managementKey(person), await managementKey(person, { role: 'admin' })];
    const standard = (await person.browser.post('/keys', { name: 'standard' })).json.key as string;
    const other = await makeMember(service, { accountId }, { role: 'owner' });
    const changeOther = async (key: string): Promise<number> =>
      (await service.as(key).patch(`/members/${other}`, { json: { role: 'owner' } })).status;
    expect(await changeOther(keys[0]!)).toBe(200);

    expect((await send(owner, 'PATCH', `/members/${person.userId}`, { role: 'admin' })).status).toBe(200);
    const roles = async (): Promise<object[]> =>
      service.sql.query<object>(
        `select role, disabled from api_key where creator_user_id = $1 and key_class = 'management'
           and console_session_id is null order by no`,
        [person.userId],
      );
    expect(await roles()).toEqual([
      { role: 'admin', disabled: false },
      { role: 'admin', disabled: false },
    ]);
    const invite = async (role: string): Promise<number> =>
      (await service.as(keys[0]).post('/invitations', { json: { role } })).status;
    expect([await invite('owner'), await invite('admin')]).toEqual([403, 201]);

    expect((await send(owner, 'PATCH', `/members/${person.userId}`, { role: 'billing' })).status).toBe(200);
    expect(await roles()).toEqual([
      { role: 'admin', disabled: true },
      { role: 'admin', disabled: true },
    ]);
    for (const key of keys) expect((await service.as(key).get('/members')).status).toBe(401);
    expect((await service.as(standard).get('/key')).status).toBe(200);
    expect((await send(owner, 'PATCH', `/members/${person.userId}`, { role: 'owner' })).status).toBe(200);
    for (const key of keys) expect((await service.as(key).get('/members')).status).toBe(401);
    await send(owner, 'PATCH', `/members/${person.userId}`, { role: 'viewer' });
    await send(owner, 'PATCH', `/members/${other}`, { role: 'viewer' });
  });

  it('show a developer and a viewer the ids and names of others, and their own complete row', async () => {
    for (const role of ['developer', 'viewer'] as const) {
      const person = await makePerson(service, role, `Own ${role}`);
      const rows = (await person.browser.get('/members?limit=100')).json.data as Record<string, unknown>[];
      expect(rows.find(({ user_id }) => user_id === person.userId)).toMatchObject({ role, role_source: 'manual' });
      const row = rows.find(({ user_id }) => user_id === owner.userId);
      expect(row).toEqual({
        user_id: owner.userId,
        name: 'Owner',
        email: null,
        role: null,
        role_source: null,
        in_interns_programme: null,
        created_at: null,
        deactivated_at: null,
      });
    }
    const rows = (await admin.browser.get('/members?limit=100')).json.data as Record<string, unknown>[];
    expect(rows.find(({ user_id }) => user_id === owner.userId)).toMatchObject({ role: 'owner' });
  });

  it('cannot be given to an unknown member, and cannot have an unknown name', async () => {
    const unknown = '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e';
    for (const id of [unknown, 'x', '%00']) {
      expect((await send(owner, 'PATCH', `/members/${id}`, { role: 'viewer' })).status).toBe(404);
      expect((await send(owner, 'DELETE', `/members/${id}`)).status).toBe(404);
    }
    for (const json of [{}, { role: 'member' }, { role: 'OWNER' }, { role: ['owner'] }, { role: 'viewer', more: 1 }])
      expect([json, (await send(owner, 'PATCH', `/members/${admin.userId}`, json)).status]).toEqual([json, 400]);
  });

  it('are shown in the settings of a key, next to the class of the key', async () => {
    const made = await owner.browser.post('/keys', { name: 'm', class: 'management', role: 'admin' });
    const standard = await owner.browser.post('/keys', { name: 's' });
    const settings = async (hash: string): Promise<object> =>
      (await owner.browser.get(`/keys/${hash}/settings`)).json.data;
    expect(await settings(made.json.data.hash)).toMatchObject({ class: 'management', role: 'admin' });
    expect(await settings(standard.json.data.hash)).toMatchObject({ class: 'standard', role: null });
  });

  it('leave no enabled key of a member who creates keys while being removed', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await makePerson(service, 'developer', `Racing ${round}`);
      const make = (): Promise<unknown> => person.browser.post('/keys', { name: 'late' });
      await Promise.all([make(), make(), send(owner, 'DELETE', `/members/${person.userId}`), make(), make()]);
      const enabled = await service.sql.query(
        'select 1 from api_key where creator_user_id = $1 and deleted_at is null and not disabled',
        [person.userId],
      );
      expect(enabled).toEqual([]);
    }
  });

  it('can be set again for a deactivated member, which activates the member; the keys stay disabled', async () => {
    const person = await makePerson(service, 'developer', 'Back');
    const key = (await person.browser.post('/keys', { name: 'own' })).json.key as string;
    await send(owner, 'POST', `/members/${person.userId}/deactivate`, {});
    expect(await roleOf(service, person.userId)).toBe('ended');
    expect((await send(owner, 'PATCH', `/members/${person.userId}`, { role: 'developer' })).status).toBe(200);
    expect(await roleOf(service, person.userId)).toBe('developer');
    expect((await service.as(key).get('/key')).status).toBe(401);
    const { accountId } = await firstOwner(service);
    expect((await (await signedInAs(service, { accountId, userId: person.userId })).get('/members')).status).toBe(200);
  });
});
