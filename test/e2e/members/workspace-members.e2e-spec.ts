import { randomUUID } from 'node:crypto';
import { Notifications } from '../../../src/database/notifications.js';
import { makePerson, ownerOf, send, type Person } from '../../support/members/account-people.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { makeSecondAccount } from '../../support/money/second-account.js';

interface Membership {
  readonly id: string;
  readonly user_id: string;
  readonly role: string;
}

describe('the members of a workspace', () => {
  let service: TestService;
  let owner: Person;
  let developer: Person;
  let team: string;
  beforeAll(async () => {
    service = await startTestService();
    owner = await ownerOf(service);
    developer = await makePerson(service, 'developer');
    team = (await owner.browser.post('/workspaces', { name: 'Team', slug: 'team' })).json.data.id;
  }, 60_000);
  afterAll(() => service.stop());

  const list = async (person: Person, workspace: string): Promise<Membership[]> =>
    (await person.browser.get(`/workspaces/${workspace}/members`)).json.data as Membership[];
  const change = (person: Person, word: 'add' | 'remove', ids: readonly string[], workspace = team) =>
    person.browser.post(`/workspaces/${workspace}/members/${word}`, { user_ids: ids });

  it('are added only once, with the role member, and then see the workspace', async () => {
    expect((await developer.browser.get('/workspaces/team')).status).toBe(404);
    const added = await change(owner, 'add', [developer.userId, developer.userId.toUpperCase()], 'team');
    expect([added.status, added.json.added_count, added.json.data.length]).toEqual([200, 1, 1]);
    expect(added.json.data[0]).toMatchObject({ user_id: developer.userId, workspace_id: team, role: 'member' });
    const again = await change(owner, 'add', [developer.userId]);
    expect([again.json.added_count, again.json.data]).toEqual([0, added.json.data]);
    expect((await developer.browser.get('/workspaces/team')).status).toBe(200);
    expect((await list(developer, team)).map(({ user_id }) => user_id)).toContain(developer.userId);
  });

  it('include the owners and admins of the account, and in the default workspace all members', async () => {
    const admin = await makePerson(service, 'admin');
    const viewer = await makePerson(service, 'viewer');
    const inTeam = new Map((await list(owner, team)).map(({ user_id, role }) => [user_id, role]));
    expect([owner, admin, developer, viewer].map(({ userId }) => inTeam.get(userId))).toEqual([
      'admin',
      'admin',
      'member',
      undefined,
    ]);
    const inDefault = new Map((await list(owner, 'default')).map(({ user_id, role }) => [user_id, role]));
    expect([owner, admin, developer, viewer].map(({ userId }) => inDefault.get(userId))).toEqual([
      'admin',
      'admin',
      'member',
      'member',
    ]);
    expect((await change(owner, 'add', [admin.userId, viewer.userId], 'default')).json.added_count).toBe(0);
    expect((await service.sql.query('select 1 from workspace_member where user_id = $1', [admin.userId])).length).toBe(
      0,
    );
    expect((await change(owner, 'remove', [viewer.userId], 'default')).status).toBe(400);
    expect((await change(owner, 'remove', [admin.userId])).status).toBe(400);
    expect((await send(owner, 'PATCH', `/workspaces/team/members/${admin.userId}`, { role: 'member' })).status).toBe(
      409,
    );
  });

  it('have the same ids after they were removed and added again', async () => {
    const before = await list(owner, team);
    await change(owner, 'remove', [developer.userId]);
    await change(owner, 'add', [developer.userId]);
    expect((await list(owner, team)).map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
  });

  it('cannot be removed while they have keys in the workspace; the refusal has the number of keys', async () => {
    const keys = [];
    for (const name of ['a', 'b'])
      keys.push((await developer.browser.post('/keys', { name, workspace_id: team })).json.data.hash as string);
    const refused = await change(owner, 'remove', [developer.userId]);
    expect([refused.status, refused.json.error.message]).toEqual([
      400,
      `user_ids: ${developer.userId} has 2 keys in the workspace: delete them first`,
    ]);
    for (const hash of keys) await send(developer, 'DELETE', `/keys/${hash}`);
    // A session that is used in the workspace ends with the membership.
    await developer.browser.send('PUT', '/console/session', { json: { workspace_id: team } });
    const removed = await change(owner, 'remove', [developer.userId, randomUUID()]);
    expect([removed.status, removed.json.removed_count]).toEqual([200, 1]);
    expect((await developer.browser.get('/workspaces')).status).toBe(401);
    developer = await makePerson(service, 'developer', 'Another');
    await change(owner, 'add', [developer.userId]);
  });

  it('can become its admins, who add others to this workspace only, and cannot change their own role', async () => {
    const other = (await owner.browser.post('/workspaces', { name: 'Other', slug: 'other' })).json.data.id as string;
    const viewer = await makePerson(service, 'viewer');
    expect((await change(developer, 'add', [viewer.userId])).status).toBe(403);
    const path = `/workspaces/team/members/${developer.userId}`;
    expect((await send(developer, 'PATCH', path, { role: 'admin' })).status).toBe(403);
    expect((await send(owner, 'PATCH', path, { role: 'admin' })).status).toBe(200);
    expect((await change(developer, 'add', [viewer.userId])).status).toBe(200);
    expect(
      (await send(developer, 'PATCH', `/workspaces/team/members/${viewer.userId}`, { role: 'admin' })).status,
    ).toBe(200);
    expect((await send(developer, 'PATCH', path, { role: 'member' })).status).toBe(403);
    expect((await change(developer, 'add', [viewer.userId], other)).status).toBe(404);
    expect((await send(developer, 'PATCH', `/members/${viewer.userId}`, { role: 'admin' })).status).toBe(403);
    expect((await developer.browser.post('/invitations', { role: 'viewer' })).status).toBe(403);
  });

  it('cannot be users of another account, deactivated users or unknown users', async () => {
    const foreign = await makeSecondAccount(service);
    const gone = await makePerson(service, 'developer', 'Gone');
    await send(owner, 'POST', `/members/${gone.userId}/deactivate`, {});
    for (const id of [foreign.userId, gone.userId, '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e'])
      expect((await change(owner, 'add', [developer.userId, id])).status).toBe(400);
    expect((await service.as(foreign.managementKey).get(`/workspaces/${team}/members`)).status).toBe(404);
    for (const user_ids of [[], ['x'], 'x', Array.from({ length: 101 }, () => developer.userId)])
      expect((await owner.browser.post('/workspaces/team/members/add', { user_ids })).status).toBe(400);
    expect((await send(owner, 'PATCH', `/workspaces/team/members/${gone.userId}`, { role: 'admin' })).status).toBe(404);
    expect((await send(owner, 'PATCH', '/workspaces/team/members/x', { role: 'admin' })).status).toBe(404);
  });

  it('have a new role as soon as the response is sent, without a notification', async () => {
    await service.app.get(Notifications, { strict: false }).close();
    const person = await makePerson(service, 'developer', 'Promoted');
    await change(owner, 'add', [person.userId]);
    const ask = async (): Promise<number> => (await change(person, 'add', [developer.userId])).status;
    const seen = [];
    for (const role of ['admin', 'member', 'admin', 'member', 'admin', 'member', 'admin', 'member']) {
      await send(owner, 'PATCH', `/workspaces/team/members/${person.userId}`, { role });
      seen.push(await ask());
    }
    expect(seen).toEqual([200, 403, 200, 403, 200, 403, 200, 403]);
  });
});
