import { OpenRouter } from '@openrouter/sdk';
import { ScriptedIssuer } from '../../../support/applications/scripted-issuer.js';
import { makePolicy } from '../../../support/applications/workload.js';
import { startTestService, TEST_MANAGEMENT_KEY, type TestService } from '../../../support/services/test-service.js';

describe('@openrouter/sdk 1.3.19, unmodified, on OAuth', () => {
  let service: TestService;
  let issuer: ScriptedIssuer;
  let management: OpenRouter;
  /** A client for an application, without a key. */
  let application: OpenRouter;
  beforeAll(async () => {
    const env = { WIRE_DIALECT: 'openrouter', FEDERATION_PRIVATE_ISSUERS: '127.0.0.1' };
    service = await startTestService({ env });
    issuer = await ScriptedIssuer.start();
    const serverURL = `${service.origin}/api/v1`;
    management = new OpenRouter({ apiKey: TEST_MANAGEMENT_KEY, serverURL });
    application = new OpenRouter({ serverURL });
  });
  afterAll(async () => {
    await issuer.stop();
    await service.stop();
  });

  it('sends the browser to a page of the console', async () => {
    const url = await application.oAuth.createAuthorizationUrl({
      callbackUrl: 'https://app.example.com/callback',
      codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      codeChallengeMethod: 'S256',
      limit: 5,
    });
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(303);
    const target = new URL(response.headers.get('location')!, service.origin);
    expect(target.pathname).toBe('/console/authorize');
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      callback_url: 'https://app.example.com/callback',
      limit: '5',
    });
  });

  it('creates a code with PKCE and exchanges it for a key', async () => {
    const { codeChallenge, codeVerifier } = await application.oAuth.createSHA256CodeChallenge();
    const { data } = await management.oAuth.createAuthCode({
      requestBody: {
        callbackUrl: 'https://app.example.com/callback',
        codeChallenge,
        codeChallengeMethod: 'S256',
        keyLabel: 'Application',
        limit: 2.5,
        usageLimitType: 'monthly',
        expiresAt: new Date('2027-01-31T00:00:00Z'),
      },
    });
    expect(data).toEqual({ id: expect.any(String), appId: expect.any(Number), createdAt: expect.any(String) });
    const proof = { code: data.id, codeVerifier, codeChallengeMethod: 'S256' } as const;
    const { key, userId } = await application.oAuth.exchangeAuthCodeForAPIKey({ requestBody: proof });
    expect(userId).toEqual(expect.any(String));
    const own = new OpenRouter({ apiKey: key, serverURL: `${service.origin}/api/v1` });
    expect((await own.apiKeys.getCurrentKeyMetadata()).data).toMatchObject({ limit: 2.5, limitReset: 'monthly' });
    await expect(application.oAuth.exchangeAuthCodeForAPIKey({ requestBody: proof })).rejects.toMatchObject({
      statusCode: 403,
      message: 'Invalid code or code_verifier',
    });
  });

  it('exchanges the token of a workload, and lists the signing keys', async () => {
    const { id } = await makePolicy(service, issuer);
    const exchange = async (subjectToken: string) =>
      application.oAuth.createOauthToken({
        tokenExchangeRequest: {
          grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subjectToken,
          subjectTokenType: 'urn:ietf:params:oauth:token-type:jwt',
          federationPolicyId: id,
          scope: 'inference',
        },
      });
    const given = await exchange(await issuer.token());
    expect(given).toMatchObject({ expiresIn: expect.any(Number), scope: 'inference', tokenType: 'Bearer' });
    const workload = new OpenRouter({ apiKey: given.accessToken, serverURL: `${service.origin}/api/v1` });
    expect((await workload.apiKeys.getCurrentKeyMetadata()).data.limit).toBe(1);
    const { keys } = await application.oAuth.listOauthJwks();
    expect(keys).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })]);
    await expect(exchange('x')).rejects.toMatchObject({ statusCode: 400, error: 'invalid_grant' });
  });

  it('creates a key with an external secret', async () => {
    const apiKey = 'acme-5f0c2b7e9d1a4c3886e2f7b1d09a4c55';
    const created = await management.apiKeys.create({
      requestBody: { name: 'Moved in', external: { user: 'user-1', apiKey } },
    });
    expect([created.key, created.data.externalUser]).toEqual(['', 'user-1']);
    const own = new OpenRouter({ apiKey, serverURL: `${service.origin}/api/v1` });
    expect((await own.apiKeys.getCurrentKeyMetadata()).data.limit).toBeNull();
  });
});
