import { createHash, randomBytes } from 'node:crypto';
import { ConsoleBrowser, type ConsoleAnswer } from '../../support/console/console-browser.js';
import { makePerson, ownerOf, send, type Person } from '../../support/members/account-people.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

const DAY_MS = 86_400_000;

describe('invitations', () => {
  let service: TestService;
  let owner: Person;
  let token: (fields?: object, by?: Person) => Promise<string>;
  const clock = new SetClock(new Date());
  beforeAll(async () => {
    service = await startTestService({ clock, env: { RATE_LIMIT_SIGN_IN: 'off' } });
    owner = await ownerOf(service);
    token = async (fields = {}, by = owner) => {
      const made = await by.browser.post('/invitations', { role: 'developer', ...fields });
      expect(made.status).toBe(201);
      return (made.json.url as string).split('/console/#invitation=')[1]!;
    };
  }, 60_000);
  afterAll(() => service.stop());

  const accept = async (invitation: string, name?: string): Promise<ConsoleAnswer & { browser: ConsoleBrowser }> => {
    const browser = new ConsoleBrowser(service.origin);
    const json = name === undefined ? { invitation } : { invitation, name };
    return { ...(await browser.send('POST', '/console/session', { json })), browser };
  };
  const people = async (): Promise<number> => (await service.sql.query('select 1 from app_user')).length;

  it('make a person a member with the role and the workspaces, and sign the person in', async () => {
    const workspace = (await owner.browser.post('/workspaces', { name: 'Team', slug: 'team' })).json.data.id as string;
    const invitation = await token({ role: 'developer', workspace_ids: [workspace] });
    expect(invitation).toMatch(/^[\w-]{43}$/);
    const { status, json, browser } = await accept(invitation, 'Grace');
    expect([status, json.data.role, json.data.user.name]).toEqual([201, 'developer', 'Grace']);
    const slugs = (await browser.get('/workspaces')).json.data.map(({ slug }: { slug: string }) => slug);
    expect(slugs).toEqual(['default', 'team']);
    const [row] = await service.sql.query('select role_source from member where user_id = $1', [json.data.user.id]);
    expect(row).toEqual({ role_source: 'invitation' });
  });

  it('are stored as the hash of 256 random bits, and shown once', async () => {
    const made = await owner.browser.post('/invitations', { role: 'viewer' });
    const secret = (made.json.url as string).split('#invitation=')[1]!;
    const hash = createHash('sha256').update(secret).digest('hex');
    const rows = await service.sql.query<{ id: string }>('select id from invitation where token_hash = $1', [hash]);
    expect(rows).toEqual([{ id: made.json.data.id }]);
    const listed = await owner.browser.get('/invitations');
    expect(listed.json.data).toContainEqual(made.json.data);
    for (const table of ['invitation', 'audit_entry'])
      expect((await service.sql.query(`select 1 from ${table} t where t::text like $1`, [`%${secret}%`])).length).toBe(
        0,
      );
    expect(JSON.stringify(listed.json)).not.toContain(secret);
  });

  it('give the same 404 for guessed, used, revoked and expired tokens, and those of a demoted creator', async () => {
    const used = await token();
    expect((await accept(used)).status).toBe(201);
    const revoked = await owner.browser.post('/invitations', { role: 'viewer' });
    const { id } = revoked.json.data as { id: string };
    expect((await send(owner, 'DELETE', `/invitations/${id}`)).status).toBe(200);
    expect((await send(owner, 'DELETE', `/invitations/${id}`)).status).toBe(404);
    const admin = await makePerson(service, 'admin', 'Demoted');
    const demoted = await token({}, admin);
    await send(owner, 'PATCH', `/members/${admin.userId}`, { role: 'developer' });
    const gone = await makePerson(service, 'admin', 'Gone');
    const orphaned = await token({}, gone);
    await send(owner, 'DELETE', `/members/${gone.userId}`);
    const addressed = await token({ email: 'ada@example.com' });
    const expired = await token();

    const before = await people();
    const answers = [];
    for (const each of [randomBytes(32).toString('base64url'), 'x', used, demoted, orphaned, addressed])
      answers.push(await accept(each));
    answers.push(await accept((revoked.json.url as string).split('#invitation=')[1]!));
    clock.set(new Date(clock.now().getTime() + 7 * DAY_MS));
    answers.push(await accept(expired));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(new Set(answers.map(({ json }) => JSON.stringify(json))).size).toBe(1);
    expect(await people()).toBe(before);
    owner = await ownerOf(service);
  });

  it('work until the last moment of seven days', async () => {
    const invitation = await token();
    clock.set(new Date(clock.now().getTime() + 7 * DAY_MS - 1));
    expect((await accept(invitation)).status).toBe(201);
    owner = await ownerOf(service);
  });

  it('make one member at most, also if several are used at once', async () => {
    const invitation = await token();
    const before = await people();
    const answers = await Promise.all(Array.from({ length: 12 }, () => accept(invitation)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(11);
    expect(await people()).toBe(before + 1);
  });

  it('become invalid if the key that made them is disabled', async () => {
    const made = await owner.browser.post('/keys', { name: 'inviting', class: 'management' });
    const { url } = (await service.as(made.json.key).post('/invitations', { json: { role: 'viewer' } })).json;
    await owner.browser.send('PATCH', `/console/api/v1/keys/${made.json.data.hash}`, { json: { disabled: true } });
    expect((await accept((url as string).split('#invitation=')[1]!)).status).toBe(404);
  });

  it('have the same rate limit by address as other failed sign-ins', async () => {
    const limited = await startTestService({ env: { RATE_LIMIT_SIGN_IN: '2/60' } });
    try {
      const statuses = [];
      for (let attempt = 0; attempt < 3; attempt++) {
        const browser = new ConsoleBrowser(limited.origin);
        statuses.push((await browser.send('POST', '/console/session', { json: { invitation: 'guess' } })).status);
      }
      expect(statuses).toEqual([404, 404, 429]);
    } finally {
      await limited.stop();
    }
  });

  it('are refused with a 400 if they name unknown objects, or are sent with another way to sign in', async () => {
    for (const json of [
      {},
      { role: 'member' },
      { role: 'viewer', email: 'no address' },
      { role: 'viewer', workspace_ids: ['x'] },
      { role: 'viewer', workspace_ids: ['019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e'] },
      { role: 'viewer', token: 'mine' },
    ])
      expect([json, (await owner.browser.post('/invitations', json)).status]).toEqual([json, 400]);
    const browser = new ConsoleBrowser(service.origin);
    for (const json of [
      { invitation: 'a', code: 'b' },
      { name: 'Ada' },
      { code: 'b', name: 'Ada' },
      { invitation: '' },
    ])
      expect([json, (await browser.send('POST', '/console/session', { json })).status]).toEqual([json, 400]);
  });
});
