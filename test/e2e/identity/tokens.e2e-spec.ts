import { IdentityStage } from '../../support/identity/identity-stage.js';
import { OidcBrowser } from '../../support/identity/oidc-browser.js';
import { ScriptedIssuer, type TokenScript } from '../../support/identity/scripted-issuer.js';
import { startTestService } from '../../support/services/test-service.js';

const GROUPS = { groups: ['gw-dev'] };

describe('the ID token and the metadata of an identity provider', () => {
  let stage: IdentityStage;

  beforeAll(async () => {
    stage = await IdentityStage.start({ provider: { ROLES: 'gw-dev=developer' } });
  }, 60_000);
  afterAll(() => stage.stop());

  const start = (name = 'corp', origin = stage.service.origin): string => `${origin}/console/oidc/${name}/start`;

  const counts = async (): Promise<unknown> =>
    (
      await stage.service.sql.query(
        `select (select count(*)::int from user_identity) as identities, (select count(*)::int from app_user) as users,
           (select count(*)::int from console_session) as sessions, (select count(*)::int from member) as members`,
      )
    )[0];

  const now = (): number => Math.floor(Date.now() / 1_000);
  const TOKENS: readonly (readonly [string, () => TokenScript])[] = [
    ['alg none', () => ({ sign: 'none' })],
    ['HS256 with the client secret', () => ({ sign: 'HS256 with the secret' })],
    ['HS256 with the public key', () => ({ sign: 'HS256 with the key' })],
    ['a foreign kid', () => ({ sign: 'foreign kid' })],
    ['a foreign key', () => ({ sign: 'foreign key' })],
    ['another aud', () => ({ claims: { aud: 'somebody-else' } })],
    ['an aud list without azp', () => ({ claims: { aud: ['gatehouse', 'evil'] } })],
    ['an aud list with a foreign azp', () => ({ claims: { aud: ['gatehouse', 'evil'], azp: 'evil' } })],
    ['a foreign azp', () => ({ claims: { azp: 'evil' } })],
    ['another iss', () => ({ claims: { iss: 'https://evil.example' } })],
    ['an iss with a slash', () => ({ claims: { iss: `${stage.issuer.issuer}/` } })],
    ['exp in the past', () => ({ claims: { exp: now() - 60 } })],
    ['iat 40 s in the future', () => ({ claims: { iat: now() + 40 } })],
    ['no iat', () => ({ claims: { iat: undefined } })],
    ['another nonce', () => ({ claims: { nonce: 'x' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['no sub', () => ({ claims: { sub: undefined } })],
  ];
  it.each(TOKENS)('an ID token with %s is 400 and changes no row', async (_name, script) => {
    const { claims, ...rest } = script();
    stage.issuer.token = { ...rest, claims: { ...GROUPS, sub: 'attacker', ...claims } };
    const before = await counts();
    const { status } = await new OidcBrowser().signInAt(stage.issuer, stage.service.origin, 'corp');
    expect([status, await counts()]).toEqual([400, before]);
  });

  it('an ID token with an iat 20 s in the future is accepted', async () => {
    stage.issuer.token = { claims: { ...GROUPS, iat: now() + 20 } };
    expect((await new OidcBrowser().signInAt(stage.issuer, stage.service.origin, 'corp')).status).toBe(303);
  });

  it.each<[Record<string, unknown>, number]>([
    [{ id_token_signing_alg_values_supported: ['RS256', 'none'] }, 503],
    [{ id_token_signing_alg_values_supported: ['HS256'] }, 503],
    [{ issuer: 'https://evil.example' }, 503],
    [{ jwks_uri: null }, 503],
    [{ token_endpoint: undefined }, 303],
  ])('a provider with the metadata %j signs nobody in', async (metadata, atStart) => {
    const hostile = await ScriptedIssuer.start('/realm');
    hostile.metadata = metadata;
    hostile.token = { claims: GROUPS };
    const env = { OIDC_PROVIDERS: 'hostile', ...hostile.variables('hostile', { ROLES: 'gw-dev=developer' }) };
    const own = await startTestService({ env, databaseUrl: stage.service.databaseUrl });
    try {
      const browser = new OidcBrowser();
      const { status, location } = await browser.get(start('hostile', own.origin));
      const final = location === null ? status : (await browser.arrive(hostile.approve(location))).status;
      expect([status, final]).toEqual([atStart, 503]);
    } finally {
      await own.stop();
      await hostile.stop();
    }
  });

  it('an issuer that differs by a slash at the end is refused', async () => {
    const env = { OIDC_PROVIDERS: 'slash', ...stage.issuer.variables('slash', { ISSUER: `${stage.issuer.issuer}/` }) };
    const own = await startTestService({ env, databaseUrl: stage.service.databaseUrl });
    try {
      expect((await new OidcBrowser().get(start('slash', own.origin))).status).toBe(503);
    } finally {
      await own.stop();
    }
  });
});
