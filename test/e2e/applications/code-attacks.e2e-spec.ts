import { CALLBACK, INVALID_CODE, newProof, type PkceProof } from '../../support/applications/pkce.js';
import { firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { makeMember } from '../../support/money/account-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('attacks on authorization codes:', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_SIGN_IN: 'off' } });
  });
  afterAll(() => service.stop());

  const create = (fields: object = {}) =>
    service.management.post('/auth/keys/code', { json: { callback_url: CALLBACK, ...fields } });
  const exchange = (json: object) => service.as().post('/auth/keys', { json });
  async function codeWith({ challenge }: PkceProof, fields: object = {}): Promise<string> {
    const made = await create({ code_challenge: challenge, code_challenge_method: 'S256', ...fields });
    expect(made.status).toBe(200);
    return made.json.data.id;
  }

  describe('stolen and repeated codes:', () => {
    it('a wrong verifier, a missing verifier and the verifier of another code are refused', async () => {
      const [proof, other] = [newProof(), newProof()];
      const code = await codeWith(proof);
      await codeWith(other, { callback_url: 'https://other.example.com/' });
      for (const code_verifier of [undefined, '', 'x', other.verifier, proof.challenge, `${proof.verifier}a`]) {
        const refused = await exchange({ code, code_verifier });
        expect([refused.status, refused.json]).toEqual([403, INVALID_CODE]);
      }
      expect((await exchange({ code, code_verifier: proof.verifier })).status).toBe(200);
    });

    it('an exchange with the method plain is refused for a code with S256', async () => {
      const proof = newProof();
      const code = await codeWith(proof);
      const changed = { code, code_verifier: proof.challenge, code_challenge_method: 'plain' };
      expect((await exchange(changed)).json).toEqual(INVALID_CODE);
      expect((await exchange({ ...changed, code_verifier: proof.verifier })).json).toEqual(INVALID_CODE);
    });

    it('a verifier is refused for a code that was created without a challenge', async () => {
      const code = (await create()).json.data.id as string;
      expect((await exchange({ code, code_verifier: newProof().verifier })).json).toEqual(INVALID_CODE);
      expect((await exchange({ code })).status).toBe(200);
    });

    it('a second use of a code is refused and audited, and disables the key of the first use', async () => {
      const proof = newProof();
      const code = await codeWith(proof);
      const { key } = (await exchange({ code, code_verifier: proof.verifier })).json;
      const client = service.as(key);
      expect((await client.get('/key')).status).toBe(200);
      expect((await exchange({ code, code_verifier: proof.verifier })).json).toEqual(INVALID_CODE);
      expect((await client.get('/key')).json.error.message).toBe('This API key is disabled');
      await exchange({ code });
      const rows = await service.sql.query<{ action: string; kind: string }>(
        `select action, resource_kind as kind from audit_entry where actor = 'service' order by id desc limit 2`,
      );
      expect(rows.map(({ action, kind }) => `${action} ${kind}`)).toEqual([
        'update api_key',
        'refuse authorization_code',
      ]);
    });

    it('only one of five simultaneous uses of a code gets a key, and that key is disabled', async () => {
      const proof = newProof();
      const code = await codeWith(proof);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => exchange({ code, code_verifier: proof.verifier })),
      );
      const given = answers.filter(({ status }) => status === 200);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403, 403]);
      expect((await service.as(given[0]!.json.key).get('/key')).status).toBe(401);
    });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'app://callback',
    'https:app.example.com',
    'https:///app.example.com',
    'http://evil.example.com/',
    'http://localhost.evil.com/',
    'http://127.0.0.1.evil.com/',
    'http://localhost@evil.com/',
    'https://user@app.example.com/',
    'https://@app.example.com/',
    'https://user:password@app.example.com/',
    'https://app.example.com/#fragment',
    'https://app.example.com/#',
    'http://[::1]/',
    'https://[::1]/',
    'http://[::ffff:127.0.0.1]:3000/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://LOCALHOST:80a/',
    'https://app.example.com\\@evil.com/',
    'https://app.example.com/\n',
    ' https://app.example.com/',
    'https://app.example.com/ x',
    `https://app.example.com/${'x'.repeat(2048)}`,
    '//app.example.com/',
    '',
  ])('callback_url %j is refused', async (callback_url) => {
    const { challenge } = newProof();
    const refused = await create({ callback_url, code_challenge: challenge, code_challenge_method: 'S256' });
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining('callback_url')]);
  });

  it.each([
    ['removed', 'delete from member where user_id = $1'],
    ['deactivated', 'update member set deactivated_at = now() where user_id = $1'],
    ['demoted to viewer', "update member set role = 'viewer' where user_id = $1"],
  ])('the unused code of a member who was %s is refused', async (_, change) => {
    const { accountId } = await firstOwner(service);
    const userId = await makeMember(service, { accountId }, { role: 'developer' });
    const developer = await signedInAs(service, { accountId, userId });
    const made = await developer.post('/auth/keys/code', { callback_url: CALLBACK });
    await service.sql.query(change, [userId]);
    expect((await exchange({ code: made.json.data.id })).json).toEqual(INVALID_CODE);
  });

  it('a code is refused if the key that created the code was disabled', async () => {
    const key = await service.management.post('/keys', { json: { name: 'maker', class: 'management' } });
    const made = await service.as(key.json.key).post('/auth/keys/code', { json: { callback_url: CALLBACK } });
    await service.management.patch(`/keys/${key.json.data.hash}`, { json: { disabled: true } });
    expect((await exchange({ code: made.json.data.id })).json).toEqual(INVALID_CODE);
  });
});
