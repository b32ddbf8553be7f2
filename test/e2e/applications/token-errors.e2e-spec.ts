import { randomBytes } from 'node:crypto';
import { FederationStage } from '../../support/applications/federation-stage.js';
import { ScriptedIssuer } from '../../support/applications/scripted-issuer.js';
import { exchangeToken, FORM, makePolicy } from '../../support/applications/workload.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

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

  it.each([
    [{ grant_type: 'authorization_code' }, 'unsupported_grant_type'],
    [{ subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }, 'invalid_request'],
    [{ requested_token_type: 'urn:ietf:params:oauth:token-type:jwt' }, 'invalid_request'],
    [{ scope: 'management' }, 'invalid_scope'],
    [{ federation_policy_id: 'x' }, 'invalid_grant'],
    [{ federation_policy_id: '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee' }, 'invalid_grant'],
  ])('answers %j with the error %s', async (parameters, error) => {
    const answer = await stage.exchange(await stage.issuer.token(), parameters);
    expect([answer.status, answer.json]).toEqual([400, { error, error_description: expect.any(String) }]);
  });

  it.each([
    ['no body', '', FORM],
    ['a parameter twice', 'grant_type=a&grant_type=b', FORM],
    ['JSON', '{}', { 'content-type': 'application/json' }],
    ['a missing parameter', 'grant_type=a', FORM],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x3d]), FORM],
    ['a compressed body', 'a=b', { ...FORM, 'content-encoding': 'gzip' }],
  ])('answers %s with an OAuth error', async (_, body, headers) => {
    const answer = await service.as().post('/oauth/token', { body, headers });
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.any(String) },
    ]);
  });

  it('answers a body that is too large with an OAuth error', async () => {
    const answer = await service.as().post('/oauth/token', { body: `a=${'x'.repeat(70_000)}`, headers: FORM });
    expect([answer.status, answer.json.error]).toEqual([413, 'invalid_request']);
  });
});

describe('POST /oauth/token past the limit of failures', () => {
  it('answers 429 with an OAuth error, and still exchanges a valid token', async () => {
    const env = { FEDERATION_PRIVATE_ISSUERS: '127.0.0.1', RATE_LIMIT_SIGN_IN: '2/60' };
    const [service, issuer] = [await startTestService({ env }), await ScriptedIssuer.start()];
    try {
      const { id } = await makePolicy(service, issuer);
      const answers = [];
      for (let at = 0; at < 3; at++)
        answers.push(await exchangeToken(service, id, `x${randomBytes(4).toString('hex')}`));
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 429]);
      expect(answers[2]!.json).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
      expect(answers[2]!.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await exchangeToken(service, id, await issuer.token())).status).toBe(200);
    } finally {
      await issuer.stop();
      await service.stop();
    }
  });
});
