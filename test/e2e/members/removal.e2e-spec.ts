import { ApiKeys } from '../../../src/auth/api-keys.js';
import { Invitations } from '../../../src/members/invitations.js';
import type { ApiClient } from '../../support/api/api-client.js';
import { codeFor, ConsoleBrowser, firstOwner } from '../../support/console/console-browser.js';
import { eventually } from '../../support/eventually.js';
import { makePerson, ownerOf, send, type Person } from '../../support/members/account-people.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const WITHIN_MS = 5_000;
const CHAT = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] };

/** The credentials of a member. */
interface Holdings {
  readonly person: Person;
  readonly key: string;
  readonly formerKey: string;
  readonly internId: string;
  readonly internKey: string;
}

describe.each([
  ['removed', 'DELETE', (userId: string) => `/members/${userId}`],
  ['deactivated', 'POST', (userId: string) => `/members/${userId}/deactivate`],
] as const)('a member who is %s', (state, method, path) => {
  const replicas: TestService[] = [];
  let first: TestService;
  let owner: Person;
  beforeAll(async () => {
    first = await startTestService({ env: { INTERN_RUNTIME: 'none' } });
    const second = await startTestService({
      databaseUrl: first.databaseUrl,
      env: { INTERN_RUNTIME: 'none', BOOTSTRAP_MANAGEMENT_KEY: '', BOOTSTRAP_API_KEY: '' },
    });
    replicas.push(first, second);
    owner = await ownerOf(first);
  }, 90_000);
  afterAll(async () => {
    for (const replica of replicas.toReversed()) await replica.stop();
  });

  const end = (person: Person) => send(owner, method, path(person.userId), method === 'POST' ? {} : undefined);

  async function holdings(): Promise<Holdings> {
    const person = await makePerson(first, 'admin', 'Leaving');
    const made = await person.browser.post('/keys', { name: 'own' });
    const rotated = await person.browser.post(`/keys/${made.json.data.hash}/rotate`, { grace_seconds: 3_600 });
    const key = rotated.json.key as string;
    const internId = (await first.as(key).post('/interns', { json: { name: 'helper' } })).json.id as string;
    const [parent] = await first.sql.query<{ no: number; account_id: string; workspace_id: string }>(
      'select no, account_id, workspace_id from api_key where hash = $1',
      [rotated.json.data.hash],
    );
    const { secret, key: own } = await first.app.get(ApiKeys, { strict: false }).issue({
      accountId: parent!.account_id,
      workspaceId: parent!.workspace_id,
      creatorUserId: person.userId,
      keyClass: 'intern',
      name: 'Intern helper',
      internId,
    });
    await first.sql.query('update api_key set parent_no = $2 where hash = $1', [own.hash, parent!.no]);
    await first.sql.query(`update intern set status = 'running' where id = $1`, [internId]);
    return { person, key, formerKey: made.json.key as string, internId, internKey: secret };
  }

  /** The statuses of all credentials of a member on a replica. */
  async function statuses(replica: TestService, { person, key, formerKey, internKey, internId }: Holdings) {
    const browser = new ConsoleBrowser(replica.origin);
    browser.cookie = person.browser.cookie;
    const intern: ApiClient = await replica.inside(internId, internKey);
    return {
      key: (await replica.as(key).get('/key')).status,
      formerKey: (await replica.as(formerKey).get('/key')).status,
      session: (await browser.get('/members')).status,
      calls: (await browser.post('/chat/completions', CHAT)).status,
      intern: (await intern.get('/key')).status,
    };
  }

  it('has no valid key, former secret, session or intern key on any replica after 5 s', async () => {
    const held = await holdings();
    const used = { key: 200, formerKey: 200, session: 200, calls: 200, intern: 200 };
    for (const replica of replicas) expect(await statuses(replica, held)).toEqual(used);
    expect((await end(held.person)).status).toBe(200);
    const refused = { key: 401, formerKey: 401, session: 401, calls: 401, intern: 401 };
    for (const replica of replicas)
      await eventually(async () => expect(await statuses(replica, held)).toEqual(refused), WITHIN_MS);
  });

  it('has interns that stop, and their disks and vaults stay', async () => {
    const { person, internId } = await holdings();
    const [before] = await first.sql.query('select vault_id, attached_vault_id from intern where id = $1', [internId]);
    await end(person);
    await eventually(async () => {
      const [intern] = await first.sql.query('select status, vault_id, attached_vault_id from intern where id = $1', [
        internId,
      ]);
      expect(intern).toEqual({ status: 'stopped', ...before });
    }, WITHIN_MS);
    const rows = await first.sql.query(
      `select actor, action from audit_entry where resource_kind = 'intern' and resource_id = $1
       order by audit_entry.id desc limit 1`,
      [internId],
    );
    expect(rows).toEqual([{ actor: 'service', action: 'suspend' }]);
  });

  it('has interns that stop even if the service ended between the change and the suspension', async () => {
    const { person, internId } = await holdings();
    // The state after a crash of the service: only the row has changed, and the service has notified no replica.
    await first.sql.query(
      state === 'removed'
        ? 'delete from member where user_id = $1'
        : 'update member set deactivated_at = now() where user_id = $1',
      [person.userId],
    );
    await eventually(async () => {
      const [intern] = await first.sql.query('select status from intern where id = $1', [internId]);
      expect(intern).toEqual({ status: 'stopped' });
    }, 15_000);
  }, 30_000);

  it('leaves no code or invitation, and is removed from the lists of provider credentials', async () => {
    const { accountId } = await firstOwner(first);
    const { person } = await holdings();
    const code = await codeFor(first, { accountId, userId: person.userId });
    const { url } = (await person.browser.post('/invitations', { role: 'viewer' })).json;
    const credential = { provider: 'openai', key: 'sk-0123456789abcdef' };
    const stays = '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e';
    const listed = (await owner.browser.post('/byok', { ...credential, allowed_user_ids: [person.userId, stays] })).json
      .data;
    const alone = (await owner.browser.post('/byok', { ...credential, allowed_user_ids: [person.userId] })).json.data;
    await end(person);
    expect((await new ConsoleBrowser(first.origin).signIn({ code })).status).toBe(401);
    const token = (url as string).split('#invitation=')[1]!;
    expect(await first.app.get(Invitations, { strict: false }).find(token)).toBeNull();
    const users = async (id: string): Promise<unknown> =>
      (await owner.browser.get(`/byok/${id}`)).json.data.allowed_user_ids;
    // The second list stays empty, which allows no user. A null would allow all users.
    expect([await users(listed.id), await users(alone.id)]).toEqual([[stays], []]);
  });

  it('causes one event, and one audit row for the member and for each key', async () => {
    const { person } = await holdings();
    const { accountId } = await firstOwner(first);
    await first.sql.query(`delete from event where type = 'member.removed'`);
    const [last] = await first.sql.query<{ id: string }>('select max(id)::text as id from audit_entry');
    const keys = await first.sql.query<{ hash: string }>(
      `select hash from api_key where creator_user_id = $1 and key_class <> 'intern' and console_session_id is null`,
      [person.userId],
    );
    await end(person);
    expect(await first.sql.query(`select data from event where type = 'member.removed'`)).toEqual([
      { data: { user_id: person.userId, name: 'Leaving', role: 'admin', deactivated: state === 'deactivated' } },
    ]);
    const rows = await first.sql.query<{ kind: string; action: string; id: string; user_id: string }>(
      `select resource_kind as kind, action, resource_id as id, user_id from audit_entry
       where audit_entry.id > $1::bigint and resource_kind in ('member', 'api_key') order by audit_entry.id`,
      [last!.id],
    );
    const by = { user_id: owner.userId };
    expect(rows).toEqual([
      ...keys.map(({ hash }) => ({ kind: 'api_key', action: 'update', id: hash, ...by })),
      {
        kind: 'member',
        action: state === 'removed' ? 'delete' : 'deactivate',
        id: `${accountId}/${person.userId}`,
        ...by,
      },
    ]);
  });

  it('keeps its records: past calls, and the names of keys', async () => {
    const { person, key } = await holdings();
    const called = await first.as(key).post('/chat/completions', { json: CHAT });
    await end(person);
    const generation = await owner.browser.get(`/generation?id=${called.json.id}`);
    expect(generation.status).toBe(200);
  });
});
