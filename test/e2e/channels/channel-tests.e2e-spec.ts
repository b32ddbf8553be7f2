import { ENVIRONMENT_KEY, startChannelStage, type ChannelStage } from '../../support/api/channel-stage.js';
import type { ApiAnswer, ApiClient } from '../../support/api/api-client.js';
import { eventually } from '../../support/eventually.js';
import { startTestService } from '../../support/services/test-service.js';

const KEY = 'sk-very-secret-credential-0123456789-AbCd';
const ROUTE = '/providers/credentials';
const STORED = { provider: 'openai', disabled: true };

describe('the platform credentials at their vendors', () => {
  let stage: ChannelStage;
  let management: ApiClient;
  beforeAll(async () => {
    stage = await startChannelStage();
    ({ management } = stage.service);
  });
  afterEach(async () => {
    await stage.service.sql.query('delete from platform_credential');
    await stage.clear();
  });
  afterAll(() => stage.stop());
  const create = async (fields: object = {}): Promise<ApiAnswer['json']> =>
    (await management.post(ROUTE, { json: { ...STORED, key: KEY, ...fields } })).json.data;

  it('can be tested by the list of models or by a call, and each status of the vendor is reported', async () => {
    const { id } = await create();
    const test = async (json: object) => (await management.post(`${ROUTE}/${id}/test`, { json })).json;
    stage.vendor.script({ body: { data: [{ id: 'vendor-model' }, { id: 'another' }] } });
    expect(await test({})).toMatchObject({ ok: true, status: 200, checked: 'models' });
    expect(await test({ model: 'rules/one' })).toMatchObject({ ok: true, status: 200, checked: 'call' });
    stage.vendor.script({ status: 401, body: {} });
    expect(await test({})).toMatchObject({ ok: false, status: 401, checked: 'models' });
    stage.vendor.script({ status: 503, body: {} });
    expect(await test({ model: 'rules/one' })).toMatchObject({ ok: false, status: 503, checked: 'call' });
    expect((await management.post(`${ROUTE}/env:openai/test`, { json: { model: 'rules/one' } })).json.ok).toBe(true);
    expect((await management.post(`${ROUTE}/${id}/test`, { json: { model: 'rules/stored' } })).status).toBe(400);
    expect(stage.keys()).toEqual([KEY, KEY, KEY, KEY, ENVIRONMENT_KEY]);
  });

  const FAILURES = [
    ['models', {}],
    ['call', { model: 'rules/one' }],
  ] as const;

  it.each(FAILURES)(
    "report the vendor's own message of a failed test (%s), bounded and without the key",
    async (_, json) => {
      const { id } = await create();
      const message = `Incorrect API key provided: ${KEY}. See the page of keys. ${'Or ask us. '.repeat(200)}`;
      stage.vendor.script({ status: 401, body: { error: { message, type: 'invalid_request_error' } } });
      const tested = (await management.post(`${ROUTE}/${id}/test`, { json })).json;
      expect(tested).toMatchObject({ ok: false, status: 401, latency_ms: expect.any(Number) });
      expect(tested.message).toMatch(/^Incorrect API key provided: \[redacted\]\.? See the page of keys/);
      expect(tested.message.length).toBeLessThanOrEqual(501);
      expect(tested.message).not.toContain(KEY.slice(3, 20));
    },
  );

  it('report a failure with a message of this service if the vendor sends none', async () => {
    const { id } = await create();
    stage.vendor.script({ status: 403, body: {} });
    const { json } = await management.post(`${ROUTE}/${id}/test`, { json: {} });
    expect(json).toMatchObject({ ok: false, status: 403, message: expect.stringContaining('refused') });
  });

  it.each([
    ['models', {}, 401, 'refused'],
    ['models', {}, 403, 'refused'],
    ['models', {}, 402, 'exhausted'],
    ['call', { model: 'rules/one' }, 401, 'refused'],
    ['call', { model: 'rules/one' }, 402, 'exhausted'],
  ])(
    'after a test (%s, %j) with the vendor status %i are %s, and ready after the next successful test',
    async (_, json, status, state) => {
      const { id } = await create({ disabled: false });
      const statesAre = (expected: string): Promise<void> =>
        eventually(async () => {
          for (const service of [stage.service, stage.replica])
            expect((await service.management.get(`${ROUTE}/${id}`)).json.data.state).toBe(expected);
        });
      stage.vendor.script({ status, body: { error: { message: 'no' } } });
      expect((await management.post(`${ROUTE}/${id}/test`, { json })).json.ok).toBe(false);
      await statesAre(state);
      stage.vendor.script({ body: { data: [] } });
      // Test through the replica, which did not get the failure from the vendor itself.
      const { json: tested } = await stage.replica.management.post(`${ROUTE}/${id}/test`, { json: {} });
      expect(tested.ok).toBe(true);
      await statesAre('ready');
    },
  );

  it('keep their state after a failure that they did not cause', async () => {
    const { id } = await create({ disabled: false });
    for (const status of [404, 429, 500]) {
      stage.vendor.script({ status, body: {} });
      expect((await management.post(`${ROUTE}/${id}/test`, { json: {} })).json.ok).toBe(false);
    }
    expect((await management.get(`${ROUTE}/${id}`)).json.data.state).toBe('ready');
  });

  it('list the models of the vendor, and the models that are not in the catalogue', async () => {
    const { id } = await create();
    stage.vendor.script({ body: { data: [{ id: 'vendor-model' }, { id: 'another' }] } });
    expect((await management.post(`${ROUTE}/${id}/discover`)).json).toEqual({
      models: [
        { upstream: 'vendor-model', id: 'rules/one', known: true, priced: true },
        { upstream: 'another', id: null, known: false, priced: false },
      ],
      missing: ['another'],
    });
    stage.vendor.script({ status: 401, body: {} });
    expect((await management.post(`${ROUTE}/${id}/discover`)).status).toBe(502);
  });

  it('reach only public addresses and only by https, unless the operator allows more', async () => {
    const strict = await startTestService({ databaseUrl: stage.service.databaseUrl });
    try {
      for (const base_url of [
        'http://vendor.example',
        'https://127.0.0.1/v1',
        'https://[::1]/v1',
        'https://10.0.0.1',
        'https://localhost/v1',
      ])
        expect([
          base_url,
          (await strict.management.post(ROUTE, { json: { ...STORED, key: KEY, base_url } })).status,
        ]).toEqual([base_url, 400]);
      // The credential was stored while private addresses were allowed.
      const { id } = await create({ base_url: stage.other.baseUrl });
      const { json } = await strict.management.post(`${ROUTE}/${id}/test`, { json: {} });
      expect([json.ok, json.message]).toEqual([false, expect.stringContaining('CHANNEL_PRIVATE_ADDRESSES')]);
      expect(stage.other.seen).toHaveLength(0);
    } finally {
      await strict.stop();
    }
  });
});
