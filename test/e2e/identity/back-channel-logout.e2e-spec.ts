import { IdentityStage } from '../../support/identity/identity-stage.js';
import { OidcBrowser } from '../../support/identity/oidc-browser.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const GROUPS = { groups: ['gw-dev'] };

describe('logout at the identity provider', () => {
  let stage: IdentityStage;
  let replica: TestService;

  beforeAll(async () => {
    stage = await IdentityStage.start({ provider: { ROLES: 'gw-dev=developer' } });
    const env = { OIDC_PROVIDERS: 'corp', ...stage.issuer.variables('corp'), RATE_LIMIT_SIGN_IN: 'off' };
    replica = await startTestService({ env, databaseUrl: stage.service.databaseUrl });
  }, 60_000);
  afterAll(async () => {
    await replica.stop();
    await stage.stop();
  });

  const now = (): number => Math.floor(Date.now() / 1_000);
  const session = async (browser: OidcBrowser): Promise<number> =>
    (await browser.get(`${stage.service.origin}/console/session`)).status;

  it('a logout token ends the sessions of its sid or sub on every replica, and is accepted once', async () => {
    const open = async (sid: string): Promise<OidcBrowser> => {
      stage.issuer.token = { claims: { ...GROUPS, sub: 'leaver', sid } };
      const browser = new OidcBrowser();
      await browser.signInAt(stage.issuer, stage.service.origin, 'corp');
      return browser;
    };
    const send = async (token: string): Promise<number> =>
      (
        await fetch(`${replica.origin}/console/oidc/corp/backchannel`, {
          method: 'POST',
          body: new URLSearchParams({ logout_token: token }),
        })
      ).status;
    const [first, second] = [await open('s1'), await open('s2')];
    const token = await stage.issuer.logoutToken({ sid: 's1' });
    expect(await send(token)).toBe(200);
    await eventually(async () => expect([await session(first), await session(second)]).toEqual([401, 200]));
    expect(await send(token)).toBe(400);
    const refused = [
      await stage.issuer.logoutToken({ sub: 'leaver' }, 'foreign'),
      await stage.issuer.logoutToken({ sub: 'leaver', aud: 'else' }),
      await stage.issuer.logoutToken({ sub: 'leaver', iss: 'https://evil.example' }),
      await stage.issuer.logoutToken({ sub: 'leaver', nonce: 'x' }),
      await stage.issuer.logoutToken({ sub: 'leaver', events: {} }),
      await stage.issuer.logoutToken({ sub: 'leaver', jti: undefined }),
      await stage.issuer.logoutToken({ sub: 'leaver', iat: now() - 600 }),
      await stage.issuer.logoutToken({ sub: 'leaver', iat: now() + 120 }),
      await stage.issuer.logoutToken({}),
      stage.issuer.tokens.at(-1)!,
      'x',
    ];
    for (const each of refused) expect(await send(each)).toBe(400);
    expect(await session(second)).toBe(200);
    expect(await send(await stage.issuer.logoutToken({ sub: 'leaver' }))).toBe(200);
    await eventually(async () => expect(await session(second)).toBe(401));
  });
});
