import { ROLES } from '../../../src/kernel/access/permissions.js';
import { makeKey, makeWebhook } from '../../support/api/api-builders.js';
import {
  DEAD_ADDRESS,
  ENVIRONMENT_KEY,
  startChannelStage,
  type ChannelStage,
} from '../../support/api/channel-stage.js';
import { firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { eventually } from '../../support/eventually.js';
import { makeAccount, makeMember } from '../../support/money/account-builders.js';

const PAUSE_MS = 1_500;
const FAILURES = 2;
const SECOND_KEY = 'sk-second-credential-0123456789-AbCd';
const DOWN = { status: 503, body: { error: { message: 'down' } } };
const REFUSED = { status: 401, body: { error: { message: 'Incorrect API key provided.' } } };

// oxlint-disable-next-line typescript/no-explicit-any
type Health = any;

describe('GET /health', () => {
  let stage: ChannelStage;
  beforeAll(async () => {
    stage = await startChannelStage({
      env: { BREAKER_FAILURES: String(FAILURES), BREAKER_PAUSE_MS: String(PAUSE_MS), INTERN_RUNTIME: 'none' },
    });
  });
  afterAll(() => stage.stop());
  afterEach(() => stage.clear());

  const read = async (): Promise<Health> => {
    const { status, json } = await stage.service.management.get('/health');
    expect(status).toBe(200);
    return json.data;
  };
  const endpointOf = async (provider: string, baseUrl: string | null = null): Promise<Health> =>
    (await read()).endpoints.find((one: Health) => one.provider === provider && one.base_url === baseUrl);

  it('is available only to owners and admins of the account of the operator', async () => {
    const { accountId } = await firstOwner(stage.service);
    for (const role of ROLES) {
      const userId = await makeMember(stage.service, { accountId }, { name: role, role });
      const browser = await signedInAs(stage.service, { accountId, userId });
      const { status, json } = await browser.get('/health');
      expect([role, status]).toEqual([role, ['owner', 'admin'].includes(role) ? 200 : 403]);
      if (status === 403) expect(json.error).toMatchObject({ code: 403, message: expect.stringContaining(role) });
    }
  });

  it('returns 404 for standard keys and for other accounts', async () => {
    expect((await stage.service.standard.get('/health')).status).toBe(404);
    const place = await makeAccount(stage.service);
    const { key } = await makeKey(stage.service.management, {});
    expect((await stage.service.as(key).get('/health')).json.error).toMatchObject({ code: 404 });
    const userId = await makeMember(stage.service, place, { name: 'Olga', role: 'owner' });
    const other = await signedInAs(stage.service, { accountId: place.accountId, userId });
    expect((await other.get('/health')).status).toBe(404);
  });

  it('has version, start, replicas, the process and its checks', async () => {
    const health = await read();
    expect(health).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node_version: process.version,
      processes: [{ name: 'service', responds: true, open_calls: 0, refused_1h: 0 }],
      analytics: { store: 'duckdb' },
      webhooks: { pending: 0, has_more: false, oldest_at: null, failing: 0, disabled: 0 },
    });
    expect(health.checks.map(({ name, ok, fault }: Health) => [name, ok, fault])).toEqual([
      ['database', true, null],
      ['data_folder', true, null],
      ['secrets', true, null],
    ]);
    expect(health.replicas.map(({ id }: Health) => id)).toContain(health.replica_id);
    expect(health.replicas).toHaveLength(2);
    expect(Date.parse(health.processes[0].started_at)).toBeLessThan(Date.parse(health.as_of));
  });

  it('lists an endpoint after its first call, with the share of calls without an outage', async () => {
    expect((await read()).endpoints.map(({ provider }: Health) => provider)).not.toContain('groq');
    await stage.store({ provider: 'groq', key: SECOND_KEY });
    expect((await stage.chat({ model: 'rules/stored' })).status).toBe(200);
    expect(await endpointOf('groq')).toMatchObject({
      model: 'vendor-model',
      capability: 'chat',
      state: 'closed',
      open_in: 0,
      opened_at: null,
      next_try_at: null,
      last_failure: null,
      requests_1h: 1,
      errors_1h: 0,
      uptime_1h: 100,
    });
  });

  it('counts neither a refusal of the credential nor a mistake of the caller as an outage', async () => {
    await stage.store({ provider: 'groq', key: SECOND_KEY });
    const before = await endpointOf('groq');
    stage.answers(SECOND_KEY, { status: 400, body: { error: { message: 'bad temperature' } } });
    expect((await stage.chat({ model: 'rules/stored' })).status).toBe(400);
    stage.answers(SECOND_KEY, REFUSED);
    expect((await stage.chat({ model: 'rules/stored' })).status).toBeGreaterThanOrEqual(400);
    expect(await endpointOf('groq')).toMatchObject({
      requests_1h: before.requests_1h,
      errors_1h: 0,
      uptime_1h: 100,
      last_failure: null,
    });
  });

  it('lists an open breaker first, with its time and reason, and closes it after a successful call', async () => {
    await stage.chat({ model: 'rules/two', provider: { only: ['deepinfra'] } });
    stage.answers(ENVIRONMENT_KEY, DOWN);
    for (let at = 0; at < FAILURES; at++) expect((await stage.chat()).status).toBeGreaterThanOrEqual(500);
    const { endpoints } = await read();
    expect(endpoints[0]).toMatchObject({
      provider: 'openai',
      state: 'open',
      open_in: 1,
      last_failure: { status: 503 },
      requests_1h: FAILURES,
      errors_1h: FAILURES,
      uptime_1h: 0,
    });
    const { opened_at: openedAt, next_try_at: nextTryAt } = endpoints[0];
    expect(Date.parse(nextTryAt) - Date.parse(openedAt)).toBe(PAUSE_MS);
    stage.answers(ENVIRONMENT_KEY, undefined);
    await eventually(async () => expect((await stage.chat()).status).toBe(200), 10_000);
    await eventually(async () =>
      expect(await endpointOf('openai')).toMatchObject({
        state: 'closed',
        open_in: 0,
        opened_at: null,
        last_failure: { status: 503 },
        last_success_at: expect.any(String),
        requests_1h: FAILURES + 1,
        uptime_1h: 33.33,
      }),
    );
  });

  it('lists an endpoint at the address of a channel separately from the same endpoint of the provider', async () => {
    await stage.store({ provider: 'groq', key: SECOND_KEY, base_url: DEAD_ADDRESS });
    await stage.chat({ model: 'rules/stored' });
    expect(await endpointOf('groq', DEAD_ADDRESS)).toMatchObject({ errors_1h: 1, uptime_1h: 0 });
  });

  it("lists a refused credential first, with the vendor's status, and without any secret", async () => {
    const { id } = await stage.store({ key: SECOND_KEY, priority: -1, name: 'Second' });
    stage.answers(SECOND_KEY, REFUSED);
    expect((await stage.chat()).status).toBe(200);
    const { json, text } = await stage.service.management.get('/health');
    expect(json.data.channels[0]).toMatchObject({
      id,
      provider: 'openai',
      name: 'Second',
      state: 'refused',
      resting_until: expect.any(String),
      last_error: { status: 401 },
      requests_1h: 1,
      errors_1h: 1,
    });
    expect(json.data.channels_total).toBe(json.data.channels.length);
    for (const secret of [SECOND_KEY, ENVIRONMENT_KEY]) expect(text).not.toContain(secret);
  });

  it('counts the pending deliveries of all accounts, and the failing webhooks', async () => {
    const { id } = await makeWebhook(stage.service.management);
    const { sql } = stage.service;
    await sql.query(`update webhook set disabled_at = null, failing_since = now() where id = $1`, [id]);
    await sql.query(
      `with e as (insert into event (account_no, type, data) values (1, 'test', '{}') returning id)
       insert into webhook_delivery (webhook_id, event_id, next_at) select $1, id, 'infinity' from e`,
      [id],
    );
    expect((await read()).webhooks).toMatchObject({
      pending: 1,
      has_more: false,
      oldest_at: expect.any(String),
      failing: 1,
      disabled: 0,
    });
    await sql.query(`update webhook set disabled_at = now(), disabled_by = 'service' where id = $1`, [id]);
    expect((await read()).webhooks).toMatchObject({ failing: 0, disabled: 1 });
    await stage.service.management.delete(`/webhooks/${id}`);
  });
});
