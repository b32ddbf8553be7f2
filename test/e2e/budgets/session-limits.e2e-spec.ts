import { randomBytes } from 'node:crypto';
import { makeKey } from '../../support/api/api-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('the spending limit of a session', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  // A character costs 1,000 nano-dollars.
  const speak = (key: string, input: string, headers: Record<string, string> = {}) =>
    service.as(key).post('/audio/speech', { json: { model: 'builtin/flite', voice: 'slt', input }, headers });
  const put = (hash: string, json: object) => service.management.put(`/keys/${hash}/settings`, { json });

  it('is set by the key: 402 if a call does not fit, 403 if nothing is left', async () => {
    const { key, hash } = await makeKey(service.management);
    const settings = await put(hash, { session_limit_usd: 0.000005 });
    expect([settings.status, settings.json.data]).toMatchObject([200, { session_limit_usd: 0.000005 }]);
    const say = (input: string, session: string) => speak(key, input, { 'x-session-id': session });

    expect((await say('abc', 'one')).status).toBe(200);
    const insufficient = await say('abc', 'one');
    expect([insufficient.status, insufficient.json.error.message]).toEqual([
      402,
      'Session lifetime budget of $0.000005 does not cover the maximum cost of this request. Send a ' +
        'smaller request, or contact your org admin.',
    ]);
    expect(insufficient.headers.get('x-budget-level')).toBe('session');
    expect(insufficient.headers.get('x-budget-reset')).toBeNull();
    expect((await say('ab', 'one')).status).toBe(200);
    const exceeded = await say('a', 'one');
    expect([exceeded.status, exceeded.json.error.message]).toEqual([
      403,
      'Session lifetime budget of $0.000005 exceeded. Contact your org admin.',
    ]);
    expect((await say('abcde', 'two')).status).toBe(200);
    expect((await speak(key, 'abcdef')).status).toBe(200);

    await put(hash, { session_limit_usd: 0.000006 });
    expect((await say('a', 'one')).status).toBe(200);
    await put(hash, { session_limit_usd: null });
    expect((await say('abc', 'one')).status).toBe(200);
    expect((await service.management.get(`/keys/${hash}/settings`)).json.data.session_limit_usd).toBeNull();
  });

  it('is set by the header of the first call, and later calls can only lower it', async () => {
    const { key } = await makeKey(service.management);
    const say = async (input: string, budget?: string) =>
      (await speak(key, input, { 'x-session-id': 'one', ...(budget && { 'X-Gatehouse-Session-Budget': budget }) }))
        .status;
    expect(await say('abc', '0.000006')).toBe(200);
    expect(await say('abcd')).toBe(402);
    expect(await say('abcd', '100')).toBe(402);
    expect(await say('ab', '0.000005')).toBe(200);
    expect(await say('a')).toBe(403);
  });

  it('is the lower one of header and setting of the key; without the setting, the header still applies', async () => {
    const { key, hash } = await makeKey(service.management);
    await put(hash, { session_limit_usd: 0.000003 });
    const say = async (session: string, budget: string) =>
      (await speak(key, 'ab', { 'x-session-id': session, 'x-gatehouse-session-budget': budget })).status;
    expect([await say('one', '1'), await say('one', '1')]).toEqual([200, 402]);
    expect(await say('two', '0.000001')).toBe(402);
    expect(await say('three', '0.000004')).toBe(200);
    await put(hash, { session_limit_usd: null });
    const saidLater = async () => (await speak(key, 'ab', { 'x-session-id': 'three' })).status;
    expect([await saidLater(), await saidLater()]).toEqual([200, 403]);
  });

  it('is refused with 400 if it is not an amount, or if the call names no session', async () => {
    const { key, hash } = await makeKey(service.management);
    const headers = { 'x-session-id': 'one' };
    for (const wrong of ['', '0', '-1', '1e3', '1,5', '0x10', 'a lot', '1 USD', '9000000001', '0.0000000001', '1, 2'])
      expect([
        wrong,
        (await speak(key, 'a', { ...headers, 'x-gatehouse-session-budget': wrong })).json.error.message,
      ]).toEqual([wrong, expect.stringContaining('X-Gatehouse-Session-Budget must be an amount in USD such as 2.50')]);
    const sessionless = await speak(key, 'a', { 'x-gatehouse-session-budget': '1' });
    expect([sessionless.status, sessionless.json.error.message]).toEqual([
      400,
      'X-Gatehouse-Session-Budget limits a session: name it by session_id or the header X-Session-Id',
    ]);
    for (const wrong of [0, -1, '1', 9_000_000_001, 1e-10])
      expect((await put(hash, { session_limit_usd: wrong })).status).toBe(400);
  });

  it('applies to session ids of any length, and so do budgets with each: session', async () => {
    const { key, hash } = await makeKey(service.management);
    const budget = { scope: { api_key_hash: hash }, each: 'session', interval: 'daily', limit_usd: 0.000003 };
    const { id } = (await service.management.post('/budgets', { json: budget })).json.data;
    const random = randomBytes(3_000).toString('base64url');
    const say = async (session: string) => (await speak(key, 'ab', { 'x-session-id': session })).status;
    // A record contains only the first 256 characters of a session id, so both sessions count as one session.
    expect([await say(`${random}1`), await say(`${random}2`)]).toEqual([200, 402]);
    expect((await service.management.get(`/budgets/${id}/balances`)).json.data[0].value).toBe(random.slice(0, 256));
    await put(hash, { session_limit_usd: 0.000003 });
    await service.management.delete(`/budgets/${id}`);
    expect([await say(`${random}1`), await say(`${random}1`), await say(`${random}2`)]).toEqual([200, 402, 200]);
  });

  it('is not a budget of the account', async () => {
    const { key, hash } = await makeKey(service.management);
    await put(hash, { session_limit_usd: 1 });
    await speak(key, 'a', { 'x-session-id': 'one' });
    const { data } = (await service.management.get('/budgets')).json;
    expect(data.filter(({ scope }: { scope: { api_key_hash?: string } }) => scope.api_key_hash === hash)).toEqual([]);
    const budget = { scope: { api_key_hash: hash }, each: 'session', interval: 'lifetime', limit_usd: 1 };
    expect((await service.management.post('/budgets', { json: budget })).status).toBe(201);
  });
});
