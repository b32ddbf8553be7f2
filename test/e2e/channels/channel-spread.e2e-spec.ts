import { setTimeout as sleep } from 'node:timers/promises';
import { ENVIRONMENT_KEY, startChannelStage, type ChannelStage } from '../../support/api/channel-stage.js';
import type { TestService } from '../../support/services/test-service.js';

const ROUTE = '/providers/credentials';
const FIRST = 'sk-first-credential-0123456789';
const SECOND = 'sk-second-credential-0123456789';
/** The rule: every replica uses a change within this time. */
const WITHIN_MS = 5_000;
const EVERY_MS = 50;

describe('a change of a platform credential', () => {
  let stage: ChannelStage;
  beforeAll(async () => {
    stage = await startChannelStage();
    // Both replicas have the credentials in memory, as in normal operation.
    for (const service of [stage.service, stage.replica]) await stage.chat({}, service);
  });
  afterAll(() => stage.stop());

  /** The time from `since` until a replica calls the vendor with a key. Stops one second after the allowed time. */
  async function servedAfterMs(key: string, service: TestService, since: number): Promise<number> {
    for (;;) {
      const { status } = await stage.chat({}, service);
      expect(status).toBe(200);
      const tookMs = performance.now() - since;
      if (stage.keys().at(-1) === key || tookMs > WITHIN_MS + 1_000) return tookMs;
      await sleep(EVERY_MS);
    }
  }
  const servesOnBoth = async (key: string, since: number): Promise<void> => {
    for (const service of [stage.replica, stage.service])
      expect(await servedAfterMs(key, service, since)).toBeLessThan(WITHIN_MS);
  };

  it('takes effect on both replicas within 5 seconds: creation, new key, disabling, enabling, deletion', async () => {
    const { management } = stage.service;
    const json = { provider: 'openai', key: FIRST, priority: -1 };
    const created = await management.post(ROUTE, { json });
    expect(created.status).toBe(201);
    await servesOnBoth(FIRST, performance.now());
    const route = `${ROUTE}/${created.json.data.id}`;
    for (const [change, key] of [
      [{ key: SECOND }, SECOND],
      [{ disabled: true }, ENVIRONMENT_KEY],
      [{ disabled: false }, SECOND],
    ] as const) {
      expect((await management.patch(route, { json: change })).status).toBe(200);
      await servesOnBoth(key, performance.now());
    }
    expect((await management.delete(route)).status).toBe(200);
    await servesOnBoth(ENVIRONMENT_KEY, performance.now());
  }, 60_000);
});
