import type { ServerResponse } from 'node:http';
import { IdentityStage } from '../../support/identity/identity-stage.js';
import { OidcBrowser } from '../../support/identity/oidc-browser.js';
import { ScriptedIssuer } from '../../support/identity/scripted-issuer.js';
import { ConsoleBrowser, codeFor, firstOwner } from '../../support/console/console-browser.js';
import { startTestService } from '../../support/services/test-service.js';

describe('an identity provider that is unavailable', () => {
  let stage: IdentityStage;

  beforeAll(async () => {
    stage = await IdentityStage.start({ provider: { ROLES: 'gw-dev=developer' } });
  }, 60_000);
  afterAll(() => stage.stop());

  const start = (name = 'corp', origin = stage.service.origin): string => `${origin}/console/oidc/${name}/start`;

  describe('a provider', () => {
    const HOUR = 3_600_000;
    it.each([
      ['that returns 500', (response: ServerResponse) => response.writeHead(500).end('{}')],
      [
        'that redirects',
        (response: ServerResponse) => response.writeHead(302, { location: `${stage.service.origin}/` }).end(),
      ],
      [
        'that sends two megabytes',
        (response: ServerResponse) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ a: 'x'.repeat(2 ** 21) })),
      ],
      ['that sends no JSON', (response: ServerResponse) => response.writeHead(200).end('<html>')],
      ['that closes the connection', (response: ServerResponse) => response.destroy()],
    ])('%s makes sign-in return 503, at discovery and at the exchange of the code', async (_name, answer) => {
      const answering =
        (path: string) =>
        (each: string, response: ServerResponse): boolean => {
          if (each !== path) return false;
          answer(response);
          return true;
        };
      const faulty = await ScriptedIssuer.start();
      const env = { OIDC_PROVIDERS: 'faulty', ...faulty.variables('faulty', { ROLES: 'gw-dev=developer' }) };
      const own = await startTestService({ env, databaseUrl: stage.service.databaseUrl });
      try {
        faulty.answer = answering('/.well-known/openid-configuration');
        const page = await new OidcBrowser().get(start('faulty', own.origin));
        expect([page.status, page.headers.get('retry-after')]).toEqual([503, '10']);
        expect(page.text).toContain('operator console-link');
        expect(page.headers.get('content-type')).toMatch(/^text\/html/);
        faulty.answer = answering('/token');
        expect((await new OidcBrowser().signInAt(faulty, own.origin, 'faulty')).status).toBe(503);
        const link = new ConsoleBrowser(own.origin);
        expect((await link.signIn({ code: await codeFor(own, await firstOwner(own)) })).status).toBe(201);
      } finally {
        await own.stop();
        await faulty.stop();
      }
    });

    it('that does not respond makes sign-in return 503 after five seconds', async () => {
      stage.issuer.answer = (path) => path === '/token';
      const before = performance.now();
      const { status } = await new OidcBrowser().signInAt(stage.issuer, stage.service.origin, 'corp');
      const tookMs = performance.now() - before;
      expect(status).toBe(503);
      expect(tookMs).toBeGreaterThan(4_000);
      expect(tookMs).toBeLessThan(HOUR);
    }, 30_000);
  });
});
