import { CALLBACK, newProof, type PkceProof } from '../../support/applications/pkce.js';
import { firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { makeMember } from '../../support/money/account-builders.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

const START = new Date('2026-11-27T08:00:00Z');
const after = (ms: number): Date => new Date(START.getTime() + ms);

describe('authorization codes', () => {
  let service: TestService;
  let logged = '';
  const clock = new SetClock(START);
  beforeAll(async () => {
    const env = { MEMBER_KEY_LIMIT: '20', LOG_LEVEL: 'debug', RATE_LIMIT_SIGN_IN: 'off' };
    service = await startTestService({ clock, env, logTo: (text) => void (logged += text) });
  });
  afterAll(() => service.stop());
  beforeEach(() => clock.set(START));

  const create = (fields: object = {}) =>
    service.management.post('/auth/keys/code', { json: { callback_url: CALLBACK, ...fields } });
  const exchange = (json: object) => service.as().post('/auth/keys', { json });
  async function codeWith({ challenge }: PkceProof, fields: object = {}): Promise<string> {
    const made = await create({ code_challenge: challenge, code_challenge_method: 'S256', ...fields });
    expect(made.status).toBe(200);
    return made.json.data.id;
  }

  it('are exchanged for a standard key of the member with the approved settings', async () => {
    const proof = newProof();
    const code = await codeWith(proof, {
      key_label: 'Editor',
      limit: 7.5,
      usage_limit_type: 'weekly',
      expires_at: '2027-01-31T00:00:00Z',
    });
    expect(code).toMatch(/^[\w-]{43}$/);
    const { userId } = await firstOwner(service);
    const given = await exchange({ code, code_verifier: proof.verifier, code_challenge_method: 'S256' });
    expect([given.status, given.json.user_id]).toEqual([200, userId]);
    const own = await service.as(given.json.key).get('/key');
    expect(own.json.data).toMatchObject({
      limit: 7.5,
      limit_reset: 'weekly',
      expires_at: '2027-01-31T00:00:00.000Z',
      creator_user_id: userId,
      is_management_key: false,
    });
    const keys = await service.management.get('/keys');
    expect(keys.json.data[0].name).toBe('Editor');
  });

  it('identify an application by the origin of its callback', async () => {
    const ids = [];
    for (const callback_url of [CALLBACK, 'https://app.example.com/other', 'https://other.example.com/'])
      ids.push((await create({ callback_url })).json.data.app_id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('are stored as hashes; no log line and no audit row contains a code, a verifier or a key', async () => {
    const proof = newProof();
    const code = await codeWith(proof);
    const { key } = (await exchange({ code, code_verifier: proof.verifier })).json;
    await exchange({ code: 'canary'.repeat(8), code_verifier: proof.verifier });
    for (const secret of [code, key, proof.verifier, 'canarycanary']) {
      for (const table of ['authorization_code', 'api_key', 'audit_entry']) {
        const [row] = await service.sql.query<{ found: number }>(
          `select count(*)::int as found from ${table} t where t::text like '%' || $1 || '%'`,
          [secret],
        );
        expect(row!.found).toBe(0);
      }
      expect(logged).not.toContain(secret);
    }
    expect(logged).toContain('/auth/keys');
  });

  it('are accepted until ten minutes have passed', async () => {
    const proof = newProof();
    const [first, second] = [await codeWith(proof), await codeWith(proof)];
    clock.set(after(599_999));
    expect((await exchange({ code: first, code_verifier: proof.verifier })).status).toBe(200);
    clock.set(after(600_000));
    const late = await exchange({ code: second, code_verifier: proof.verifier });
    expect([late.status, late.json.error.message]).toEqual([403, 'Authorization code expired']);
  });

  it.each([
    'https://app.example.com',
    'https://app.example.com:8443/a?b=c',
    'http://localhost:3000/callback',
    'http://localhost',
    'http://127.0.0.1:65535/',
    'http://127.0.0.1?x=1',
  ])('are created for callback_url %j with S256', async (callback_url) => {
    const { challenge } = newProof();
    expect((await create({ callback_url, code_challenge: challenge, code_challenge_method: 'S256' })).status).toBe(200);
  });

  it('may have a plain challenge or no challenge only if the callback is https', async () => {
    const verifier = 'v'.repeat(43);
    const plain = { code_challenge: verifier, code_challenge_method: 'plain' };
    const made = await create(plain);
    expect((await exchange({ code: made.json.data.id, code_verifier: verifier })).status).toBe(200);
    const byDefault = await create({ code_challenge: verifier });
    expect((await exchange({ code: byDefault.json.data.id, code_verifier: verifier })).status).toBe(200);
    for (const fields of [plain, { code_challenge: verifier }, {}])
      for (const callback_url of ['http://localhost:3000/', undefined])
        expect((await create({ ...fields, callback_url })).status).toBe(400);
    const { challenge } = newProof();
    expect(
      (await create({ callback_url: undefined, code_challenge: challenge, code_challenge_method: 'S256' })).status,
    ).toBe(200);
  });

  it.each([
    [{ code_challenge_method: 'S512', code_challenge: 'x'.repeat(43) }, 'Invalid code_challenge_method'],
    [{ code_challenge_method: 'S256' }, 'code_challenge'],
    [{ code_challenge_method: 'S256', code_challenge: 'x'.repeat(42) }, 'code_challenge'],
    [{ code_challenge_method: 'S256', code_challenge: 'x'.repeat(44) }, 'code_challenge'],
    [{ code_challenge_method: 'plain', code_challenge: 'x'.repeat(129) }, 'code_challenge'],
    [{ usage_limit_type: 'yearly' }, 'usage_limit_type'],
    [{ limit: -1 }, 'limit'],
    [{ expires_at: '2027-02-30T00:00:00Z' }, 'expires_at'],
    [{ key_label: '' }, 'key_label'],
    [{ workspace_id: '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee' }, 'workspace_id'],
    [{ scope: 'all' }, 'scope'],
  ])('are refused for %j', async (fields, message) => {
    const refused = await create(fields);
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('are refused at the exchange if code_challenge_method is unknown', async () => {
    const refused = await exchange({ code: 'x', code_challenge_method: 'S512' });
    expect(refused.json).toEqual({ error: { code: 400, message: 'Invalid code_challenge_method' } });
    expect((await exchange({ code: 'x', code_challenge_method: null })).status).toBe(403);
  });

  it('are created for developers within MEMBER_KEY_LIMIT, and not for the roles viewer and billing', async () => {
    const { accountId } = await firstOwner(service);
    const userId = await makeMember(service, { accountId }, { role: 'developer' });
    const developer = await signedInAs(service, { accountId, userId });
    const request = { callback_url: CALLBACK };
    expect((await developer.post('/auth/keys/code', { ...request, limit: 20.01 })).status).toBe(403);
    const made = await developer.post('/auth/keys/code', request);
    expect(made.status).toBe(200);
    const { key, user_id } = (await exchange({ code: made.json.data.id })).json;
    expect(user_id).toBe(userId);
    expect((await service.as(key).get('/key')).json.data.limit).toBe(20);
    for (const role of ['viewer', 'billing'] as const) {
      const other = await signedInAs(service, {
        accountId,
        userId: await makeMember(service, { accountId }, { role }),
      });
      expect((await other.post('/auth/keys/code', request)).status).toBe(403);
    }
  });

  it('are requested at /auth, which redirects to the console with the query unchanged', async () => {
    const query = 'callback_url=https%3A%2F%2Fapp.example.com%2F&code_challenge=a%20b&limit=5';
    const response = await fetch(`${service.origin}/auth?${query}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([303, `/console/authorize?${query}`]);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('authorization codes with stricter settings', () => {
  it('need S256 if AUTH_REQUIRE_S256 is on, also with an https callback', async () => {
    const service = await startTestService({ env: { AUTH_REQUIRE_S256: 'on' } });
    try {
      const create = (fields: object) =>
        service.management.post('/auth/keys/code', { json: { callback_url: CALLBACK, ...fields } });
      expect((await create({})).status).toBe(400);
      expect((await create({ code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' })).status).toBe(400);
      expect((await create({ code_challenge: newProof().challenge, code_challenge_method: 'S256' })).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  it('are refused with 429 after too many failures from one address, but a valid code is accepted', async () => {
    const service = await startTestService({ env: { RATE_LIMIT_SIGN_IN: '2/60' } });
    try {
      const statuses = [];
      for (let at = 0; at < 3; at++)
        statuses.push((await service.as().post('/auth/keys', { json: { code: `x${at}` } })).status);
      expect(statuses).toEqual([403, 403, 429]);
      const valid = await service.management.post('/auth/keys/code', { json: { callback_url: CALLBACK } });
      expect((await service.as().post('/auth/keys', { json: { code: valid.json.data.id } })).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
