import { Webhook } from 'standardwebhooks';
import { Clock } from '../../../src/kernel/clock.js';
import { makeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/services/free-port.js';
import { openTlsWorld, type TlsWorld } from '../../support/engines/tls-world.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import {
  silence,
  startWebhookReceiver,
  type SeenDelivery,
  type WebhookReceiver,
} from '../../support/engines/webhook-receiver.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A clock that continues from a time set by the test. */
class MovedClock extends Clock {
  aheadMs = 0;
  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }
}

const idsOf = (seen: readonly SeenDelivery[]): string[] => [
  ...new Set(seen.map(({ headers }) => headers['webhook-id']!)),
];

describe('receivers of webhooks that fail', () => {
  const clock = new MovedClock();
  let service: TestService;
  let receiver: WebhookReceiver;
  let world: TlsWorld;
  const logged: string[] = [];
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    world = await openTlsWorld();
    service = await startTestService({
      clock,
      env: {
        WEBHOOK_PRIVATE_HOSTS: '127.0.0.1,localhost',
        WEBHOOK_TIMEOUT_MS: '500',
        INTERN_RUNTIME: 'none',
        LOG_LEVEL: 'warn',
      },
      logTo: (text) => void logged.push(text),
    });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
    await world.close();
  });
  afterEach(async () => {
    for (const { id } of (await service.management.get('/webhooks?limit=100')).json.data as { id: string }[])
      await service.management.delete(`/webhooks/${id}`);
    receiver.seen.length = 0;
    receiver.respond = 200;
  });

  async function aWebhook(url: string, events = ['key.created']): Promise<{ id: string; secret: string }> {
    const { json } = await service.management.post('/webhooks', { json: { url, events } });
    return { id: json.data.id, secret: json.secret };
  }
  // oxlint-disable-next-line typescript/no-explicit-any
  const logOf = async (id: string): Promise<any[]> =>
    (await service.management.get(`/webhooks/${id}/deliveries?limit=100`)).json.data;
  /** Waits until every delivery of the webhook has had this number of attempts, and no attempt is running. */
  async function attempted(id: string, times = 1): Promise<void> {
    await eventually(async () => {
      const rows = await service.sql.query<{ open: number }>(
        `select count(*)::int as open from webhook_delivery
         where webhook_id = $1 and (attempts < $2 or lease_until is not null)`,
        [id, times],
      );
      expect(rows[0]!.open).toBe(0);
    }, 30_000);
  }

  it('get every event once after an hour of downtime, under the ids of the first attempts', async () => {
    const port = await freePort();
    const { id, secret } = await aWebhook(`http://127.0.0.1:${port}/down`);
    const made = [];
    for (let index = 0; index < 20; index++) made.push((await makeKey(service.management)).hash);
    await attempted(id);
    const first = await logOf(id);
    expect(first).toHaveLength(20);
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(['pending']));
    expect(first.every(({ response_status, error }) => response_status === null && error !== null)).toBe(true);

    const late = await startWebhookReceiver(port);
    clock.aheadMs += HOUR_MS;
    try {
      await eventually(async () => expect(idsOf(late.seen)).toHaveLength(20), 30_000);
      await attempted(id, 2);
      const hashes = late.seen.map(({ json }) => json.data.hash as string);
      expect(hashes.toSorted()).toEqual(made.toSorted());
      expect(idsOf(late.seen).toSorted()).toEqual(first.map(({ event_id }) => String(event_id)).toSorted());
      for (const { body, headers } of late.seen) {
        const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
        expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(headers['webhook-id']!, at, body));
      }
      expect(new Set((await logOf(id)).map(({ status }) => status))).toEqual(new Set(['delivered']));
    } finally {
      await late.close();
    }
  });

  it.each([
    ['a 500', (): void => void (receiver.respond = 500), { response_status: 500, error: null }],
    [
      'no response',
      (): void => void (receiver.respond = silence),
      { response_status: null, error: /no response within/ },
    ],
    [
      'a redirect',
      (): void => void (receiver.respond = (response) => response.writeHead(307, { location: '/elsewhere' }).end()),
      { response_status: 307, error: null },
    ],
    [
      'a broken connection',
      (): void => void (receiver.respond = (response) => response.destroy()),
      { response_status: null, error: /./ },
    ],
  ])('that respond with %s get a retry, and nothing is lost', async (_, fail, { response_status, error }) => {
    fail();
    const { id } = await aWebhook(receiver.url);
    const { hash } = await makeKey(service.management);
    await attempted(id);
    const [pending] = await logOf(id);
    expect(pending).toMatchObject({ status: 'pending', response_status });
    if (error) expect(pending.error).toMatch(error);
    else expect(pending.error).toBeNull();
    expect(receiver.seen.map(({ path }) => path)).toEqual(['/hook']);

    receiver.respond = 204;
    clock.aheadMs += HOUR_MS;
    await eventually(async () => expect((await logOf(id))[0].status).toBe('delivered'));
    expect(idsOf(receiver.seen)).toEqual([pending.event_id]);
    expect(receiver.seen.at(-1)!.json.data.hash).toBe(hash);
  });

  it('with an untrusted certificate get nothing', async () => {
    const { id } = await aWebhook(`https://localhost:${world.untrusted}/hook`);
    await makeKey(service.management);
    // On a busy machine, the handshake of the first attempt may time out. The next attempt then reports the
    // certificate.
    await eventually(async () =>
      expect((await logOf(id))[0]).toMatchObject({
        status: 'pending',
        response_status: null,
        error: expect.stringMatching(/certificate|self.signed|unable to/i),
      }),
    );
    expect(world.arrivals).toEqual([]);
  });

  it('with a name that resolves to a private address get nothing', async () => {
    const { id } = await aWebhook(`https://localhost.localdomain.invalid:${receiver.port}/`);
    await makeKey(service.management);
    await attempted(id);
    expect((await logOf(id))[0]).toMatchObject({ status: 'pending', response_status: null });
    expect(receiver.seen).toEqual([]);
  });

  it('do not delay other receivers', async () => {
    const dead = await startWebhookReceiver();
    dead.respond = silence;
    for (let index = 0; index < 20; index++) await aWebhook(`${dead.url}/${index}`);
    await makeKey(service.management);
    await eventually(async () => expect(dead.seen.length).toBeGreaterThan(15));
    await aWebhook(receiver.url);
    const before = dead.seen.length;
    for (let index = 0; index < 5; index++) await makeKey(service.management);
    await eventually(async () => expect(idsOf(receiver.seen)).toHaveLength(5), 5_000);
    expect(dead.seen.length).toBeGreaterThanOrEqual(before);
    await dead.close();
  });

  it('are disabled after three days of failure, with a row in the audit, a log line and an event', async () => {
    receiver.respond = 503;
    const { id } = await aWebhook(`${receiver.url}/failing`);
    await aWebhook(`http://127.0.0.1:${receiver.port}/watching`, ['webhook.disabled']);
    const twice = async (): Promise<void> => void (await makeKey(service.management));
    await twice();
    await attempted(id);
    clock.aheadMs += 3 * DAY_MS - HOUR_MS;
    await attempted(id, 2);
    expect((await service.management.get(`/webhooks/${id}`)).json.data.disabled).toBe(false);
    clock.aheadMs += HOUR_MS + 60_000;
    await eventually(async () =>
      expect((await service.management.get(`/webhooks/${id}`)).json.data).toMatchObject({
        disabled: true,
        disabled_reason: 'failing',
      }),
    );
    expect((await logOf(id))[0]).toMatchObject({ status: 'failed', response_status: 503, next_attempt_at: null });
    receiver.respond = 200;
    clock.aheadMs += HOUR_MS;
    await eventually(async () => expect(receiver.ofType('webhook.disabled').at(-1)!.json.data.webhook_id).toBe(id));
    expect(logged.join('')).toContain(`The webhook ${id} is disabled`);
    const [entry] = await service.sql.query<{ actor: string }>(
      `select actor from audit_entry where resource_id = $1 and action = 'update'`,
      [id],
    );
    expect(entry!.actor).toBe('service');

    const seen = receiver.ofType('key.created').length;
    await twice();
    await service.management.patch(`/webhooks/${id}`, { json: { disabled: false } });
    await twice();
    await eventually(async () => expect(receiver.ofType('key.created').length).toBe(seen + 1));
  });
});
