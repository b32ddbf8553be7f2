import { ConsoleCodes } from '../../../src/sessions/console-codes.js';
import { makeMember } from '../../support/money/account-builders.js';
import { ConsoleBrowser, firstOwner, newCode } from '../../support/console/console-browser.js';
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

  it('refuses the failure after the last one that it allows, and records no refusal past it', async () => {
    const failed = [WRONG, { key: `sk-gh-v1-${'e'.repeat(64)}` }, WRONG];
    for (const how of failed) expect(await statusOf(how)).toBe(401);
    expect(await refusals()).toBe(3);
    const answer = await new ConsoleBrowser(service.origin).signIn(WRONG);
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await refusals()).toBe(3);
  });

  it('lets a good link and a good key in past it', async () => {
    for (let failure = 0; failure < 4; failure++) await statusOf(WRONG);
    expect(await statusOf(WRONG)).toBe(429);
    expect(await statusOf({ code: await newCode(service) })).toBe(201);
    expect(await statusOf({ key: TEST_API_KEY })).toBe(201);
  });

  it('is not used up by sign-ins that succeed', async () => {
    for (let success = 0; success < 5; success++) expect(await statusOf({ code: await newCode(service) })).toBe(201);
    expect(await statusOf(WRONG)).toBe(401);
  });

  it('counts a key that may not be used', async () => {
    const { data, key } = (await service.management.post('/keys', { json: { name: 'Off' } })).json;
    await service.management.patch(`/keys/${data.hash}`, { json: { disabled: true } });
    for (const status of [401, 401, 401, 429]) expect(await statusOf({ key })).toBe(status);
  });
});

describe('the session of a link that was made for a member', () => {
  let service: TestService;
  let browser: ConsoleBrowser;
  let userId: string;
  beforeAll(async () => {
    service = await startTestService({ env: { INTERN_RUNTIME: 'none' } });
    const { accountId } = await firstOwner(service);
    userId = await makeMember(service, { accountId }, { name: 'Bo', role: 'member' });
    const codes = service.app.get(ConsoleCodes, { strict: false });
    const { url } = await codes.link(service.origin, { accountId, userId }, 'operator');
    browser = new ConsoleBrowser(service.origin);
    const { status, json } = await browser.signIn({ code: url.split('#code=')[1]! });
    expect([status, json.data.kind, json.data.key_class, json.data.user.id]).toEqual([201, 'code', 'standard', userId]);
  });
  afterAll(() => service.stop());

  it('has no management right', async () => {
    const [key] = (await service.management.get('/keys')).json.data;
    const requests = [
      browser.get('/keys'),
      browser.post('/keys', { name: 'Mine' }),
      browser.send('PATCH', `/console/api/v1/keys/${key.hash}`, { json: { limit: 100_000 } }),
      browser.send('DELETE', `/console/api/v1/keys/${key.hash}`),
      browser.get('/audit'),
      browser.get('/members'),
      browser.get('/credits'),
      browser.post('/byok', { provider: 'openai', key: 'sk-of-a-member' }),
      browser.post('/analytics/query', { metrics: ['request_count'] }),
    ];
    for (const { status } of await Promise.all(requests)) expect([401, 403]).toContain(status);
    const hidden = await service.sql.query(
      "select 1 from api_key where creator_user_id = $1 and key_class = 'management'",
      [userId],
    );
    expect(hidden).toEqual([]);
  });

  it('calls models within its limit, which it cannot change', async () => {
    const chat = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] };
    expect((await browser.post('/chat/completions', chat)).status).toBe(200);
    expect((await browser.get('/generations')).status).toBe(200);
    for (const limit of [null, 100_000, 1])
      expect((await browser.send('PUT', '/console/session', { json: { limit } })).status).toBe(403);
    expect((await browser.send('GET', '/console/session')).json.data.limit).toBe(5);
  });
});
