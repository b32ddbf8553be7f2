import { Config } from '../../../src/config/config.js';
import { Invitations } from '../../../src/members/invitations.js';
import { ConsoleBrowser, codeFor, firstOwner, signedIn } from '../../support/console/console-browser.js';
import { IdentityStage } from '../../support/identity/identity-stage.js';
import { OidcBrowser } from '../../support/identity/oidc-browser.js';
import { startTestService, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

describe('identities of users', () => {
  let stage: IdentityStage;

  beforeAll(async () => {
    stage = await IdentityStage.start({
      provider: { ROLES: 'gw-dev=developer' },
      env: { LOCAL_SIGN_IN: 'link', PUBLIC_BASE_URL: 'http://127.0.0.1:3000' },
    });
  }, 60_000);
  afterAll(() => stage.stop());

  /** The callback at this service. PUBLIC_BASE_URL names another port. */
  const here = (callback: URL): string => stage.service.origin + callback.pathname + callback.search;

  /** A browser that is signed in as the owner and can follow redirects to the provider. */
  const owner = async (): Promise<OidcBrowser> => {
    const { cookie } = await signedIn(stage.service);
    const browser = new OidcBrowser();
    browser.set(stage.service.origin, 'gatehouse_session', cookie!.split('=')[1]!);
    return browser;
  };
  const identities = `/console/session/identities`;
  const list = async (browser: OidcBrowser): Promise<{ id: string; provider: string }[]> =>
    (JSON.parse((await browser.get(stage.service.origin + identities)).text) as { data: never }).data;
  const link = async (browser: OidcBrowser, sub: string): Promise<{ status: number; location: string | null }> => {
    stage.issuer.token = { claims: { sub, name: 'The owner' } };
    const json = { provider: 'corp', return_to: '/console/profile' };
    const { text } = await browser.post(stage.service.origin + identities, json);
    return browser.arrive(here(stage.issuer.approve((JSON.parse(text) as { url: string }).url)));
  };

  it('are linked by a signed-in user, whose session continues, and can be used for later sign-ins', async () => {
    const browser = await owner();
    const before = browser.cookie(stage.service.origin, 'gatehouse_session');
    expect(await link(browser, 'boss')).toMatchObject({ status: 303, location: '/console/profile' });
    expect(browser.cookie(stage.service.origin, 'gatehouse_session')).toBe(before);
    expect(await list(browser)).toEqual([
      expect.objectContaining({ provider: 'corp', label: 'corp', name: 'The owner', email_verified: false }),
    ]);
    const other = new OidcBrowser();
    stage.issuer.token = { claims: { sub: 'boss' } };
    const { location } = await other.get(`${stage.service.origin}/console/oidc/corp/start`);
    expect((await other.arrive(here(stage.issuer.approve(location!)))).status).toBe(303);
    expect((await stage.session(other)).role).toBe('owner');
  });

  it('are not linked after the session has ended, nor to a second user', async () => {
    const browser = await owner();
    stage.issuer.token = { claims: { sub: 'late' } };
    const { text } = await browser.post(stage.service.origin + identities, { provider: 'corp' });
    await browser.delete(`${stage.service.origin}/console/session`);
    const callback = here(stage.issuer.approve((JSON.parse(text) as { url: string }).url));
    expect([(await browser.arrive(callback)).status, await stage.lastReason()]).toEqual([400, 'session_ended']);
    stage.issuer.token = { claims: { sub: 'dev', groups: ['gw-dev'] } };
    const dev = new OidcBrowser();
    const { location } = await dev.get(`${stage.service.origin}/console/oidc/corp/start`);
    await dev.arrive(here(stage.issuer.approve(location!)));
    expect([(await link(await owner(), 'dev')).status, await stage.lastReason()]).toEqual([409, 'identity_taken']);
  });

  it('can be removed, which ends their other sessions; the last one stays if LOCAL_SIGN_IN is link', async () => {
    const browser = await owner();
    await link(browser, 'second');
    const all = await list(browser);
    expect(all.length).toBe(2);
    const second = new OidcBrowser();
    stage.issuer.token = { claims: { sub: 'second' } };
    const { location } = await second.get(`${stage.service.origin}/console/oidc/corp/start`);
    await second.arrive(here(stage.issuer.approve(location!)));
    const remove = async (id: string): Promise<number> =>
      (await browser.delete(`${stage.service.origin}${identities}/${id}`)).status;
    expect(await remove('f'.repeat(32))).toBe(404);
    expect(await remove(all[1]!.id)).toBe(204);
    expect((await second.get(`${stage.service.origin}/console/session`)).status).toBe(401);
    expect((await browser.get(`${stage.service.origin}/console/session`)).status).toBe(200);
    expect(await remove(all[0]!.id)).toBe(409);
  });

  it('LOCAL_SIGN_IN=link refuses keys in the sign-in form, and accepts a sign-in link', async () => {
    const browser = new ConsoleBrowser(stage.service.origin);
    const { status, json } = await browser.signIn({ key: TEST_MANAGEMENT_KEY });
    expect([status, json.error.message]).toEqual([403, expect.stringContaining('Signing in with a key is disabled')]);
    const code = await codeFor(stage.service, await firstOwner(stage.service));
    expect((await browser.signIn({ code })).status).toBe(201);
    expect((await stage.service.as().get('/identity-providers')).json.local_sign_in).toBe('link');
  });

  it('LOCAL_SIGN_IN=link refuses invitations that are used without the identity provider', async () => {
    const { accountId } = await firstOwner(stage.service);
    const request = { accountId, role: 'viewer', workspaceIds: [], email: null } as const;
    const invitations = stage.service.app.get(Invitations, { strict: false });
    const { token } = await invitations.create(request, 'operator');
    const json = { invitation: token };
    const answer = await new ConsoleBrowser(stage.service.origin).send('POST', '/console/session', { json });
    expect([answer.status, answer.json.error.message]).toEqual([403, expect.stringContaining('identity provider')]);
    expect(await invitations.find(token)).not.toBeNull();
  });

  it('an invitation makes a member once, by a token that is in no URL', async () => {
    const invitations = stage.service.app.get(Invitations, { strict: false });
    const { accountId } = await firstOwner(stage.service);
    const request = { accountId, role: 'billing', workspaceIds: [], email: 'Guest@else.example' } as const;
    const { token } = await invitations.create(request, 'operator');
    const start = async (sub: string, claims: object): Promise<{ status: number; browser: OidcBrowser }> => {
      const browser = new OidcBrowser();
      stage.issuer.token = { claims: { sub, ...claims } };
      const { text, status } = await browser.post(`${stage.service.origin}/console/oidc/corp/start`, {
        invitation: token,
      });
      if (status !== 200) return { status, browser };
      const { url } = JSON.parse(text) as { url: string };
      expect(url).not.toContain(token);
      return { status: (await browser.arrive(here(stage.issuer.approve(url)))).status, browser };
    };
    const wrong = await start('guest', { email: 'other@else.example', email_verified: true });
    expect([wrong.status, await stage.lastReason()]).toEqual([404, 'invitation_unusable']);
    expect(await stage.service.sql.query("select 1 from user_identity where subject = 'guest'")).toEqual([]);
    const right = await start('guest', { email: 'guest@else.example', email_verified: true });
    expect(right.status).toBe(303);
    expect(await stage.session(right.browser)).toMatchObject({
      role: 'billing',
      user: { email: 'guest@else.example' },
    });
    expect((await start('other', { email: 'guest@else.example', email_verified: true })).status).toBe(404);
  });

  it('the status shows the configuration without secrets, and the last refusals with their reasons', async () => {
    const { status, json } = await stage.service.management.get('/identity-providers/status');
    expect(status).toBe(200);
    expect(json.data.providers).toEqual([
      {
        name: 'corp',
        label: 'corp',
        issuer: stage.issuer.issuer,
        client_id: 'gatehouse',
        scopes: ['openid', 'email', 'profile'],
        groups_claim: '/groups',
        roles: [{ group: 'gw-dev', role: 'developer', workspaces: [] }],
        domains: [],
        default_role: null,
        redirect_uri: 'http://127.0.0.1:3000/console/oidc/corp/callback',
        backchannel_logout_uri: 'http://127.0.0.1:3000/console/oidc/corp/backchannel',
        try_path: '/console/oidc/corp/start',
        fault: null,
      },
    ]);
    expect(json.data.refused[0]).toMatchObject({ provider: 'corp', reason: 'invitation_unusable' });
    expect(JSON.stringify(json)).not.toContain('s'.repeat(43));
  });

  it.each([
    [{ ROLES: 'a=developer@nowhere' }, 'OIDC_CORP_ROLES names the workspace nowhere, which the account does not have'],
    [{ ACCOUNT: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e' }, 'OIDC_CORP_ACCOUNT names an account that does not exist'],
  ])('a start with %j fails with one line', async (variables, message) => {
    const env = { OIDC_PROVIDERS: 'corp', ...stage.issuer.variables('corp', variables) };
    expect(() => Config.read(env)).not.toThrow();
    const starting = startTestService({ env, databaseUrl: stage.service.databaseUrl });
    await expect(starting).rejects.toThrow(message);
  });

  it('unknown paths below /console/oidc return 404', async () => {
    for (const path of [
      '/console/oidc/',
      '/console/oidc/none/start',
      '/console/oidc/corp/nothing',
      '/console/oidc/corp',
    ])
      expect((await new OidcBrowser().get(stage.service.origin + path)).status).toBe(404);
  });
});
