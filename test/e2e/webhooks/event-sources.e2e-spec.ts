import { randomUUID } from 'node:crypto';
import { makeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import {
  startWebhookReceiver,
  type SeenDelivery,
  type WebhookReceiver,
} from '../../support/engines/webhook-receiver.js';

/** Two characters on the built-in voice cost 0.000002 USD. */
const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Hi' };
const CLOUD_SPEECH = { model: 'openai/gpt-4o-mini-tts', voice: 'alloy', input: 'Hi' };

describe('the sources of events:', () => {
  let services: TestService[] = [];
  let vendor: ScriptedVendor;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    vendor = await startScriptedVendor();
    const env = {
      WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      INTERN_RUNTIME: 'none',
      OPENAI_API_KEY: 'sk-scripted',
      OPENAI_BASE_URL: vendor.baseUrl,
      BREAKER_FAILURES: '2',
      BREAKER_PAUSE_MS: '50',
      CREDITS_LOW_USD: '99.999999',
      LOG_LEVEL: 'error',
    };
    const first = await startTestService({ env });
    services = [first, await startTestService({ env, databaseUrl: first.databaseUrl })];
    const events = ['key.limit.threshold', 'credits.low', 'budget.refused', 'intern.failed'];
    const json = { url: receiver.url, events: [...events, 'endpoint.unhealthy', 'endpoint.recovered'] };
    await first.management.post('/webhooks', { json });
  });
  afterAll(async () => {
    for (const service of services.toReversed()) await service.stop();
    await vendor.close();
    await receiver.close();
  });

  /** Waits for this number of deliveries of a type. Expects that no more events of the type have been written. */
  async function received(type: string, count: number): Promise<SeenDelivery[]> {
    await eventually(async () => expect(receiver.ofType(type).length).toBeGreaterThanOrEqual(count));
    const [row] = await services[0]!.sql.query<{ written: number }>(
      'select count(*)::int as written from event where type = $1',
      [type],
    );
    expect(row!.written).toBe(count);
    return receiver.ofType(type);
  }

  it("calls of a key write the thresholds of its limit, the account's low credits, and one refusal", async () => {
    const { key, hash } = await makeKey(services[0]!.management, { limit: 0.000004, limit_reset: 'monthly' });
    const statuses = [];
    for (let index = 0; index < 5; index++)
      statuses.push((await services[index % 2]!.as(key).post('/audio/speech', { json: SPEECH })).status);
    expect(statuses).toEqual([200, 200, 402, 402, 402]);

    const thresholds = (await received('key.limit.threshold', 4)).map(({ json }) => json.data);
    expect(thresholds.map(({ threshold }) => threshold).toSorted((a, b) => a - b)).toEqual([50, 80, 95, 100]);
    expect(thresholds.find(({ threshold }) => threshold === 100)).toEqual({
      hash,
      name: 'test',
      workspace_id: expect.any(String),
      threshold: 100,
      limit: 0.000004,
      limit_reset: 'monthly',
      window_start: expect.stringMatching(/^\d{4}-\d\d-01$/),
      usage: 0.000004,
    });
    expect((await received('credits.low', 1))[0]!.json.data).toEqual({
      remaining: 99.999998,
      threshold: 99.999999,
      total_credits: 100,
      total_usage: 0.000002,
    });
    expect((await received('budget.refused', 1))[0]!.json.data).toMatchObject({ hash, reason: 'key_limit' });
  });

  it('an endpoint that fails for two replicas writes one event, and one event when it recovers', async () => {
    const speak = async (service: TestService): Promise<number> =>
      (await service.standard.post('/audio/speech', { json: CLOUD_SPEECH })).status;
    vendor.script(...Array.from({ length: 4 }, () => ({ kind: 'status', status: 500 }) as const));
    for (const service of services) expect([await speak(service), await speak(service)]).not.toContain(200);
    const [unhealthy] = await received('endpoint.unhealthy', 1);
    expect(unhealthy!.json.data).toMatchObject({ provider: 'openai', model: 'gpt-4o-mini-tts', capability: 'speech' });

    for (const service of services) await eventually(async () => expect(await speak(service)).toBe(200));
    const [recovered] = await received('endpoint.recovered', 1);
    expect(recovered!.json.data).toEqual(unhealthy!.json.data);
  });

  it('an intern that fails writes an event with the reason', async () => {
    const [{ standard, sql }] = services as [TestService];
    const { id } = (await standard.post('/interns', { json: { name: `i${randomUUID().slice(0, 8)}` } })).json;
    await sql.query(`update intern set status = 'failed', last_failure_message = 'Its disk is full' where id = $1`, [
      id,
    ]);
    expect((await received('intern.failed', 1))[0]!.json.data).toMatchObject({ id, message: 'Its disk is full' });
  });
});
