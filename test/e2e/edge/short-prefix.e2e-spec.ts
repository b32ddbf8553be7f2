import OpenAI from 'openai';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

const CHAT = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'I feel sad today' }] };
const APP = 'https://app.example.com';

describe('the prefix /v1', () => {
  let service: TestService;
  let log = '';
  beforeAll(async () => {
    service = await startTestService({
      env: { CORS_ORIGINS: APP, LOG_LEVEL: 'info', LOG_FORMAT: 'json', RATE_LIMIT_BENCHMARKS: '3/60' },
      logTo: (text) => (log += text),
    });
  });
  afterAll(() => service.stop());

  const call = (path: string, key?: string, init: RequestInit = {}): Promise<Response> =>
    fetch(service.origin + path, {
      ...init,
      headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...(init.headers as Record<string, string>) },
    });
  const post = (path: string, key?: string): Promise<Response> =>
    call(path, key, {
      method: 'POST',
      body: JSON.stringify(CHAT),
      headers: { 'content-type': 'application/json' },
    });

  it.each([
    '/models?limit=2',
    '/models/builtin/eliza/endpoints',
    '/key',
    '/nothing',
    '/end-users/%zz',
    '/openapi.json',
  ])('returns the same response as /api/v1 for GET %s', async (path) => {
    const [short, long] = [await call(`/v1${path}`, TEST_API_KEY), await call(`/api/v1${path}`, TEST_API_KEY)];
    expect([short.status, await short.json()]).toEqual([long.status, await long.json()]);
  });

  it('serves a chat, and refuses missing, unknown and management keys like /api/v1', async () => {
    const answer = await post('/v1/chat/completions', TEST_API_KEY);
    expect([answer.status, await answer.json()]).toMatchObject([200, { choices: [{ finish_reason: 'stop' }] }]);
    for (const key of [undefined, 'sk-gh-v1-unknown', TEST_MANAGEMENT_KEY]) {
      const [short, long] = [await post('/v1/chat/completions', key), await post('/api/v1/chat/completions', key)];
      expect([short.status, await short.text()]).toEqual([401, await long.text()]);
    }
  });

  it('shares a rate limit with /api/v1', async () => {
    const statuses: number[] = [];
    for (const prefix of ['/v1', '/api/v1', '/v1', '/v1', '/api/v1'])
      statuses.push((await call(`${prefix}/benchmarks`, TEST_API_KEY)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('answers preflight requests, and is logged as /api/v1', async () => {
    const headers = { origin: APP, 'access-control-request-method': 'POST' };
    const preflight = await call('/v1/chat/completions', undefined, { method: 'OPTIONS', headers });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, APP]);
    expect(log).toContain('"route":"/api/v1/benchmarks"');
    expect(log).not.toContain('"route":"/v1');
  });

  it('may be the base URL of the client openai', async () => {
    const client = new OpenAI({ baseURL: `${service.origin}/v1`, apiKey: TEST_API_KEY });
    const chat = await client.chat.completions.create({
      model: CHAT.model,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(chat.choices[0]!.message.content).toMatch(/\w/);
  });

  it.each(['/v1', '/v1x/models', '/v2/models', '/console/v1/models', '/api/v1/v1/models'])(
    'does not include %s, which is not found',
    async (path) => {
      expect((await call(path, TEST_API_KEY)).status).toBe(404);
    },
  );
});
