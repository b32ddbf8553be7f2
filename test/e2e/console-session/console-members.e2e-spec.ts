import { makeMember } from '../../support/money/account-builders.js';
import { codeFor, ConsoleBrowser, firstOwner, newCode, signedInAs } from '../../support/console/console-browser.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const WRONG = { code: 'A'.repeat(22) };

describe('the limit of failed sign-ins', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService({ env: { RATE_LIMIT_SIGN_IN: '3/60', INTERN_RUNTIME: 'none' } });
  });
  afterEach(() => service.stop());

  const statusOf = async (how: { code: string } | { key: string }): Promise<number> =>
    (await new ConsoleBrowser(service.origin).signIn(how)).status;
  const refusals = async (): Promise<number> =>
    (await service.sql.query("select 1 from audit_entry where action = 'sign_in_refused'")).length;

  it('answers 429 to the first failure beyond the limit, and then writes no more audit rows', async () => {
    const failed = [WRONG, { key: `sk-gh-v1-${'e'.repeat(64)}` }, WRONG];
    for (const how of failed) expect(await statusOf(how)).toBe(401);
    expect(await refusals()).toBe(3);
    const answer = await new ConsoleBrowser(service.origin).signIn(WRONG);
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await refusals()).toBe(3);
  });

  it('does not apply to a valid code or a valid key', async () => {
    for (let failure = 0; failure < 4; failure++) await statusOf(WRONG);
    expect(await statusOf(WRONG)).toBe(429);
    expect(await statusOf({ code: await newCode(service) })).toBe(201);
    expect(await statusOf({ key: TEST_API_KEY })).toBe(201);
  });

  it('does not count successful sign-ins', async () => {
    for (let success = 0; success < 5; success++) expect(await statusOf({ code: await newCode(service) })).toBe(201);
    expect(await statusOf(WRONG)).toBe(401);
  });

  it('counts sign-ins with a disabled key', async () => {
    const { data, key } = (await service.management.post('/keys', { json: { name: 'Off' } })).json;
    await service.management.patch(`/keys/${data.hash}`, { json: { disabled: true } });
    for (const status of [401, 401, 401, 429]) expect(await statusOf({ key })).toBe(status);
  });
});

describe('a session that a developer opens with a link', () => {
  let service: TestService;
  let browser: ConsoleBrowser;
  let userId: string;
  beforeAll(async () => {
    service = await startTestService({ env: { INTERN_RUNTIME: 'none', MEMBER_KEY_LIMIT: '20' } });
    const { accountId } = await firstOwner(service);
    userId = await makeMember(service, { accountId }, { name: 'Bo', role: 'developer' });
    browser = await signedInAs(service, { accountId, userId });
    const { json } = await browser.send('GET', '/console/session');
    expect([json.data.kind, json.data.role, json.data.user.id]).toEqual(['code', 'developer', userId]);
  });
  afterAll(() => service.stop());

  it('can call models, and can set its limit to at most MEMBER_KEY_LIMIT', async () => {
    const chat = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] };
    expect((await browser.post('/chat/completions', chat)).status).toBe(200);
    expect((await browser.get('/generations')).status).toBe(200);
    const put = async (limit: number | null): Promise<number> =>
      (await browser.send('PUT', '/console/session', { json: { limit } })).status;
    expect([await put(20), await put(20.01), await put(null)]).toEqual([200, 403, 403]);
    expect((await browser.send('GET', '/console/session')).json.data.limit).toBe(20);
  });

  it('has a limit of at most MEMBER_KEY_LIMIT, including a raise that has not ended', async () => {
    const put = async (limit: number): Promise<number> =>
      (await browser.send('PUT', '/console/session', { json: { limit } })).status;
    expect(await put(19)).toBe(200);
    const [calls] = await service.sql.query<{ hash: string }>(
      `select hash from api_key where creator_user_id = $1 and console_session_id is not null
         and key_class = 'standard' and deleted_at is null`,
      [userId],
    );
    const path = `/console/api/v1/keys/${calls!.hash}/raise`;
    const json = { amount_usd: 1, until: '2099-01-01T00:00:00Z' };
    expect((await browser.send('PUT', path, { json })).status).toBe(200);
    expect([await put(20), await put(19)]).toEqual([403, 200]);
    expect((await browser.send('DELETE', path)).status).toBe(200);
    expect(await put(20)).toBe(200);
  });

  it('is not opened if the owner of the link is no longer a member', async () => {
    const { accountId } = await firstOwner(service);
    const leaver = await makeMember(service, { accountId }, { name: 'Al', role: 'admin' });
    const code = await codeFor(service, { accountId, userId: leaver });
    await service.sql.query('delete from member where user_id = $1', [leaver]);
    expect((await new ConsoleBrowser(service.origin).signIn({ code })).status).toBe(401);
  });
});
