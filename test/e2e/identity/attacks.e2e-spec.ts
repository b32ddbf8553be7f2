import { ConsoleBrowser, signedIn } from '../../support/console/console-browser.js';
import { OidcBrowser } from '../../support/identity/oidc-browser.js';
import { ScriptedIssuer } from '../../support/identity/scripted-issuer.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const GROUPS = { groups: ['gw-dev'] };

describe('attacks on the sign-in through identity providers', () => {
  let corp: ScriptedIssuer;
  let other: ScriptedIssuer;
  let service: TestService;
  let replica: TestService;

  beforeAll(async () => {
    [corp, other] = await Promise.all([ScriptedIssuer.start(), ScriptedIssuer.start()]);
    const ROLES = 'gw-dev=developer';
    const env = {
      RATE_LIMIT_SIGN_IN: 'off',
      INTERN_RUNTIME: 'none',
      OIDC_PROVIDERS: 'corp,other',
      ...corp.variables('corp', { ROLES }),
      ...other.variables('other', { ROLES }),
    };
    service = await startTestService({ env });
    replica = await startTestService({ env, databaseUrl: service.databaseUrl });
  }, 60_000);
  beforeEach(() => {
    for (const issuer of [corp, other]) {
      issuer.token = { claims: GROUPS };
      issuer.metadata = {};
      issuer.answer = undefined;
    }
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
    await corp.stop();
    await other.stop();
  });

  const start = (name = 'corp', origin = service.origin): string => `${origin}/console/oidc/${name}/start`;
  const lastReason = async (): Promise<string | undefined> =>
    (
      await service.sql.query<{ refusal: string }>(
        "select resource_id as refusal from audit_entry where action = 'sign_in_refused' order by id desc limit 1",
      )
    )[0]?.refusal.split('/')[1];
  const session = async (browser: OidcBrowser, origin = service.origin): Promise<number> =>
    (await browser.get(`${origin}/console/session`)).status;

  it('a cookie that was set before the sign-in is replaced, and its session ends', async () => {
    const browser = new OidcBrowser();
    const owner = await signedIn(service);
    const fixed = owner.cookie!.split('=')[1]!;
    browser.set(service.origin, 'gatehouse_session', fixed);
    expect((await browser.signInAt(corp, service.origin, 'corp')).status).toBe(303);
    expect(browser.cookie(service.origin, 'gatehouse_session')).not.toBe(fixed);
    expect((await owner.send('GET', '/console/session')).status).toBe(401);
    expect(await session(browser)).toBe(200);
  });

  it('a callback that is sent twice to each of two replicas opens one session and exchanges one code', async () => {
    for (let round = 0; round < 5; round += 1) {
      const browser = new OidcBrowser();
      const callback = corp.approve((await browser.get(start())).location!);
      const twin = new URL(callback.pathname + callback.search, replica.origin);
      const name = browser.names(service.origin)[0]!;
      const cookie = `${name}=${browser.cookie(service.origin, name)}`;
      const before = corp.codes.length;
      const sent = [callback, twin, callback, twin].map((url) =>
        fetch(url, { headers: { cookie }, redirect: 'manual' }),
      );
      const statuses = (await Promise.all(sent)).map(({ status }) => status).toSorted((a, b) => a - b);
      expect([statuses, corp.codes.length - before]).toEqual([[303, 400, 400, 400], 1]);
    }
  });

  it('a code is refused in another browser, which does not exchange it, and in another attempt', async () => {
    const attacker = new OidcBrowser();
    const callback = corp.approve((await attacker.get(start())).location!);
    const before = corp.codes.length;
    const victim = new OidcBrowser();
    await victim.get(start());
    const { status, text } = await victim.arrive(callback);
    expect([status, corp.codes.length - before]).toEqual([400, 0]);
    expect(text).toContain('not started in this browser');
    victim.set(service.origin, attacker.names(service.origin)[0]!, 'A'.repeat(43), '/console/oidc');
    expect([(await victim.arrive(callback)).status, corp.codes.length - before]).toEqual([400, 0]);
    expect((await attacker.arrive(callback)).status).toBe(303);
    // A code from another attempt of the same browser, whose nonce and verifier differ.
    const first = corp.approve((await attacker.get(start())).location!);
    const second = corp.approve((await attacker.get(start())).location!);
    second.searchParams.set('code', first.searchParams.get('code')!);
    const mixed = await attacker.arrive(second);
    expect([mixed.status, mixed.text.includes('token of the identity provider is not valid')]).toEqual([400, true]);
    expect(await lastReason()).toBe('token_invalid');
  });

  it.each([
    ['code of one provider at the callback of another', (url: URL) => url.pathname.replace('corp', 'other'), {}],
    ['wrong iss', (url: URL) => url.pathname, { iss: 'https://evil.example' }],
    ['missing iss although it is announced', (url: URL) => url.pathname, { iss: undefined }],
    ['iss with a slash', (url: URL) => url.pathname, { iss: 'slash' }],
  ])('a mix-up of providers is 400: %s', async (_name, path, more: Record<string, string | undefined>) => {
    const browser = new OidcBrowser();
    const before = [corp.codes.length, other.codes.length];
    const iss = more['iss'] === 'slash' ? `${corp.issuer}/` : more['iss'];
    const callback = corp.approve((await browser.get(start())).location!, 'iss' in more ? { iss } : {});
    callback.pathname = path(callback);
    expect((await browser.arrive(callback)).status).toBe(400);
    expect([corp.codes.length, other.codes.length]).toEqual(before);
  });

  it('state and nonce are valid once, for ten minutes, and for one provider', async () => {
    const browser = new OidcBrowser();
    const authorization = (await browser.get(start())).location!;
    const callback = corp.approve(authorization);
    const [name] = browser.names(service.origin);
    const value = browser.cookie(service.origin, name!)!;
    expect((await browser.arrive(callback)).status).toBe(303);
    browser.set(service.origin, name!, value, '/console/oidc');
    const again = corp.approve(authorization);
    expect([(await browser.arrive(again)).status, await lastReason()]).toEqual([400, 'unknown_attempt']);
    const late = corp.approve((await browser.get(start())).location!);
    await service.sql.query("update sign_in_attempt set expires_at = now() - interval '1 ms' where used_at is null");
    expect((await browser.arrive(late)).status).toBe(400);
  });

  it('verifier, nonce and state are not in the database', async () => {
    const browser = new OidcBrowser();
    const { searchParams } = new URL((await browser.get(start())).location!);
    const [row] = await service.sql.query<{ text: string }>('select json_agg(a)::text as text from sign_in_attempt a');
    const token = browser.cookie(service.origin, browser.names(service.origin)[0]!)!;
    for (const secret of [searchParams.get('state')!, searchParams.get('nonce')!, token])
      expect(row!.text).not.toContain(secret);
  });

  it('two cookies of one name are both ignored, and no other path accepts the cookie of an attempt', async () => {
    const browser = new OidcBrowser();
    const callback = corp.approve((await browser.get(start())).location!);
    const [name] = browser.names(service.origin);
    const cookie = `${name}=${browser.cookie(service.origin, name!)}`;
    const twice = await fetch(callback, {
      headers: { cookie: `${cookie}; ${name}=${'A'.repeat(43)}` },
      redirect: 'manual',
    });
    expect(twice.status).toBe(400);
    const opened = await browser.arrive(callback);
    expect(opened.status).toBe(303);
    const signedInCookie = `gatehouse_session=${browser.cookie(service.origin, 'gatehouse_session')}`;
    const status = async (path: string, sent: string): Promise<number> =>
      (await fetch(service.origin + path, { headers: { cookie: sent } })).status;
    expect(await status('/console/session', signedInCookie)).toBe(200);
    expect(await status('/console/session', `${signedInCookie}; gatehouse_session=${'A'.repeat(43)}`)).toBe(401);
    expect(await status('/api/v1/key', signedInCookie)).toBe(401);
    expect(await status('/console/session', cookie)).toBe(401);
  });

  it('a browser keeps at most five attempts, and drops the oldest', async () => {
    const browser = new OidcBrowser();
    const first = corp.approve((await browser.get(start())).location!);
    const [oldest] = browser.names(service.origin);
    for (let more = 0; more < 5; more += 1) await browser.get(start());
    expect([browser.names(service.origin).length, browser.names(service.origin).includes(oldest!)]).toEqual([5, false]);
    expect((await browser.arrive(first)).status).toBe(400);
  });

  describe('another site', () => {
    it.each(['cross-site'])('cannot begin a sign-in by a navigation (%s)', async (site) => {
      const { status, text, headers } = await new OidcBrowser().get(start(), { 'sec-fetch-site': site });
      expect([status, headers.get('set-cookie')]).toEqual([403, null]);
      expect(text).toContain('open the sign-in page');
    });

    it('cannot begin a sign-in by POST, or link or remove an identity', async () => {
      const owner = await signedIn(service);
      const forged = new ConsoleBrowser(service.origin, { 'sec-fetch-site': 'cross-site' });
      forged.cookie = owner.cookie;
      const answers = [
        await forged.send('POST', '/console/oidc/corp/start', { json: {} }),
        await forged.send('POST', '/console/session/identities', { json: { provider: 'corp' } }),
        await forged.send('DELETE', '/console/session/identities/x'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    });
  });

  it('the same subject at another provider is another user', async () => {
    corp.token = { claims: { ...GROUPS, sub: 'same' } };
    other.token = { claims: { ...GROUPS, sub: 'same' } };
    const ids = [];
    for (const [issuer, name] of [
      [corp, 'corp'],
      [other, 'other'],
    ] as const) {
      const browser = new OidcBrowser();
      await browser.signInAt(issuer, service.origin, name);
      ids.push(
        (
          JSON.parse((await browser.get(`${service.origin}/console/session`)).text) as {
            data: { user: { id: string } };
          }
        ).data.user.id,
      );
    }
    expect(new Set(ids).size).toBe(2);
  });
});
