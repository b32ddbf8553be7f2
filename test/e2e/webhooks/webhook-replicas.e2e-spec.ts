import type { ServerResponse } from 'node:http';
import { makeKey } from '../../support/api/api-builders.js';
import { overlapping } from '../../support/database/overlapping-inserts.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/engines/webhook-receiver.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

interface WebhookRow {
  readonly failing: boolean;
  readonly paused: boolean;
  readonly disabled: boolean;
}

describe('webhooks of two replicas', () => {
  let one: TestService;
  let two: TestService;
  let receiver: WebhookReceiver;
  let id: string;
  /** The responses to the requests that the receiver holds, in the order of arrival. */
  const held: ServerResponse[] = [];
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    const env = { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1', INTERN_RUNTIME: 'none' };
    one = await startTestService({ env });
    two = await startTestService({ env, databaseUrl: one.databaseUrl });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
    await receiver.close();
  });
  beforeEach(async () => {
    receiver.respond = (response) => void held.push(response);
    const json = { url: receiver.url, events: ['key.created'] };
    id = (await one.management.post('/webhooks', { json })).json.data.id;
  });
  afterEach(async () => {
    for (const response of held.splice(0)) response.destroy();
    await one.management.delete(`/webhooks/${id}`);
  });

  /** Starts attempts at once, and waits until the receiver has their requests. */
  async function hold(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, at) => makeKey((at % 2 ? two : one).management)));
    await eventually(async () => expect(held).toHaveLength(count));
  }

  /** Ends the oldest attempt with a response, and waits until its status is recorded. */
  async function end(status: number, headers: Record<string, string> = {}): Promise<void> {
    const recorded = await statuses();
    held.shift()!.writeHead(status, headers).end();
    await eventually(async () => expect(await statuses()).toEqual([...recorded, status].toSorted((a, b) => a - b)));
  }

  const statuses = async (): Promise<number[]> =>
    (await deliveries()).flatMap((delivery) => delivery.status ?? []).toSorted((a, b) => a - b);
  const deliveries = () =>
    one.sql.query<{ status: number | null; state: string; isDue: boolean }>(
      `select last_status as status, state, next_at is not null as "isDue" from webhook_delivery
       where webhook_id = $1`,
      [id],
    );
  async function row(): Promise<WebhookRow> {
    const [found] = await one.sql.query<WebhookRow>(
      `select failing_since is not null as failing, paused_until is not null as paused,
         disabled_at is not null as disabled from webhook where id = $1`,
      [id],
    );
    return found!;
  }
  const changeUrl = () => one.management.patch(`/webhooks/${id}`, { json: { url: `${receiver.url}/other` } });

  it('stay paused until the end of a Retry-After, although another attempt fails without a Retry-After', async () => {
    await hold(2);
    await end(429, { 'retry-after': '600' });
    await end(500);
    expect(await row()).toEqual({ failing: true, paused: true, disabled: false });
  });

  it('make no further attempt after a failed one has disabled them, although another attempt fails later', async () => {
    await hold(2);
    await one.sql.query(`update webhook set failing_since = now() - interval '4 days' where id = $1`, [id]);
    await end(500);
    expect(await row()).toMatchObject({ disabled: true });
    await end(503);
    for (const delivery of await deliveries()) expect(delivery).toMatchObject({ state: 'failed', isDue: false });
  });

  it('are neither failing nor paused after a change of the address, although an earlier attempt fails', async () => {
    await hold(1);
    await changeUrl();
    await end(429, { 'retry-after': '600' });
    expect(await row()).toEqual({ failing: false, paused: false, disabled: false });
  });

  it('stay failing at a new address, although an earlier attempt at the previous address succeeds', async () => {
    await hold(1);
    await changeUrl();
    await one.sql.query('update webhook set failing_since = now() where id = $1', [id]);
    await end(200);
    expect(await row()).toMatchObject({ failing: true });
  });

  it('are at most 100 in an account, although all are created at the same time', async () => {
    await one.sql.query(
      `insert into webhook select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
       from webhook w, generate_series(1, 97)`,
    );
    const json = { url: receiver.url, events: ['credits.low'] };
    const post = (at: number) => (at % 2 ? two : one).management.post('/webhooks', { json });
    const answers = await overlapping(
      one.sql,
      'webhook',
      Array.from({ length: 6 }, (_, at) => () => post(at)),
    );
    const found = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(found).toEqual([201, 201, 409, 409, 409, 409]);
  });
});
