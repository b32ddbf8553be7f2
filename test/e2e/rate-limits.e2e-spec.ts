import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiAnswer } from '../support/api-client.js';
import { redisIsInstalled, startTestRedis, type TestRedis } from '../support/redis-server.js';
import { startTestService, TEST_API_KEY, TEST_MANAGEMENT_KEY, type TestService } from '../support/test-service.js';

const UNKNOWN = `sk-gh-v1-${'f'.repeat(64)}`;
const withRedis = redisIsInstalled() ? describe : describe.skip;
const MODELS = '/models';
const limits = (answer: ApiAnswer): (string | null)[] =>
  ['limit', 'remaining'].map((name) => answer.headers.get(`x-ratelimit-${name}`));

describe('rate limits', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: { RATE_LIMIT_OTHER: '3/60', RATE_LIMIT_MANAGEMENT_ACCOUNT: '4/60', RATE_LIMIT_FAILED_KEYS: '5/60' },
    });
  });
  afterAll(() => service.stop());

  it('answers 429 with Retry-After and X-RateLimit headers to what is over the limit of a key, and says where a key stands before', async () => {
    const before = Date.now();
    const answers = [];
    for (let request = 0; request < 4; request++) answers.push(await service.standard.get(MODELS));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(limits)).toEqual([
      ['3', '2'],
      ['3', '1'],
      ['3', '0'],
      ['3', '0'],
    ]);
    const refused = answers[3]!;
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(before);
    expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(refused.json.error).toEqual({
      code: 429,
      message: expect.stringMatching(
        /^This key sends too many requests: at most 3 in 60 seconds\. Try again in \d+ seconds\.$/,
      ),
    });
  });

  it('counts each key for itself', async () => {
    expect((await service.management.get(MODELS)).status).toBe(200);
  });

  it('counts all keys of an account together where the account has a limit', async () => {
    const second = (await service.management.post('/keys', { json: { name: 'second' } })).json.key;
    const paths = ['/keys/none', '/keys/none', '/keys/none', '/keys/none'];
    const answers = [];
    for (const path of paths) answers.push(await service.management.get(path));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
    expect(limits(answers[3]!)).toEqual(['4', '0']);
    expect((await service.as(second).get(MODELS)).status).toBe(200);
  });

  it('leaves routes without a limit without its headers', async () => {
    const answer = await service.standard.post('/audio/speech', { json: {} });
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([400, null]);
  });

  it('slows unknown keys of one address, while valid keys from there pass', async () => {
    const answers = [];
    for (let attempt = 0; attempt < 7; attempt++) answers.push(await service.as(UNKNOWN).get('/keys/none'));

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(answers[6]!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(answers[6]!.json.error.message).toMatch(/^Too many requests with unknown API keys from this address/);
    expect((await service.standard.post('/audio/speech', { json: {} })).status).toBe(400);
    expect((await service.as().get('/keys/none')).status).toBe(401);
    expect((await service.as('two words').get('/keys/none')).status).toBe(401);
  });

  it('believes no X-Forwarded-For unless TRUST_PROXY says so', async () => {
    const answer = await service.as(UNKNOWN).get('/keys/none', { headers: { 'x-forwarded-for': '192.0.2.99' } });
    expect(answer.status).toBe(429);
  });
});

describe('rate limits behind a proxy', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { TRUST_PROXY: '1', RATE_LIMIT_FAILED_KEYS: '2/60' } });
  });
  afterAll(() => service.stop());

  it('counts unknown keys by the address that the proxy saw, whatever the caller puts before it', async () => {
    const attempt = async (forwarded: string): Promise<number> =>
      (await service.as(UNKNOWN).get('/keys/none', { headers: { 'x-forwarded-for': forwarded } })).status;

    const one = [
      await attempt('192.0.2.1'),
      await attempt('198.51.100.7, 192.0.2.1'),
      await attempt('203.0.113.9, 192.0.2.1'),
    ];

    expect(one).toEqual([401, 401, 429]);
    expect(await attempt('192.0.2.2')).toBe(401);
  });
});

withRedis('rate limits of two replicas on one Redis', () => {
  let redis: TestRedis;
  let one: TestService;
  let two: TestService;

  beforeAll(async () => {
    redis = await startTestRedis();
    const env = { REDIS_URL: redis.url, RATE_LIMIT_OTHER: '10/600', RATE_LIMIT_FAILED_KEYS: '4/600' };
    one = await startTestService({ env });
    two = await startTestService({ env, databaseUrl: one.databaseUrl });
    await shared();
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
    await redis.stop();
  });

  /** Each replica finds Redis by itself: waits until what one counts, the other sees. */
  async function shared(): Promise<void> {
    for (;;) {
      const { key } = (await one.management.post('/keys', { json: { name: 'probe' } })).json;
      const remaining = [await one.as(key).get(MODELS), await two.as(key).get(MODELS)].map((answer) =>
        answer.headers.get('x-ratelimit-remaining'),
      );
      if (remaining.join() === '9,8') return;
      await sleep(100);
    }
  }

  const ask = async (key: string, requests: number): Promise<number[]> =>
    Promise.all(
      Array.from({ length: requests }, async (_, index) => (await (index % 2 ? one : two).as(key).get(MODELS)).status),
    );

  it('are shared: of 24 requests through both, 10 are served', async () => {
    expect((await ask(TEST_API_KEY, 24)).filter((status) => status === 200)).toHaveLength(10);
    expect((await ask(UNKNOWN, 12)).filter((status) => status === 401)).toHaveLength(4);
  });

  it('go on in each process when Redis is gone, and no request fails', async () => {
    await redis.kill();
    const statuses = await ask(TEST_MANAGEMENT_KEY, 40);

    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('are shared again when Redis is back', async () => {
    await redis.start();
    await shared();
    const { key } = (await one.management.post('/keys', { json: { name: 'fresh' } })).json;
    expect((await ask(key, 24)).filter((status) => status === 200)).toHaveLength(10);
  });
});
