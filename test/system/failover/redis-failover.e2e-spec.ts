import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '../../support/api/api-builders.js';
import { startRedisCluster, startSentinelGroup, type RedisGroup } from '../../support/engines/redis-groups.js';
import type { RedisProcess } from '../../support/engines/redis-process.js';
import { redisIsInstalled } from '../../support/engines/redis-server.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const FAILOVERS = LONG_TESTS ? 10 : 1;
const LIMIT = 20;
/** The hash tag of all counts of calls, so that a Redis Cluster stores them in one slot. */
const COUNTS = '{calls}';
const BODY = { json: { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1 } };

const describeWithRedis = redisIsInstalled() ? describe.each : describe.skip.each;

describeWithRedis([
  ['Sentinel', startSentinelGroup],
  ['a Redis Cluster', startRedisCluster],
] as const)('rate limits over two replicas with %s', (_, startGroup) => {
  let group: RedisGroup;
  let replicas: [TestService, TestService];

  beforeAll(async () => {
    group = await startGroup();
    const env = { REDIS_URL: group.url, INTERN_RUNTIME: 'none' };
    const one = await startTestService({ env });
    replicas = [one, await startTestService({ env, databaseUrl: one.databaseUrl })];
    Logger.overrideLogger(false);
    await eventually(expectSharedCount, 30_000);
  }, 120_000);
  afterAll(async () => {
    await replicas[1].stop();
    await replicas[0].stop();
    await group.stop();
    Logger.overrideLogger(true);
  });

  const limitedKey = async (requests: number): Promise<string> => {
    const { key, hash } = await makeKey(replicas[0].management);
    await replicas[0].management.put(`/keys/${hash}/settings`, { json: { requests_per_minute: requests } });
    return key;
  };
  const status = async (replica: TestService, key: string): Promise<number> =>
    (await replica.as(key).post('/chat/completions', BODY)).status;

  /** Checks that the replicas share one count. */
  async function expectSharedCount(): Promise<void> {
    const key = await limitedKey(1);
    expect([await status(replicas[0], key), await status(replicas[1], key)]).toEqual([200, 429]);
  }

  it('are exact for a Lua script that updates several limits', async () => {
    const { key, hash } = await makeKey(replicas[0].management);
    const json = { requests_per_minute: LIMIT, tokens_per_minute: 1_000_000, max_concurrent: 100 };
    await replicas[0].management.put(`/keys/${hash}/settings`, { json });
    const statuses: number[] = [];
    // Two at a time: more calls could delay the event loop for longer than the timeout of a Redis command, 250 ms.
    for (let pair = 0; pair < LIMIT; pair++)
      statuses.push(...(await Promise.all(replicas.map((replica) => status(replica, key)))));
    expect(statuses.filter((each) => each === 200)).toHaveLength(LIMIT);
  });

  it.each([
    ['is killed', (server: RedisProcess) => server.kill(), (server: RedisProcess) => server.start()],
    ['hangs', (server: RedisProcess) => server.freeze(), (server: RedisProcess) => server.thaw()],
  ] as const)(
    'return only 200 or 429 while the primary %s, and share their counts on the new primary',
    async (_name, stop, go) => {
      for (let failover = 0; failover < FAILOVERS; failover++) {
        const primary = await group.primaryOf(COUNTS);
        const keys = await Promise.all(replicas.map(() => limitedKey(LIMIT)));
        const seen: number[][] = replicas.map(() => []);
        let isDone = false;
        const callers = replicas.map(async (replica, at) => {
          while (!isDone) {
            seen[at]!.push(await status(replica, keys[at]!));
            await sleep(20);
          }
        });
        await eventually(async () => expect(Math.min(...seen.map(({ length }) => length))).toBeGreaterThan(2));
        await stop(primary);
        await eventually(async () => {
          expect(await group.primaryOf(COUNTS)).not.toBe(primary);
          await expectSharedCount();
        }, 30_000);
        isDone = true;
        await Promise.all(callers);
        await go(primary);
        // Each key is used on one replica. The new primary does not have the calls that the replica counted in memory
        // during the failover, so up to twice the limit can be admitted.
        for (const each of seen) {
          expect(each.filter((code) => code !== 200 && code !== 429)).toEqual([]);
          expect(each.filter((code) => code === 200).length).toBeLessThanOrEqual(2 * LIMIT);
        }
        await eventually(expectSharedCount, 30_000);
      }
    },
    300_000,
  );
});
