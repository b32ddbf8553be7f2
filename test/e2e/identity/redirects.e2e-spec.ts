import { IdentityStage } from '../../support/identity/identity-stage.js';
import { OidcBrowser } from '../../support/identity/oidc-browser.js';
import { startTestService } from '../../support/services/test-service.js';

describe('the addresses of a sign-in', () => {
  let stage: IdentityStage;

  beforeAll(async () => {
    stage = await IdentityStage.start({ provider: { ROLES: 'gw-dev=developer' } });
  }, 60_000);
  beforeEach(() => void (stage.issuer.token = { claims: { groups: ['gw-dev'] } }));
  afterAll(() => stage.stop());

  const start = (name = 'corp', origin = stage.service.origin): string => `${origin}/console/oidc/${name}/start`;

  it.each([
    ['//evil.example', '/console/'],
    ['/\\evil.example', '/console/'],
    ['https:evil.example', '/console/'],
    ['https://evil.example/console/', '/console/'],
    ['%2f%2fevil.example', '/console/'],
    ['/console/%2f%2fevil.example', '/console/'],
    ['/console//evil.example', '/console/'],
    ['/console/\r\nSet-Cookie: a=b', '/console/'],
    ['/console/../evil', '/console/'],
    ['/console/%2e%2e/evil', '/console/'],
    ['/console/oidc/corp/start', '/console/'],
    ['/console/api/v1/keys', '/console/'],
    ['/consolation', '/console/'],
    ['/console/keys?page=2#a', '/console/keys?page=2#a'],
  ])('return_to %j leads to %s', async (returnTo, expected) => {
    const browser = new OidcBrowser();
    const { location } = await browser.get(`${start()}?return_to=${encodeURIComponent(returnTo)}`);
    expect((await browser.arrive(stage.issuer.approve(location!))).location).toBe(expected);
  });

  it('return_to of 10 kB leads to the start page', async () => {
    const browser = new OidcBrowser();
    const { location } = await browser.get(`${start()}?return_to=/console/${'x'.repeat(10_000)}`);
    expect((await browser.arrive(stage.issuer.approve(location!))).location).toBe('/console/');
  });

  it('forged Host and X-Forwarded headers do not change the redirect address', async () => {
    const env = { OIDC_PROVIDERS: 'corp', PUBLIC_BASE_URL: 'https://gateway.example', TRUST_PROXY: 'loopback' };
    const own = await startTestService({
      env: { ...env, ...stage.issuer.variables('corp') },
      databaseUrl: stage.service.databaseUrl,
    });
    try {
      const forged = {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
        forwarded: 'host=evil.example',
      };
      const answer = await new OidcBrowser().get(start('corp', own.origin), forged);
      const { searchParams } = new URL(answer.location!);
      expect(searchParams.get('redirect_uri')).toBe('https://gateway.example/console/oidc/corp/callback');
      expect(answer.headers.get('set-cookie')).toMatch(
        /^gatehouse_sign_in_[\w-]{8}=[\w-]{43}; Path=\/console\/oidc; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      );
    } finally {
      await own.stop();
    }
  });
});
