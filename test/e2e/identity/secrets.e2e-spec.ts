import { IdentityStage } from '../../support/identity/identity-stage.js';
import { OidcBrowser } from '../../support/identity/oidc-browser.js';
import { TEST_CLIENT } from '../../support/identity/identity-provider.js';

describe('the secrets of sign-ins', () => {
  const log: string[] = [];
  let stage: IdentityStage;

  beforeAll(async () => {
    stage = await IdentityStage.start({
      provider: { ROLES: 'gw-dev=developer' },
      env: { LOG_LEVEL: 'debug', LOG_FORMAT: 'json', METRICS: 'on' },
      logTo: (text) => log.push(text),
    });
  }, 60_000);
  afterAll(() => stage.stop());

  it('are in no log, audit row, metric, page, redirect or Referer', async () => {
    const secrets = new Set([TEST_CLIENT.secret]);
    const seen: string[] = [];
    const browser = new OidcBrowser();
    const attempt = async (
      claims: Record<string, unknown>,
      more: Record<string, string | undefined> = {},
    ): Promise<void> => {
      stage.issuer.token = { claims };
      const { location } = await browser.get(`${stage.service.origin}/console/oidc/corp/start`);
      const { searchParams } = new URL(location!);
      const name = browser.names(stage.service.origin).find((each) => each.startsWith('gatehouse_sign_in_'))!;
      const callback = stage.issuer.approve(location!, more);
      for (const secret of [
        callback.searchParams.get('code'),
        searchParams.get('state'),
        searchParams.get('nonce'),
        browser.cookie(stage.service.origin, name),
      ])
        if (secret) secrets.add(secret);
      for (const answer of [await browser.arrive(callback), await browser.arrive(callback)])
        seen.push(
          answer.text,
          answer.location ?? '',
          answer.headers.get('referrer-policy') === 'no-referrer' ? '' : 'code-',
        );
    };
    await attempt({ groups: ['gw-dev'] });
    await attempt({ groups: ['gw-dev'], nonce: 'x' });
    await attempt({ groups: [] });
    await attempt({ groups: ['gw-dev'] }, { iss: 'https://evil.example' });
    await attempt({}, { code: undefined, error: 'access_denied', error_description: '<script>alert(1)</script>' });
    stage.issuer.answer = (path, response) => {
      if (path !== '/token') return false;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'invalid_grant', error_description: 'canary-of-the-provider' }));
      return true;
    };
    await attempt({ groups: ['gw-dev'] });
    stage.issuer.answer = undefined;
    for (const token of stage.issuer.tokens) secrets.add(token);

    const [audit] = await stage.service.sql.query<{ text: string }>(
      'select json_agg(a)::text as text from audit_entry a',
    );
    const metrics = await (await fetch(`${stage.service.origin}/metrics`)).text();
    seen.push(...log, audit!.text, metrics, ...stage.issuer.headers);
    expect(secrets.size).toBeGreaterThan(15);
    expect(log.join('').length).toBeGreaterThan(1_000);
    const everything = seen.join('\n');
    expect([...secrets].filter((secret) => everything.includes(secret))).toEqual([]);
    for (const text of ['<script>', 'canary-of-the-provider', 'code-']) expect(everything).not.toContain(text);
  });
});
