import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createHmac } from 'node:crypto';
import { FederationStage } from '../../support/applications/federation-stage.js';
import { AUDIENCE, SUBJECT } from '../../support/applications/scripted-issuer.js';
import { makePolicy } from '../../support/applications/workload.js';
import type { TestService } from '../../support/services/test-service.js';

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('attacks on the token exchange:', () => {
  let stage: FederationStage;
  let service: TestService;
  beforeAll(async () => {
    stage = await FederationStage.start();
    ({ service } = stage);
  });
  afterAll(() => stage.stop());
  beforeEach(() => stage.prepare());
  afterEach(() => stage.issuer.stop());

  describe('which JWTs and issuers are trusted:', () => {
    it.each([
      ['another audience', { aud: 'https://other.example.com' }],
      ['the audience among others', { aud: [AUDIENCE, 'https://other.example.com'] }],
      ['no audience', { aud: undefined }],
      ['another subject', { sub: 'repo:acme/other:ref:refs/heads/main' }],
      ['the subject with a suffix', { sub: `${SUBJECT}-2` }],
      ['a wildcard as subject', { sub: '*' }],
      ['another issuer', { iss: 'https://stage.issuer.example.com' }],
      ['the issuer with a slash', { iss: 'SLASH' }],
    ])('a JWT with %s is refused without a request to the issuer', async (_, claims) => {
      const iss = 'iss' in claims && claims.iss === 'SLASH' ? { iss: `${stage.issuer.url}/` } : {};
      await stage.refused(await stage.issuer.token({ ...claims, ...iss }));
      expect(stage.issuer.requests.size).toBe(0);
    });

    it('a policy with a wildcard as subject is refused', async () => {
      const json = {
        name: 'x',
        issuer: stage.issuer.url,
        subject: 'repo:acme/*',
        audience: 'a',
        api_key_hash: stage.policy.keyHash,
      };
      expect((await service.management.post('/federation-policies', { json })).status).toBe(400);
    });

    it.each(['jku', 'x5u', 'jwk', 'x5c'])('a JWT whose header has %s is refused', async (member) => {
      const { publicKey, privateKey } = await generateKeyPair('RS256');
      const value = member === 'jwk' ? await exportJWK(publicKey) : `${stage.issuer.url}/own-keys`;
      expect(await stage.refused(await stage.issuer.token({}, { [member]: value }, privateKey))).toContain(member);
      expect(stage.issuer.requests.size).toBe(0);
    });

    it('JWTs with a wrong signature, alg none, HS256 or ES384 are refused, and texts that are not JWTs', async () => {
      const claims = { iss: stage.issuer.url, sub: SUBJECT, aud: AUDIENCE, iat: stage.nowS(), exp: stage.nowS() + 60 };
      const { privateKey } = await generateKeyPair('RS256');
      await stage.refused(await stage.issuer.token({}, {}, privateKey));
      const [header, , signature] = (await stage.issuer.token()).split('.');
      await stage.refused(`${header}.${base64(claims)}.${signature}`);
      await stage.refused(`${base64({ alg: 'none' })}.${base64(claims)}.`);
      const signed = `${base64({ alg: 'HS256', kid: 'one' })}.${base64(claims)}`;
      const mac = createHmac('sha256', stage.issuer.keys[0]!.n!).update(signed).digest('base64url');
      await stage.refused(`${signed}.${mac}`);
      const es384 = await generateKeyPair('ES384');
      stage.issuer.keys.push({ ...(await exportJWK(es384.publicKey)), kid: 'two' });
      await stage.refused(
        await new SignJWT(claims).setProtectedHeader({ alg: 'ES384', kid: 'two' }).sign(es384.privateKey),
      );
      for (const text of ['x', 'a.b.c', 'eyJhbGciOiJSUzI1NiJ9.e30', `${base64({ alg: 'RS256' })}.x.y`])
        await stage.refused(text);
    });

    it.each(['PS256', 'ES256', 'EdDSA'])('a JWT signed with %s is accepted', async (alg) => {
      const { publicKey, privateKey } = await generateKeyPair(alg);
      stage.issuer.keys = [{ ...(await exportJWK(publicKey)), kid: 'other', alg }];
      expect((await stage.exchange(await stage.issuer.token({}, { alg, kid: 'other' }, privateKey))).status).toBe(200);
    });

    it.each([
      'https://127.0.0.2/',
      'https://10.0.0.1',
      'https://169.254.169.254/latest',
      'https://[::1]/',
      'https://localhost/',
      'http://stage.issuer.example.com',
      'https://user@stage.issuer.example.com',
      'https://stage.issuer.example.com/?a=b',
      'https://stage.issuer.example.com/#a',
      'ftp://stage.issuer.example.com',
      'issuer',
    ])('a policy for the issuer %s is refused', async (url) => {
      const json = { name: 'x', issuer: url, subject: 'a', audience: 'a', api_key_hash: stage.policy.keyHash };
      expect((await service.management.post('/federation-policies', { json })).status).toBe(400);
    });

    it.each(['https://127.0.0.2/keys', 'https://internal/keys'])(
      'a jwks_uri at the private address %s is refused',
      async (jwks_uri) => {
        stage.issuer.scripted.set('/.well-known/openid-configuration', (_, response) =>
          response.end(JSON.stringify({ issuer: stage.issuer.url, jwks_uri })),
        );
        expect(await stage.refused(await stage.issuer.token())).toContain('not public');
      },
    );

    it('a key set of 10 MB is refused, and fetched only once a minute', async () => {
      stage.issuer.scripted.set('/jwks', (_, response) =>
        response.end(JSON.stringify({ keys: ['x'.repeat(10_000_000)] })),
      );
      for (const [laterMs, fetches] of [
        [0, 1],
        [0, 1],
        [59_999, 1],
        [1, 2],
        [0, 2],
      ] as const) {
        stage.later(laterMs);
        expect(await stage.refused(await stage.issuer.token())).toContain('1 MiB');
        expect(stage.issuer.requests.get('/jwks')).toBe(fetches);
      }
    });

    it('1,000 JWTs with unknown key ids cause only one request a minute for the key set', async () => {
      expect((await stage.exchange(await stage.issuer.token())).status).toBe(200);
      const token = async (at: number): Promise<string> => stage.issuer.token({}, { kid: `unknown-${at}` });
      for (let at = 0; at < 1_000; at += 20)
        await Promise.all(Array.from({ length: 20 }, async (_, next) => stage.refused(await token(at + next))));
      expect(stage.issuer.requests.get('/jwks')).toBe(1);
      stage.later(60_000);
      await Promise.all(Array.from({ length: 5 }, async (_, at) => stage.refused(await token(at))));
      expect(stage.issuer.requests.get('/jwks')).toBe(2);
    }, 60_000);

    it('a new key of the issuer is accepted after a minute', async () => {
      await stage.accessToken();
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      stage.issuer.keys = [{ ...(await exportJWK(publicKey)), kid: 'new', alg: 'ES256' }];
      const token = await stage.issuer.token({}, { alg: 'ES256', kid: 'new' }, privateKey);
      expect(await stage.refused(token)).toContain('no key');
      stage.later(60_000);
      expect((await stage.exchange(token)).status).toBe(200);
    });

    it.each([
      ['redirects', 302, 'invalid_grant', 400],
      ['is not found', 404, 'invalid_grant', 400],
      ['fails', 500, 'temporarily_unavailable', 503],
    ])('a JWT is refused if the URL of the key set %s', async (_, sent, error, status) => {
      stage.issuer.scripted.set('/jwks', (_request, response) => {
        response.writeHead(sent, { location: `${stage.issuer.url}/elsewhere` });
        response.end();
      });
      await stage.refused(await stage.issuer.token(), error, status);
      expect(stage.issuer.requests.has('/elsewhere')).toBe(false);
    });

    it.each([
      ['metadata of another issuer', '/.well-known/openid-configuration', { issuer: 'https://other', jwks_uri: 'x' }],
      ['metadata without keys', '/.well-known/openid-configuration', {}],
      ['a list', '/jwks', []],
      ['no keys', '/jwks', {}],
      ['keys that are not objects', '/jwks', { keys: [7, null] }],
      ['a weak key', '/jwks', { keys: [{ kty: 'RSA', kid: 'one', n: 'AQAB', e: 'AQAB' }] }],
    ])('a JWT is refused if its issuer sends %s', async (_, path, document) => {
      stage.issuer.scripted.set(path, (_request, response) =>
        response.end(
          JSON.stringify(
            'issuer' in document
              ? document
              : { ...(path === '/jwks' ? {} : { issuer: stage.issuer.url }), ...document },
          ),
        ),
      );
      await stage.refused(await stage.issuer.token());
    });

    it('a JWT is refused after 5 s if its issuer does not respond', async () => {
      stage.issuer.scripted.set('/jwks', () => undefined);
      const began = Date.now();
      await stage.refused(await stage.issuer.token(), 'temporarily_unavailable', 503);
      expect(Date.now() - began).toBeLessThan(8_000);
    }, 15_000);
  });

  it('tokens with the same first 200 characters are distinguished', async () => {
    const [one, two] = [await stage.accessToken(), await stage.accessToken()];
    let same = 0;
    while (one[same] === two[same]) same++;
    expect(same).toBeGreaterThanOrEqual(200);
    expect((await service.as(one).get('/key')).status).toBe(200);
    // Forged tokens that share the start of a valid token, which is in the cache.
    for (const forged of [one.slice(0, -1) + (one.endsWith('A') ? 'Q' : 'A'), `${one.slice(0, 200)}${'x'.repeat(200)}`])
      expect((await service.as(forged).get('/key')).status).toBe(401);
    const other = await makePolicy(service, stage.issuer);
    const third = (await stage.exchange(await stage.issuer.token(), {}, other.id)).json.access_token as string;
    const label = async (token: string): Promise<string> => (await service.as(token).get('/key')).json.data.label;
    expect(await label(third)).not.toBe(await label(one));
    expect(await label(two)).toBe(await label(one));
  });

  it('subject tokens, unsigned tokens and tokens of another key are not accepted as access tokens', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const [own] = (await service.as().get('/oauth/jwks')).json.keys;
    const claims = {
      iss: service.origin,
      aud: service.origin,
      sub: stage.policy.keyHash,
      client_id: stage.policy.id,
      exp: stage.nowS() + 60,
    };
    const sign = (header: object): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header }).sign(privateKey);
    const unsigned = `${base64({ alg: 'none', kid: own.kid, typ: 'at+jwt' })}.${base64(claims)}.`;
    for (const token of [
      await stage.issuer.token(),
      await sign({ kid: own.kid }),
      await sign({ kid: 'x' }),
      await sign({}),
      `${unsigned}x`,
    ])
      expect((await service.as(token).get('/key')).status).toBe(401);
  });
});
