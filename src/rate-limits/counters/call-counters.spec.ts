import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { redisIsInstalled, startTestRedis, type TestRedis } from '../../../test/support/engines/redis-server.js';
import { eventually } from '../../../test/support/eventually.js';
import { Config } from '../../config/config.js';
import { LocalClient } from '../../kernel/processes/local-client.driver.js';
import { LocalServer } from '../../kernel/processes/local-server.js';
import type { CallCounters } from '../call-counters.port.js';
import type { CallLimit } from '../call-limit.js';
import { AdmittedCall, CallLimiter } from '../call-limiter.js';
import { CounterDrivers } from '../counter-drivers.js';
import { ProcessRole } from '../../config/process-role.js';
import { MemoryCallCounters } from './memory-call-counters.driver.js';
import { RedisCallCounters } from './redis-call-counters.driver.js';
import { RedisConnection } from './redis-connection.driver.js';
import { SupervisorCallCounters } from './supervisor-call-counters.driver.js';

const LEASE_MS = 400;
/** The shortest lease that the configuration allows. */
const SUPERVISED_LEASE_MS = 1_000;
const withRedis = redisIsInstalled() ? describe : describe.skip;
let keys = 0;
const newKey = (): string => `key:${++keys}`;
const requests = (key: string, max: number): CallLimit => ({ kind: 'requests', key, max });
const tokens = (key: string, max: number, points: number): CallLimit => ({ kind: 'tokens', key, max, points });
const concurrent = (key: string, max: number): CallLimit => ({ kind: 'concurrent', key, max });
const session = (key: string, max: number): CallLimit => ({ kind: 'session', key, max });

/** The contract of every driver of the port. `counters`: the counters of two processes that count together. */
function itCountsCalls(counters: () => readonly [CallCounters, CallCounters], leaseMs = LEASE_MS): void {
  let calls = 0;
  const full = async (limits: CallLimit[], from: 0 | 1 = 0): Promise<number | null> =>
    (await counters()[from].take(`call-${++calls}`, limits)).full;

  it('admit exactly as many requests as the limit allows, in both processes together', async () => {
    const limits = [requests(newKey(), 3)];
    const outcomes: (number | null)[] = [];
    for (const from of [0, 1, 0, 1, 0] as const) outcomes.push(await full(limits, from));
    expect(outcomes).toEqual([null, null, null, 0, 0]);
  });

  it('admit tokens up to the limit, and no further token', async () => {
    const key = newKey();
    expect(await full([tokens(key, 100, 60)])).toBeNull();
    expect(await full([tokens(key, 100, 41)], 1)).toBe(0);
    expect(await full([tokens(key, 100, 40)], 1)).toBeNull();
    expect(await full([tokens(key, 100, 1)])).toBe(0);
    const { states } = await counters()[0].take('last', [tokens(key, 100, 0)]);
    expect(states).toEqual([{ used: 100, resetInMs: expect.any(Number) }]);
    expect(states[0]!.resetInMs).toBeGreaterThan(50_000);
    expect(states[0]!.resetInMs).toBeLessThanOrEqual(60_000);
  });

  it('add tokens after the call, even beyond the limit, and subtract no more than was counted', async () => {
    const key = newKey();
    await full([tokens(key, 100, 10)]);
    await counters()[1].add([tokens(key, 100, 200)]);
    expect(await full([tokens(key, 100, 0)])).toBe(0);
    await counters()[0].add([tokens(key, 100, -500)]);
    expect(await full([tokens(key, 100, 101)])).toBe(0);
    expect(await full([tokens(key, 100, 100)])).toBeNull();
  });

  it('count a call against all limits or against none, and name the first limit that is full', async () => {
    const [open, used] = [newKey(), newKey()];
    await full([requests(used, 1)]);
    expect(await full([requests(open, 1), requests(used, 1), tokens(used, 0, 1)])).toBe(1);
    expect(await full([requests(open, 1)])).toBeNull();
  });

  it('free a place when its call is released, and not before', async () => {
    const limits = [concurrent(newKey(), 2)];
    await counters()[0].take('one', limits);
    await counters()[1].take('two', limits);
    expect(await full(limits)).toBe(0);
    await counters()[0].release([{ key: limits[0]!.key, callId: 'one' }]);
    expect([await full(limits, 1), await full(limits)]).toEqual([null, 0]);
  });

  it('keep the place of a renewed call, and free the place of a dead process after one lease', async () => {
    const limits = [concurrent(newKey(), 2)];
    const renewed = { key: limits[0]!.key, callId: 'renewed' };
    await counters()[0].take(renewed.callId, limits);
    await counters()[1].take('dead', limits);
    expect(await full(limits)).toBe(0);
    for (let step = 0; step < 5; step++) {
      await sleep(leaseMs / 4);
      await counters()[0].renew([renewed]);
    }
    expect([await full(limits), await full(limits)]).toEqual([null, 0]);
  });

  it('count the calls of a session separately for each kind of limit and each key', async () => {
    const key = newKey();
    expect(await full([requests(key, 1)])).toBeNull();
    expect([await full([session(key, 2)]), await full([session(key, 2)], 1), await full([session(key, 2)])]).toEqual([
      null,
      null,
      0,
    ]);
    expect(await full([session(newKey(), 2)])).toBeNull();
  });

  it('admit exactly as many simultaneous calls as the limit allows', async () => {
    const limits = [requests(newKey(), 50), concurrent(newKey(), 15)];
    const outcomes = await Promise.all(Array.from({ length: 40 }, (_, index) => full(limits, index % 2 ? 1 : 0)));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(15);
  });
}

