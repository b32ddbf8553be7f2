import { randomUUID } from 'node:crypto';
import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { makePerson, ownerOf, send, type Person } from '../../support/members/account-people.js';
import { makeSecondAccount, type SecondAccount } from '../../support/money/second-account.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

interface Names {
  readonly api_keys: { hash: string; current_hash: string; name: string; deleted: boolean }[];
  readonly users: { id: string; name: string; email: string | null; is_member: boolean }[];
  readonly workspaces: { id: string; name: string; deleted: boolean }[];
  readonly interns: { id: string; name: string }[];
}

describe('POST /names', () => {
  let service: TestService;
  let second: SecondAccount;
  let owner: Person;
  beforeAll(async () => {
    service = await startTestService({ env: { INTERN_RUNTIME: 'none', RATE_LIMIT_MANAGEMENT: 'off' } });
    second = await makeSecondAccount(service);
    owner = await ownerOf(service);
  }, 60_000);
  afterAll(() => service.stop());

  const names = async (json: object, key?: string): Promise<Names> => {
    const response = await (key === undefined ? service.management : service.as(key)).post('/names', { json });
    expect(response.status).toBe(200);
    return response.json.data;
  };
  const namesFor = async (person: Person, json: object, path = '/names'): Promise<Names> => {
    const response = await person.browser.post(path, json);
    expect(response.status).toBe(200);
    return response.json.data;
  };
  const search = async (query: string): Promise<Names> =>
    (await service.management.post('/names/search', { json: { query } })).json.data;

  it('returns the names of keys of every workspace, members and workspaces in one response', async () => {
    const workspace = await makeWorkspace(service.management, { name: 'North' });
    const here = await makeKey(service.management, { name: 'Here' });
    const there = await makeKey(service.management, { name: 'There', workspace_id: workspace.id });
    const person = await makePerson(service, 'developer', 'Bo');
    const found = await names({
      api_key_hashes: [here.hash, there.hash],
      user_ids: [person.userId],
      workspace_ids: [workspace.id],
    });
    expect(found.api_keys.map(({ name }) => name)).toEqual(['Here', 'There']);
    expect(found.users).toMatchObject([{ id: person.userId, name: 'Bo', is_member: true }]);
    expect(found.workspaces).toMatchObject([{ id: workspace.id, name: 'North', deleted: false }]);
  });

  it('returns the names of a deleted key and a deleted workspace, marked as deleted', async () => {
    const workspace = await makeWorkspace(service.management, { name: 'Gone' });
    const { hash } = await makeKey(service.management, { name: 'Leaked' });
    await service.management.delete(`/keys/${hash}`);
    await service.management.delete(`/workspaces/${workspace.id}`);
    const found = await names({ api_key_hashes: [hash], workspace_ids: [workspace.id] });
    expect(found.api_keys).toMatchObject([{ name: 'Leaked', deleted: true }]);
    expect(found.workspaces).toMatchObject([{ name: 'Gone', deleted: true }]);
  });

  it('returns the name of a key and its current hash for a former hash', async () => {
    const { hash } = await makeKey(service.management, { name: 'Rotated' });
    const rotated = await service.management.post(`/keys/${hash}/rotate`, { json: { grace_seconds: 0 } });
    const found = await names({ api_key_hashes: [hash] });
    expect(found.api_keys).toMatchObject([{ hash, current_hash: rotated.json.data.hash, name: 'Rotated' }]);
  });

  it('returns the name of a removed member, without the address', async () => {
    const person = await makePerson(service, 'developer', 'Leaver');
    await send(person, 'POST', '/keys', { name: 'Of the leaver' });
    expect((await send(owner, 'DELETE', `/members/${person.userId}`)).status).toBe(200);
    const [left] = (await names({ user_ids: [person.userId] })).users;
    expect(left).toEqual({ id: person.userId, name: 'Leaver', email: null, is_member: false });
  });

  it('leaves out objects of another account, and objects that do not exist', async () => {
    const { hash } = await makeKey(service.management, { name: 'Ours' });
    const [ours] = (await service.management.get('/workspaces')).json.data;
    const ids = { api_key_hashes: [hash, 'f'.repeat(64)], user_ids: [owner.userId, randomUUID()] };
    const empty = { api_keys: [], users: [], workspaces: [], interns: [] };
    expect(await names({ ...ids, workspace_ids: [ours.id] }, second.managementKey)).toEqual(empty);
    expect(await names({})).toEqual(empty);
  });

  it('returns only the names of own keys to a developer, and no key of others to a viewer', async () => {
    const { hash } = await makeKey(service.management, { name: 'Not theirs' });
    const developer = await makePerson(service, 'developer', 'Dev');
    const made = await developer.browser.post('/keys', { name: 'Own' });
    const asked = { api_key_hashes: [hash, made.json.data.hash] };
    expect((await namesFor(developer, asked)).api_keys.map(({ name }) => name)).toEqual(['Own']);
    expect((await namesFor(await makePerson(service, 'viewer', 'See'), asked)).api_keys).toEqual([]);
    expect((await namesFor(developer, { query: '' }, '/names/search')).api_keys.map(({ name }) => name)).toEqual([
      'Own',
    ]);
  });

  it('returns only its own name to a standard key', async () => {
    const [one, other] = [await makeKey(service.management, { name: 'One' }), await makeKey(service.management)];
    const found = await names({ api_key_hashes: [one.hash, other.hash], user_ids: [owner.userId] }, one.key);
    expect(found).toMatchObject({ api_keys: [{ name: 'One' }], users: [], workspaces: [], interns: [] });
    const { json } = await service.as(one.key).post('/names/search', { json: { query: '' } });
    expect(json.data.api_keys).toMatchObject([{ name: 'One' }]);
  });

  it('returns the name of an intern to its member, and to readers of all interns', async () => {
    const { json } = await service.standard.post('/interns', { json: { name: 'ada', provision: false } });
    const asked = { intern_ids: [json.id] };
    const own = (await service.standard.post('/names', { json: asked })).json.data;
    expect([own.interns, (await names(asked)).interns]).toMatchObject([[{ name: 'ada' }], [{ name: 'ada' }]]);
    const developer = await makePerson(service, 'developer', 'Outsider');
    expect((await namesFor(developer, asked)).interns).toEqual([]);
    expect((await search('ada')).interns).toMatchObject([{ id: json.id }]);
  });

  it('finds by a part of the name, without regard to case, and treats % and _ literally', async () => {
    await makeKey(service.management, { name: 'Robot_7 50%' });
    await makeKey(service.management, { name: 'RobotX7 500' });
    expect((await search('robot')).api_keys).toHaveLength(2);
    expect((await search('t_7 50%')).api_keys.map(({ name }) => name)).toEqual(['Robot_7 50%']);
    await makePerson(service, 'viewer', 'Grace Hopper');
    expect((await search('hopper')).users).toMatchObject([{ name: 'Grace Hopper' }]);
  });

  it('finds at most 20 of each kind, existing ones first, and no key of a session', async () => {
    for (let at = 0; at < 22; at++) {
      const { hash } = await makeKey(service.management, { name: `Many ${at}` });
      if (at > 18) await service.management.delete(`/keys/${hash}`);
    }
    const { api_keys: keys } = await search('many');
    expect(keys.map(({ deleted }) => deleted)).toEqual([...Array(19).fill(false), true]);
    expect((await search('Console session')).api_keys).toEqual([]);
  });

  it.each([
    [{ api_key_hashes: Array(201).fill('f'.repeat(64)) }, /api_key_hashes/],
    [{ api_key_hashes: ['x'] }, /api_key_hashes/],
    [{ user_ids: ['nobody'] }, /user_ids/],
    [{ workspace_ids: 'all' }, /workspace_ids/],
    [{ names: [] }, /names/],
  ])('refuses %j with a 400 that names the member', async (json, message) => {
    const response = await service.management.post('/names', { json });
    expect([response.status, response.json.error.message]).toEqual([400, expect.stringMatching(message)]);
  });
});
