import { firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { eventually } from '../../support/eventually.js';
import { roleOf } from '../../support/members/account-people.js';
import { operate, type OperatorResult } from '../../support/services/operator-line.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

describe("members that the operator's commands change", () => {
  let service: TestService;
  let folder: TemporaryFolder;
  let accountId: string;
  let ownerId: string;
  let ada: string;
  beforeAll(async () => {
    service = await startTestService();
    folder = await temporaryFolder();
    ({ accountId, userId: ownerId } = await firstOwner(service));
    ada = (await made('users', 'create', 'Ada', '--email', 'ada@example.com'))['id'] as string;
    await made('members', 'create', '--account', accountId, '--user', ada, '--role', 'admin');
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await folder.remove();
  });

  const operator = (...words: string[]): Promise<OperatorResult> => {
    const env = { DATABASE_URL: service.databaseUrl, MASTER_KEY: 'a1'.repeat(32), DATA_DIR: folder.path };
    return operate(service.databaseUrl, env, ...words, '--json');
  };
  const made = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { lines, error } = await operator(...words);
    expect(error).toBeUndefined();
    return JSON.parse(lines.join('')) as Record<string, unknown>;
  };
  const refused = async (...words: string[]): Promise<string> => {
    const { error } = await operator(...words);
    expect(error).toBeDefined();
    return (error as Error).message;
  };

  it('are found by id or e-mail address, get another role, and lose their sessions', async () => {
    const browser = await signedInAs(service, { accountId, userId: ada });
    expect(await made('members', 'role', 'ADA@example.com', 'billing')).toEqual({
      account: accountId,
      user: ada,
      role: 'billing',
      active: true,
    });
    await eventually(async () => expect((await browser.get('/members')).status).toBe(401));
    await made('members', 'role', ada, 'developer');
    expect(await roleOf(service, ada)).toBe('developer');
    expect(await refused('members', 'role', ada, 'member')).toMatch(/must be one of owner, admin/);
    expect(await refused('members', 'role', 'nobody@example.com', 'viewer')).toMatch(/is not a member/);
    expect(await refused('members', 'role', ownerId, 'admin')).toMatch(/last owner/);
  });

  it('are linked to an identity that no other user can have, and are listed with the identity', async () => {
    const identity = ['--issuer', 'https://id.example.com', '--subject', 'sub-1', '--provider', 'corp'];
    await made('members', 'link', 'ada@example.com', ...identity);
    expect(await refused('members', 'link', ownerId, ...identity)).toMatch(/already linked to a user/);
    expect(await refused('members', 'link', ada, '--issuer', 'no url', '--subject', 's')).toMatch(/--issuer/);
    const { lines } = await operator('members', 'list');
    const listed = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(listed.find(({ user }) => user === ada)).toEqual({
      account: accountId,
      user: ada,
      name: 'Ada',
      email: 'ada@example.com',
      role: 'developer',
      role_source: 'manual',
      deactivated_at: null,
      interns_programme: false,
      identities: ['https://id.example.com sub-1'],
    });
    const [row] = await service.sql.query(
      `select actor, action, resource_id as id from audit_entry where resource_kind = 'user_identity'`,
    );
    expect(row).toEqual({ actor: 'operator', action: 'create', id: `${ada}/https://id.example.com sub-1` });
  });

  it('get management keys with at most their own role', async () => {
    await made('members', 'role', ada, 'admin');
    const create = ['keys', 'create', 'k', '--class', 'management'];
    expect((await made(...create, '--user', ada, '--role', 'admin'))['role']).toBe('admin');
    expect(await refused(...create, '--user', ada)).toMatch(/above the role of the member/);
    expect(await refused(...create, '--role', 'viewer')).toMatch(/--role must be owner or admin/);
    expect(await refused('keys', 'create', 'k', '--role', 'admin')).toMatch(
      /--role is for keys of the class management/,
    );
    expect((await made(...create))['role']).toBe('owner');
  });

  it('are deactivated and removed, except the last owner', async () => {
    expect(await made('members', 'deactivate', ada)).toMatchObject({ role: 'admin', active: false });
    expect(await made('members', 'remove', ada)).toMatchObject({ role: null, active: false });
    expect(await roleOf(service, ada)).toBe('none');
    for (const word of ['deactivate', 'remove']) expect(await refused('members', word, ownerId)).toMatch(/last owner/);
  });
});