describe('call counters in memory', () => {
  const counters = new MemoryCallCounters(LEASE_MS);
  itCountsCalls(() => [counters, counters]);
});

describe('call counters of workers', () => {
  let server: LocalServer;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let clients: LocalClient[];
  let workers: [SupervisorCallCounters, SupervisorCallCounters];

  beforeAll(async () => {
    folder = await temporaryFolder();
    const config = Config.read({ RESERVATION_LEASE_MS: String(SUPERVISED_LEASE_MS) });
    const drivers = await CounterDrivers.open(config, new ProcessRole());
    server = new LocalServer((request) => drivers.respond(request));
    await server.listen(`${folder.path}/counters.sock`);
    clients = [1, 2].map(() => new LocalClient(`${folder.path}/counters.sock`));
    const [one, two] = clients.map((client) => new SupervisorCallCounters(client, SUPERVISED_LEASE_MS));
    workers = [one!, two!];
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    server.close();
    await folder.remove();
  });

  itCountsCalls(() => workers, SUPERVISED_LEASE_MS);

  it('continue in the worker with its own counts while the supervisor is not available', async () => {
    const away = new SupervisorCallCounters(new LocalClient(`${folder.path}/nobody.sock`), LEASE_MS);
    const limits = [requests(newKey(), 2)];
    const outcomes = [];
    for (let call = 0; call < 3; call++) outcomes.push((await away.take(`call-${call}`, limits)).full);
    expect(outcomes).toEqual([null, null, 0]);
  });
});

withRedis('call counters on Redis', () => {
  let redis: TestRedis;
  let connections: RedisConnection[];
  let replicas: [RedisCallCounters, RedisCallCounters];

  beforeAll(async () => {
    Logger.overrideLogger(false);
    redis = await startTestRedis();
    connections = [new RedisConnection(redis.url), new RedisConnection(redis.url)];
    const [one, two] = connections.map((connection) => new RedisCallCounters(connection, LEASE_MS));
    replicas = [one!, two!];
    await shared();
  });
  afterAll(async () => {
    for (const connection of connections) connection.close();
    await redis.stop();
    Logger.overrideLogger(true);
  });

  /** Waits until both replicas share their counts. */
  const shared = (): Promise<void> =>
    eventually(async () => {
      const limits = [requests(newKey(), 1)];
      await replicas[0].take('probe', limits);
      expect((await replicas[1].take('probe', limits)).full).toBe(0);
    });

  itCountsCalls(() => replicas);

  it('continue in each replica with its own counts while Redis is down, and are shared again afterwards', async () => {
    const limits = [requests(newKey(), 3)];
    const places = [concurrent(newKey(), 1)];
    await replicas[0].take('first', limits);
    await replicas[0].take('open', places);
    await redis.kill();
    const outcomes = [];
    for (let call = 0; call < 3; call++) outcomes.push((await replicas[0].take(`away-${call}`, limits)).full);
    expect(outcomes).toEqual([null, null, 0]);
    expect((await replicas[1].take('other', limits)).full).toBeNull();
    expect((await replicas[0].take('second', places)).full).toBe(0);

    await redis.start();
    await shared();
    // Redis restarted without data. The renewal of the lease creates the place again.
    await replicas[0].renew([{ key: places[0]!.key, callId: 'open' }]);
    expect((await replicas[1].take('second', places)).full).toBe(0);
  });

  it('have an expiry time in Redis, so that no ended window or place remains', async () => {
    const key = newKey();
    await replicas[0].take('expiring', [requests(key, 9), tokens(key, 9, 5), concurrent(key, 9), session(key, 9)]);
    await replicas[0].add([tokens(`${key}:late`, 9, 5)]);
    const names = (await connections[0]!.client.keys(`gatehouse:{calls}:*:${key}*`)).sort();
    expect(names).toHaveLength(5);
    for (const name of names) expect(await connections[0]!.client.pttl(name)).toBeGreaterThan(0);
  });
});

describe('an admitted call', () => {
  const counters = new MemoryCallCounters(1_000);
  const limiter = new CallLimiter(counters, Config.read({ RESERVATION_LEASE_MS: '1000' }));
  afterAll(() => limiter.onApplicationShutdown());

  const admit = async (limits: CallLimit[]): Promise<AdmittedCall> => {
    const call = await limiter.take(limits);
    expect(call).toBeInstanceOf(AdmittedCall);
    return call as AdmittedCall;
  };

  it('keeps its place for longer than a lease until it is released', async () => {
    const limits = [concurrent(newKey(), 1)];
    const call = await admit(limits);
    await sleep(1_500);
    expect(await limiter.take(limits)).toEqual({ limit: limits[0], state: { used: 1, resetInMs: 1_000 } });
    call.release();
    call.release();
    (await admit(limits)).release();
  });

  it('adds its tokens only to limits of tokens', async () => {
    const key = newKey();
    const call = await admit([requests(key, 5), tokens(key, 100, 10)]);
    call.addTokens(80);
    call.addTokens(0);
    const { states } = await admit([requests(key, 5), tokens(key, 100, 10)]);
    expect(states.map(({ used }) => used)).toEqual([2, 100]);
  });
});
