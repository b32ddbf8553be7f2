import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sql } from '../../../src/database/sql.js';
import { makeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { redisIsInstalled, startTestRedis, type TestRedis } from '../../support/engines/redis-server.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

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

  it('return the remaining requests of a key, and 429 with Retry-After when none remain', async () => {
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

  it('count each key separately', async () => {
    expect((await service.management.get(MODELS)).status).toBe(200);
  });

  it('refuse management requests of an account beyond RATE_LIMIT_MANAGEMENT_ACCOUNT', async () => {
    const second = (await makeKey(service.management, { name: 'second' })).key;
    const paths = ['/keys/none', '/keys/none', '/keys/none', '/keys/none'];
    const answers = [];
    for (const path of paths) answers.push(await service.management.get(path));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
    expect(limits(answers[3]!)).toEqual(['4', '0']);
    expect((await service.as(second).get(MODELS)).status).toBe(200);
  });

  it('send no headers on a route without a rate limit', async () => {
    const answer = await service.standard.post('/audio/speech', { json: {} });
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([400, null]);
  });

  it('throttle unknown keys from one address, but not valid keys from the same address', async () => {
    const answers = [];
    for (let attempt = 0; attempt < 7; attempt++) answers.push(await service.as(UNKNOWN).get('/keys/none'));

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(answers[6]!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(answers[6]!.json.error.message).toMatch(/^Too many requests with unknown API keys from this address/);
    expect((await service.standard.post('/audio/speech', { json: {} })).status).toBe(400);
    expect((await service.as().get('/keys/none')).status).toBe(401);
    expect((await service.as('two words').get('/keys/none')).status).toBe(401);
  });

  it('ignore X-Forwarded-For unless TRUST_PROXY is set', async () => {
    const answer = await service.as(UNKNOWN).get('/keys/none', { headers: { 'x-forwarded-for': '192.0.2.99' } });
    expect(answer.status).toBe(429);
  });
});

describe('a service that throttles the unknown keys of an address', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_FAILED_KEYS: '5/600' } });
  });
  afterAll(() => service.stop());

  const unknownKey = (): string => `sk-gh-v1-${randomBytes(32).toString('hex')}`;
  const tries = async (count: number): Promise<number[]> => {
    const statuses = [];
    for (let attempt = 0; attempt < count; attempt++)
      statuses.push((await service.as(unknownKey()).get(MODELS)).status);
    return statuses;
  };

  it('queries the database for a new key, and for at most 6 of 300 unknown keys', async () => {
    const lookUps = jest.spyOn(service.app.get(Sql, { strict: false }), 'query');
    const count = (): number => lookUps.mock.calls.filter(([text]) => text.includes('join account a on')).length;
    expect(await tries(7)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    await eventually(async () =>
      expect(
        await tries(1).then(() => lookUps.mock.calls.some(([text]) => text.includes('select hash from api_key'))),
      ).toBe(true),
    );
    await sleep(100);
    const before = count();

    expect(await tries(300)).toEqual(Array(300).fill(429));
    // One unknown hash in 400 is a false positive, for which the database is read.
    expect(count() - before).toBeLessThanOrEqual(6);
    const { key } = await makeKey(service.management, { name: 'new' });
    await eventually(async () => expect((await service.as(key).get(MODELS)).status).toBe(200));
  });
});

describe('rate limits with the default configuration', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  /** Sends this many requests. Returns the number of responses by status. */
  const statusesOf = async (count: number, path: string, key: string): Promise<Record<number, number>> => {
    const seen: Record<number, number> = {};
    for (let sent = 0; sent < count; sent++) {
      const { status, body } = await fetch(`${service.origin}/api/v1${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await body?.cancel();
      seen[status] = (seen[status] ?? 0) + 1;
    }
    return seen;
  };

  it('let one key read benchmarks 1,200 times a minute, and do not refuse another key then', async () => {
    expect(await statusesOf(1_203, '/benchmarks?max_results=1', TEST_API_KEY)).toEqual({ 200: 1_200, 429: 3 });
    expect((await service.management.get('/benchmarks?max_results=1')).status).toBe(200);
  }, 60_000);

  it('let one address try 1,200 unknown keys a minute', async () => {
    expect(await statusesOf(1_203, '/models/count', UNKNOWN)).toEqual({ 401: 1_200, 429: 3 });
  }, 60_000);

  it.each([
    ['/analytics/meta', TEST_MANAGEMENT_KEY],
    ['/models/count', TEST_API_KEY],
    ['/keys', TEST_MANAGEMENT_KEY],
  ])(
    'do not limit 300 requests to %s',
    async (path, key) => {
      expect(await statusesOf(300, path, key)).toEqual({ 200: 300 });
    },
    60_000,
  );
});

describe('rate limits behind a proxy', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { TRUST_PROXY: '1', RATE_LIMIT_FAILED_KEYS: '2/60' } });
  });
  afterAll(() => service.stop());

  it('count unknown keys by the address that the proxy appends to X-Forwarded-For', async () => {
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

  /** Each replica detects Redis independently. Waits until both replicas use the shared count. */
  async function shared(): Promise<void> {
    for (;;) {
      const { key } = await makeKey(one.management, { name: 'probe' });
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

  it('are shared: of 24 requests of one key through both replicas, 10 are served', async () => {
    expect((await ask(TEST_API_KEY, 24)).filter((status) => status === 200)).toHaveLength(10);
    expect((await ask(UNKNOWN, 12)).filter((status) => status === 401)).toHaveLength(4);
  });

  it('are counted in each process when Redis is unavailable, and no request fails', async () => {
    await redis.kill();
    const statuses = await ask(TEST_MANAGEMENT_KEY, 40);

    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('are shared again when Redis is available again', async () => {
    await redis.start();
    await shared();
    const { key } = await makeKey(one.management, { name: 'fresh' });
    expect((await ask(key, 24)).filter((status) => status === 200)).toHaveLength(10);
  });
});
