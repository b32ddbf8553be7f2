import { createLocalJWKSet, decodeProtectedHeader, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import { OverloadRefusals } from '../../../src/http/edge/overload-refusals.js';
import { FederationStage } from '../../support/applications/federation-stage.js';
import type { TestService } from '../../support/services/test-service.js';

describe('POST /oauth/token', () => {
  let stage: FederationStage;
  let service: TestService;
  beforeAll(async () => {
    stage = await FederationStage.start();
    ({ service } = stage);
  });
  afterAll(() => stage.stop());
  beforeEach(() => stage.prepare());
  afterEach(() => stage.issuer.stop());

  it('issues an access token that acts as the key of the policy', async () => {
    const given = await stage.exchange(await stage.issuer.token(), { scope: 'inference', extra: 'ignored' });
    expect(given.json).toEqual({
      access_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 600,
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      scope: 'inference',
      token_type: 'Bearer',
    });
    expect(given.headers.get('cache-control')).toBe('no-store');
    const client = service.as(given.json.access_token);
    expect((await client.get('/key')).json.data.label).toBe(
      (await service.management.get(`/keys/${stage.policy.keyHash}`)).json.data.label,
    );
    const spoken = await client.post('/audio/speech', { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } });
    expect(spoken.status).toBe(200);
    const byHeader = await fetch(`${service.origin}/api/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': given.json.access_token, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(byHeader.status).toBe(400);
    expect((await client.get('/keys')).status).toBe(401);
  });

  it('issues an access token that the overload protection knows after the first use of the token', async () => {
    const { access_token: token } = (await stage.exchange(await stage.issuer.token())).json;
    const { isKnown } = service.app.get(OverloadRefusals, { strict: false });
    expect(isKnown(token)).toBe(false);
    await service.as(token).get('/key');
    expect(isKnown(token)).toBe(true);
    expect(isKnown(`${token}x`)).toBe(false);
  });

  it('issues an access token that has the documented claims and can be verified with the published keys', async () => {
    const token = await stage.accessToken();
    const { keys } = (await service.as().get('/oauth/jwks')).json;
    const verified = await jwtVerify(token, createLocalJWKSet({ keys }), { issuer: service.origin });
    const { payload, protectedHeader: header } = verified;
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        kid: header.kid,
        x: expect.any(String),
        y: expect.any(String),
      },
    ]);
    expect(payload).toMatchObject({ aud: service.origin, sub: stage.policy.keyHash, scope: 'inference' });
    expect(payload.exp! - payload.iat!).toBe(600);
  });

  describe('lifetimes:', () => {
    it('an access token is valid for at most 15 minutes, to the second', async () => {
      const start = stage.clock.now();
      const given = await stage.exchange(await stage.issuer.token({ iat: stage.nowS(), exp: stage.nowS() + 3_600 }));
      expect(given.json.expires_in).toBe(900);
      const client = service.as(given.json.access_token);
      stage.clock.set(new Date(start.getTime() + 899_999));
      expect((await client.get('/key')).status).toBe(200);
      stage.clock.set(new Date(start.getTime() + 900_000));
      expect((await client.get('/key')).status).toBe(401);
    });

    it('an access token never expires later than the subject token', async () => {
      expect((await stage.exchange(await stage.issuer.token({ exp: stage.nowS() + 1 }))).json.expires_in).toBe(1);
      await stage.refused(await stage.issuer.token({ exp: stage.nowS() }));
      await stage.refused(await stage.issuer.token({ exp: stage.nowS() - 31 }));
    });

    it('clocks may differ by 30 s, and a subject token may be an hour old', async () => {
      const now = stage.nowS();
      for (const claims of [{ iat: now + 30 }, { nbf: now + 30 }, { iat: now - 3_630 }])
        await stage.accessToken(claims);
      for (const claims of [{ iat: now + 31 }, { nbf: now + 31 }, { iat: now - 3_631 }])
        await stage.refused(await stage.issuer.token(claims));
    });

    it.each(['exp', 'iat'])('a subject token without the claim %s is refused', async (claim) => {
      await stage.refused(await stage.issuer.token({ [claim]: undefined }));
    });

    it('a subject token whose exp or iat is not a number is refused, but a huge exp is accepted', async () => {
      expect((await stage.exchange(await stage.issuer.token({ exp: 1e300 }))).json.expires_in).toBe(900);
      await stage.refused(await stage.issuer.token({ exp: 'soon' as never }));
      await stage.refused(await stage.issuer.token({ iat: 'now' as never }));
    });
  });

  describe('accepts each subject token only once,', () => {
    it('identified by its jti, or by its whole text if it has no jti', async () => {
      for (const claims of [{}, { jti: undefined }]) {
        const token = await stage.issuer.token(claims);
        expect((await stage.exchange(token)).status).toBe(200);
        expect(await stage.refused(token)).toContain('once');
      }
      const jti = 'the-same';
      expect((await stage.exchange(await stage.issuer.token({ jti }))).status).toBe(200);
      await stage.refused(await stage.issuer.token({ jti, exp: stage.nowS() + 300 }));
    });

    it('even if it is sent again with another valid signature', async () => {
      const { publicKey, privateKey } = await generateKeyPair('ES256');
      stage.issuer.keys = [{ ...(await exportJWK(publicKey)), kid: 'other', alg: 'ES256' }];
      const token = await stage.issuer.token({ jti: undefined }, { alg: 'ES256', kid: 'other' }, privateKey);
      expect((await stage.exchange(token)).status).toBe(200);
      const [signed, signature] = [token.slice(0, token.lastIndexOf('.')), token.slice(token.lastIndexOf('.') + 1)];
      const bytes = Buffer.from(signature, 'base64url');
      // With ECDSA, (r, n − s) is another valid signature of the same text.
      const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
      const other = (order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)).toString(16).padStart(64, '0');
      const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(other, 'hex')]).toString('base64url');
      expect(await stage.refused(`${signed}.${twin}`)).toContain('once');
    });

    it('even if it is sent several times simultaneously', async () => {
      const token = await stage.issuer.token();
      const answers = await Promise.all(Array.from({ length: 5 }, () => stage.exchange(token)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400]);
    });
  });

  it('refuses tokens if the key is disabled or deleted, or the policy is disabled', async () => {
    const before = await stage.accessToken();
    await service.management.patch(`/keys/${stage.policy.keyHash}`, { json: { disabled: true } });
    expect(await stage.refused(await stage.issuer.token())).toContain('disabled');
    expect((await service.as(before).get('/key')).json.error.message).toBe('This API key is disabled');
    await service.management.patch(`/keys/${stage.policy.keyHash}`, { json: { disabled: false } });
    expect((await service.as(before).get('/key')).status).toBe(200);
    await service.management.patch(`/federation-policies/${stage.policy.id}`, { json: { disabled: true } });
    await stage.refused(await stage.issuer.token());
    expect((await service.as(before).get('/key')).status).toBe(401);
    await service.management.patch(`/federation-policies/${stage.policy.id}`, { json: { disabled: false } });
    await service.management.delete(`/keys/${stage.policy.keyHash}`);
    expect(await stage.refused(await stage.issuer.token())).toContain('deleted');
    expect((await service.as(before).get('/key')).status).toBe(401);
  });

  it('issues an access token that still acts as the key after a rotation of the key', async () => {
    const token = await stage.accessToken();
    await service.management.post(`/keys/${stage.policy.keyHash}/rotate`, { json: {} });
    expect((await service.as(token).get('/key')).json.data.limit).toBe(1);
  });

  it('issues no token for a management key or an unknown key, because no policy may name such a key', async () => {
    const management = await service.management.post('/keys', { json: { name: 'm', class: 'management' } });
    for (const api_key_hash of [management.json.data.hash, 'f'.repeat(64)]) {
      const json = { name: 'x', issuer: stage.issuer.url, subject: 'a', audience: 'a', api_key_hash };
      expect((await service.management.post('/federation-policies', { json })).json.error.message).toContain(
        'api_key_hash',
      );
    }
  });

  it('writes no token to the log or to the tables audit_entry, used_token and signing_key', async () => {
    const subject = await stage.issuer.token();
    const { access_token: token } = (await stage.exchange(subject)).json;
    await service.as(token).get('/key');
    await service.as(`${token}x`).get('/key');
    for (const secret of [subject, token].map((text) => text.slice(-40))) {
      expect(stage.logged).not.toContain(secret);
      for (const table of ['audit_entry', 'used_token', 'signing_key']) {
        const [row] = await service.sql.query<{ found: number }>(
          `select count(*)::int as found from ${table} t where t::text like '%' || $1 || '%'`,
          [secret],
        );
        expect(row!.found).toBe(0);
      }
    }
    const [row] = await service.sql.query<{ found: number }>(
      `select count(*)::int as found from audit_entry where resource_kind = 'federation_policy' and action = 'use'
         and resource_id = $1 and key_hash = $2`,
      [stage.policy.id, stage.policy.keyHash],
    );
    expect(row!.found).toBe(1);
  });

  it('replaces the signing key after 30 days, and publishes the former key together with the new key', async () => {
    const before = await stage.accessToken();
    await service.sql.query("update signing_key set created_at = created_at - interval '31 days'");
    const kids = async (): Promise<string[]> =>
      (await service.as().get('/oauth/jwks')).json.keys.map((key: { kid: string }) => key.kid);
    const [next] = await kids();
    const first = decodeProtectedHeader(before).kid;
    expect(next).not.toBe(first);
    expect(await kids()).toEqual([next, first]);
    expect((await service.as(before).get('/key')).status).toBe(200);
    expect((await service.as(await stage.accessToken()).get('/key')).status).toBe(200);
    await service.sql.query("update signing_key set created_at = created_at - interval '31 days'");
    const last = await kids();
    expect(last).toHaveLength(2);
    expect(last).not.toContain(first);
  });
});
