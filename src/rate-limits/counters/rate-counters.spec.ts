import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { redisIsInstalled, startTestRedis, type TestRedis } from '../../../test/support/engines/redis-server.js';
import type { RateCounters } from '../rate-counters.port.js';
import { MemoryRateCounters } from './memory-rate-counters.driver.js';
import { RedisConnection } from './redis-connection.driver.js';
import { RedisRateCounters } from './redis-rate-counters.driver.js';

const RULE = { name: 'r', points: 3, seconds: 60 };
const withRedis = redisIsInstalled() ? describe : describe.skip;

/** The contract of every driver of the port. */
function itCounts(counters: () => RateCounters): void {
  it('allow as many requests as the rule states, and refuse further requests until the reset', async () => {
    const counts = [];
    for (let request = 0; request < 5; request++) counts.push(await counters().count(RULE, 'someone'));

    expect(counts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
    for (const { resetInMs } of counts) expect(resetInMs).toBeGreaterThan(0);
    for (const { resetInMs } of counts) expect(resetInMs).toBeLessThanOrEqual(60_000);
  });

  it('count each caller and each rule separately', async () => {
    expect(await counters().count(RULE, 'another')).toMatchObject({ allowed: true, remaining: 2 });
    expect(await counters().count({ ...RULE, name: 'other' }, 'someone')).toMatchObject({
      allowed: true,
      remaining: 2,
    });
  });

  it('allow exactly as many simultaneous requests as the rule states', async () => {
    const counts = await Promise.all(
      Array.from({ length: 50 }, () => counters().count({ ...RULE, points: 20 }, 'crowd')),
    );
    expect(counts.filter(({ allowed }) => allowed)).toHaveLength(20);
  });

  it('allow requests again after the reset', async () => {
    const rule = { name: 'short', points: 1, seconds: 1 };
    expect((await counters().count(rule, 'x')).allowed).toBe(true);
    const refused = await counters().count(rule, 'x');
    expect(refused.allowed).toBe(false);
    await sleep(refused.resetInMs + 50);
    expect((await counters().count(rule, 'x')).allowed).toBe(true);
  });
}

describe('rate counters in memory', () => {
  const counters = new MemoryRateCounters();
  itCounts(() => counters);
});

withRedis('rate counters on Redis', () => {
  let redis: TestRedis;
  let connections: RedisConnection[];
  let one: RedisRateCounters;
  let two: RedisRateCounters;
  const said: string[] = [];

  beforeAll(async () => {
    Logger.overrideLogger({
      log: (message: string) => said.push(`log ${message}`),
      warn: (message: string) => said.push(`warn ${message}`),
      error: (message: string) => said.push(`error ${message}`),
    });
    redis = await startTestRedis();
    connections = [new RedisConnection(redis.url), new RedisConnection(redis.url)];
    [one, two] = connections.map((connection) => new RedisRateCounters(connection)) as [
      RedisRateCounters,
      RedisRateCounters,
    ];
    await shared();
  });
  afterAll(async () => {
    for (const connection of connections) connection.close();
    await redis.stop();
    Logger.overrideLogger(true);
  });

  /** Waits until `one` and `two` share their counts, so that `two` includes a request that `one` counted. */
  async function shared(): Promise<void> {
    for (let probe = 0; ; probe++) {
      const rule = { name: `probe-${probe}-${Math.random()}`, points: 1, seconds: 60 };
      await one.count(rule, 'p');
      if (!(await two.count(rule, 'p')).allowed) return;
      await sleep(50);
    }
  }

  itCounts(() => one);

  it('count the requests of all replicas together', async () => {
    const counts = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : two).count({ ...RULE, points: 15 }, 'both')),
    );
    expect(counts.filter(({ allowed }) => allowed)).toHaveLength(15);
  });

  it.each([
    ['is stopped', () => redis.kill(), () => redis.start(), 'both'],
    ['hangs', async () => redis.freeze(), async () => redis.thaw(), 'one'],
  ] as const)(
    'continue with the counts of this process if Redis %s, warn once, and use Redis again afterwards',
    async (_, goAway, comeBack, noticedBy) => {
      const rule = { ...RULE, name: `away-${Math.random()}` };
      await one.count(rule, 'someone');
      // On a busy machine a late response may already have marked Redis as unavailable: wait until it is used again.
      await shared();
      said.length = 0;
      await goAway();

      const counts = [];
      for (let request = 0; request < 3; request++) counts.push(await one.count(rule, 'someone'));
      const crowd = await Promise.all(
        Array.from({ length: 30 }, () => one.count({ ...rule, name: `${rule.name}-crowd`, points: 10 }, 'crowd')),
      );

      expect(counts.map(({ allowed }) => allowed)).toEqual([true, true, false]);
      expect(crowd.filter(({ allowed }) => allowed)).toHaveLength(10);
      const warnings = (): string[] => said.filter((line) => line.startsWith('warn Redis is not available'));
      const expected = noticedBy === 'both' ? 2 : 1;
      for (let tries = 0; tries < 100 && warnings().length < expected; tries++) await sleep(50);
      expect(warnings()).toHaveLength(expected);
      await comeBack();
      await shared();
      expect(said.filter((line) => line.startsWith('log Redis is available again')).length).toBeGreaterThan(0);
    },
  );

  it('start without Redis, warn once, and count in this process', async () => {
    said.length = 0;
    const connection = new RedisConnection('redis://127.0.0.1:1');
    const lonely = new RedisRateCounters(connection);
    for (let request = 0; request < 4; request++) expect((await lonely.count(RULE, 'early')).allowed).toBe(request < 3);
    await sleep(100);
    connection.close();
    expect(said).toEqual([expect.stringContaining('warn Redis is not available')]);
  });
});
