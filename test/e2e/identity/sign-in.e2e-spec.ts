import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/services/free-port.js';
import { TestIdentityProvider } from '../../support/identity/identity-provider.js';
import { OidcBrowser } from '../../support/identity/oidc-browser.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { firstOwner } from '../../support/console/console-browser.js';

describe('signing in through an identity provider', () => {
  let provider: TestIdentityProvider;
  let service: TestService;

  beforeAll(async () => {
    const port = await freePort();
    provider = await TestIdentityProvider.start([`http://127.0.0.1:${port}/console/oidc/corp/callback`]);
    const ROLES = 'gw-dev=developer@default:admin,gw-ops=admin,gw-look=viewer';
    service = await startTestService({
      env: {
        PORT: String(port),
        OIDC_PROVIDERS: 'corp',
        INTERN_RUNTIME: 'none',
        ...provider.variables('corp', { LABEL: 'Example Corp', SCOPES: 'openid email profile groups', ROLES }),
      },
    });
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await provider.stop();
  });

  const signIn = async (
    sub: string,
    claims?: object,
  ): Promise<{ browser: OidcBrowser; status: number; text: string }> => {
    if (claims) provider.users[sub] = claims as Record<string, unknown>;
    provider.signInAs = sub;
    const browser = new OidcBrowser();
    const { status, text } = await browser.signIn(service.origin, 'corp');
    return { browser, status, text };
  };
  const session = async (browser: OidcBrowser): Promise<{ role: string; kind: string; user: { id: string } }> =>
    (JSON.parse((await browser.get(`${service.origin}/console/session`)).text) as { data: never }).data;
  const lastRefusal = async (): Promise<string> =>
    (
      await service.sql.query<{ refusal: string }>(
        "select resource_id as refusal from audit_entry where action = 'sign_in_refused' order by id desc limit 1",
      )
    )[0]!.refusal;

  it('lists the providers by name and label, without a sign-in', async () => {
    const { status, json } = await service.as().get('/identity-providers');
    expect([status, json]).toEqual([200, { data: [{ name: 'corp', label: 'Example Corp' }], local_sign_in: 'on' }]);
  });

  it('goes to the provider and back to the page, and opens a session with the role of the group', async () => {
    const claims = { email: 'ada@corp.example', email_verified: true, name: 'Ada', groups: ['gw-dev', 'other'] };
    provider.users['ada'] = claims;
    provider.signInAs = 'ada';
    const browser = new OidcBrowser();
    const answer = await browser.signIn(service.origin, 'corp', '/console/keys?x=1');
    expect([answer.status, answer.location]).toEqual([303, '/console/keys?x=1']);
    expect(answer.headers.getSetCookie().find((line) => line.startsWith('gatehouse_session='))).toMatch(
      /^gatehouse_session=[\w-]{43}; Path=\/console; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    expect(browser.names(service.origin)).toEqual(['gatehouse_session']);
    const opened = await session(browser);
    expect(opened).toMatchObject({ role: 'developer', kind: 'oidc', user: { name: 'Ada', email: null } });
    const [identity] = await service.sql.query(
      'select issuer, subject, provider, user_id, email, email_verified, name from user_identity where subject = $1',
      ['ada'],
    );
    expect(identity).toEqual({
      issuer: provider.issuer,
      subject: 'ada',
      provider: 'corp',
      user_id: opened.user.id,
      email: 'ada@corp.example',
      email_verified: true,
      name: 'Ada',
    });
    const [workspace] = await service.sql.query('select role, source from workspace_member where user_id = $1', [
      opened.user.id,
    ]);
    expect(workspace).toEqual({ role: 'admin', source: 'provider' });
  });

  it('finds the user again by issuer and subject, whatever the address is now', async () => {
    const first = await session((await signIn('ben', { email: 'ben@corp.example', groups: ['gw-look'] })).browser);
    const second = await session((await signIn('ben', { email: 'other@corp.example', groups: ['gw-look'] })).browser);
    expect(second.user.id).toBe(first.user.id);
  });

  it('ends the earlier session of the browser, and keeps the sessions of others', async () => {
    const { browser } = await signIn('cora', { groups: ['gw-look'] });
    const before = browser.cookie(service.origin, 'gatehouse_session')!;
    const other = await signIn('cora');
    await browser.signIn(service.origin, 'corp');
    const after = browser.cookie(service.origin, 'gatehouse_session');
    expect(after).not.toBe(before);
    const as = async (cookie: string): Promise<number> =>
      (await fetch(`${service.origin}/console/session`, { headers: { cookie: `gatehouse_session=${cookie}` } })).status;
    expect([await as(before), await as(after!)]).toEqual([401, 200]);
    expect(await session(other.browser)).toMatchObject({ kind: 'oidc' });
  });

  describe('the groups', () => {
    it('decide the highest role and the workspaces at each sign-in', async () => {
      const { browser } = await signIn('dora', { groups: ['gw-dev'] });
      const { user } = await session(browser);
      await signIn('dora', { groups: ['gw-look', 'gw-ops'] });
      const [member] = await service.sql.query('select role, role_source from member where user_id = $1', [user.id]);
      expect(member).toEqual({ role: 'admin', role_source: 'provider' });
      const left = await service.sql.query('select 1 from workspace_member where user_id = $1', [user.id]);
      expect(left).toEqual([]);
      await eventually(async () => expect((await browser.get(`${service.origin}/console/session`)).status).toBe(401));
    });

    it('refuse the sign-in if they are missing, and change nothing', async () => {
      const { browser } = await signIn('emil', { groups: ['gw-dev'] });
      const { user } = await session(browser);
      const { status, text } = await signIn('emil', { name: 'Emil' });
      expect([status, text.includes('sent no groups')]).toEqual([403, true]);
      expect(await lastRefusal()).toMatch(/^corp\/groups_missing\/[0-9a-f]{32}$/);
      const [member] = await service.sql.query('select role, deactivated_at from member where user_id = $1', [user.id]);
      expect(member).toEqual({ role: 'developer', deactivated_at: null });
      expect(await session(browser)).toMatchObject({ role: 'developer' });
    });

    it.each([
      ['_claim_names', { groups: 'src1' }],
      ['hasgroups', true],
    ])('refuse the sign-in if they are too many to be sent (%s), and change nothing', async (marker, value) => {
      const sub = `fay-${marker}`;
      const { browser } = await signIn(sub, { groups: ['gw-dev'] });
      provider.extraClaims = { [marker]: value };
      const { status } = await signIn(sub, {});
      provider.extraClaims = {};
      expect([status, (await lastRefusal()).split('/')[1]]).toEqual([403, 'groups_overage']);
      expect(await session(browser)).toMatchObject({ role: 'developer' });
    });

    it('that give no role make nobody a member', async () => {
      const { status, text } = await signIn('gus', { groups: ['nothing-here'] });
      expect([status, text.includes('you are not a member here')]).toEqual([403, true]);
      expect(await service.sql.query("select 1 from user_identity where subject = 'gus'")).toEqual([]);
    });

    it('deactivate the member if no group matches, and activate the member if a group matches again', async () => {
      const { browser } = await signIn('hal', { groups: ['gw-dev'] });
      const { user } = await session(browser);
      expect((await signIn('hal', { groups: [] })).status).toBe(403);
      expect((await lastRefusal()).split('/')[1]).toBe('no_role');
      const deactivated = async (): Promise<boolean> =>
        (
          await service.sql.query<{ is: boolean }>(
            'select deactivated_at is not null as is from member where user_id = $1',
            [user.id],
          )
        )[0]!.is;
      expect(await deactivated()).toBe(true);
      await eventually(async () => expect((await browser.get(`${service.origin}/console/session`)).status).toBe(401));
      expect((await signIn('hal', { groups: ['gw-dev'] })).status).toBe(303);
      expect(await deactivated()).toBe(false);
    });

    it('do not change a member with a role that a person set', async () => {
      const { browser } = await signIn('ida', { groups: ['gw-dev'] });
      const { user } = await session(browser);
      await service.sql.query("update member set role = 'billing', role_source = 'manual' where user_id = $1", [
        user.id,
      ]);
      expect((await signIn('ida', { groups: ['gw-ops'] })).status).toBe(303);
      expect(await service.sql.query('select role from member where user_id = $1', [user.id])).toEqual([
        { role: 'billing' },
      ]);
    });

    it('never remove the last owner', async () => {
      const { accountId, userId } = await firstOwner(service);
      await service.sql.query(
        `insert into user_identity (issuer, subject, provider, user_id, created_at, used_at)
         values ($1, 'boss', 'corp', $2, now(), now())`,
        [provider.issuer, userId],
      );
      const owner = async (): Promise<unknown> =>
        (
          await service.sql.query('select role, deactivated_at from member where account_id = $1 and user_id = $2', [
            accountId,
            userId,
          ])
        )[0];
      await service.sql.query("update member set role_source = 'provider' where user_id = $1", [userId]);
      try {
        for (const groups of [['gw-look'], []]) {
          const { status, browser } = await signIn('boss', { groups });
          expect([status, (await session(browser)).role]).toEqual([303, 'owner']);
          expect(await owner()).toEqual({ role: 'owner', deactivated_at: null });
        }
      } finally {
        await service.sql.query("update member set role_source = 'manual' where user_id = $1", [userId]);
      }
    });
  });

  it('is recorded in the audit with provider, hash of the subject and user', async () => {
    const { browser } = await signIn('jo', { groups: ['gw-look'] });
    const { user } = await session(browser);
    const rows = await service.sql.query(
      `select action, resource_id as identity, user_id as "userId" from audit_entry
       where resource_kind = 'user_identity' and user_id = $1 order by id`,
      [user.id],
    );
    const identity = expect.stringMatching(/^corp\/[0-9a-f]{32}$/) as string;
    expect(rows).toEqual([
      { action: 'create', identity, userId: user.id },
      { action: 'sign_in', identity, userId: user.id },
    ]);
  });
});
