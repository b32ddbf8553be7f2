import type { ServerResponse } from 'node:http';
import { IdentityStage } from '../../support/identity/identity-stage.js';
import { OidcBrowser } from '../../support/identity/oidc-browser.js';
import { ScriptedIssuer } from '../../support/identity/scripted-issuer.js';
import { ConsoleBrowser, codeFor, firstOwner } from '../../support/console/console-browser.js';
import { startTestService } from '../../support/services/test-service.js';

describe('an identity provider that is away', () => {
  let stage: IdentityStage;

  beforeAll(async () => {
    stage = await IdentityStage.start({ provider: { ROLES: 'gw-dev=developer' } });
  }, 60_000);
  afterAll(() => stage.stop());

  const start = (name = 'corp', origin = stage.service.origin): string => `${origin}/console/oidc/${name}/start`;

  describe('24. a provider', () => {
    const HOUR = 3_600_000;
    it.each([
      ['that answers 500', (response: ServerResponse) => response.writeHead(500).end('{}')],
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
      ['that breaks off', (response: ServerResponse) => response.destroy()],
    ])('%s is a 503 page with Retry-After, at discovery and at the exchange', async (_name, answer) => {
      const answering =
        (path: string) =>
        (each: string, response: ServerResponse): boolean => {
          if (each !== path) return false;
          answer(response);
          return true;
        };
      const slow = await ScriptedIssuer.start();
      const env = { OIDC_PROVIDERS: 'slow', ...slow.variables('slow', { ROLES: 'gw-dev=developer' }) };
      const own = await startTestService({ env, databaseUrl: stage.service.databaseUrl });
      try {
        slow.answer = answering('/.well-known/openid-configuration');
        const page = await new OidcBrowser().get(start('slow', own.origin));
        expect([page.status, page.headers.get('retry-after')]).toEqual([503, '10']);
        expect(page.text).toContain('operator console-link');
        expect(page.headers.get('content-type')).toMatch(/^text\/html/);
        slow.answer = answering('/token');
        expect((await new OidcBrowser().signInAt(slow, own.origin, 'slow')).status).toBe(503);
        const link = new ConsoleBrowser(own.origin);
        expect((await link.signIn({ code: await codeFor(own, await firstOwner(own)) })).status).toBe(201);
      } finally {
        await own.stop();
        await slow.stop();
      }
    });

    it('without a reply is a 503 page after five seconds', async () => {
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
