import { makeKey, type MadeKey } from '../../support/api/api-builders.js';
import { holdStream } from '../../support/calls/held-stream.js';
import { HELLO } from '../../support/calls/text-stage.js';
import { redisIsInstalled, startTestRedis, type TestRedis } from '../../support/engines/redis-server.js';
import { eventually } from '../../support/eventually.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const withRedis = redisIsInstalled() ? describe : describe.skip;
const LEASE_MS = 2_000;
const MODEL = 'openai/gpt-4o-mini';

withRedis('the limits of calls over replicas with Redis', () => {
  let redis: TestRedis;
  let folder: TemporaryFolder;
  let vendor: ScriptedChatVendor;
  let one: TestService;
  let two: TestService;
  let env: Record<string, string>;
  let made: MadeKey;

  beforeAll(async () => {
    [redis, folder, vendor] = await Promise.all([startTestRedis(), temporaryFolder(), startScriptedChatVendor()]);
    env = {
      MASTER_KEY: 'a5'.repeat(32),
      REDIS_URL: redis.url,
      RESERVATION_LEASE_MS: String(LEASE_MS),
      OPENAI_API_KEY: 'credential-of-openai',
      OPENAI_BASE_URL: vendor.baseUrl,
    };
    one = await startTestService({ env });
    two = await startTestService({ env, databaseUrl: one.databaseUrl });
    await shared();
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
    await Promise.all([redis.stop(), vendor.close(), folder.remove()]);
  });
  beforeEach(async () => {
    made = await makeKey(one.management);
  });

  const set = (json: object, { hash } = made): Promise<unknown> =>
    one.management.put(`/keys/${hash}/settings`, { json });
  const chat = (service: TestService, key = made.key) =>
    service.as(key).post('/chat/completions', { json: { model: MODEL, messages: HELLO } });
  const status = async (service: TestService, key = made.key): Promise<number> => (await chat(service, key)).status;

  /** Each replica detects Redis independently. Waits until both replicas use the shared count. */
  const shared = (): Promise<void> =>
    eventually(async () => {
      const probe = await makeKey(one.management);
      await set({ models: { [MODEL]: { requests_per_minute: 1 } } }, probe);
      expect([await status(one, probe.key), await status(two, probe.key)]).toEqual([200, 429]);
    });

  it('apply to both replicas together: requests, tokens and concurrent calls', async () => {
    await set({ models: { [MODEL]: { requests_per_minute: 10 } } });
    const statuses = await Promise.all(Array.from({ length: 24 }, (_, index) => status(index % 2 ? one : two)));
    expect(statuses.filter((each) => each === 200)).toHaveLength(10);

    made = await makeKey(one.management);
    await set({ tokens_per_minute: 1_000 });
    await chat(one);
    const left = async (): Promise<number> => Number((await chat(two)).headers.get('x-ratelimit-remaining-tokens'));
    const first = await left();
    await chat(one);
    expect(await left()).toBe(first - 2 * 18);

    made = await makeKey(one.management);
    await set({ max_concurrent: 1 });
    const held = await holdStream(one.origin, made.key, vendor, { model: MODEL });
    expect([held.status, await status(two)]).toEqual([200, 429]);
    await held.finish();
    await eventually(async () => expect(await status(two)).toBe(200));
  });

  it('release the calls of a killed replica after one lease', async () => {
    await set({ max_concurrent: 2 });
    const third: ServiceProcess = await startServiceProcess({
      DATA_DIR: `${folder.path}/data`,
      DATABASE_URL: one.databaseUrl,
      ...env,
    });
    const kept = await holdStream(one.origin, made.key, vendor, { model: MODEL });
    const lost = await eventually(async () => {
      const held = await holdStream(third.origin, made.key, vendor, { model: MODEL });
      expect([held.status, await status(two)]).toEqual([200, 429]);
      return held;
    });
    third.kill('SIGKILL');
    await third.exited;
    expect(await status(two)).toBe(429);
    // The lease of the killed replica's call expires. The running replica renews the lease of its call.
    await eventually(async () => expect(await status(two)).toBe(200));
    const again = await holdStream(two.origin, made.key, vendor, { model: MODEL });
    expect([again.status, await status(one)]).toEqual([200, 429]);
    lost.leave();
    await Promise.all([kept.finish(), again.finish()]);
  }, 120_000);
});
