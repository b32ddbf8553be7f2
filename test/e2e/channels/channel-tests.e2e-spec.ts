import { ENVIRONMENT_KEY, startChannelStage, type ChannelStage } from '../../support/api/channel-stage.js';
import type { ApiAnswer, ApiClient } from '../../support/api/api-client.js';
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

  it('can be tested by the list of models or by a call, whatever the vendor answers', async () => {
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

  it('list the models of their vendor, and those that are not served', async () => {
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

  it('reach public addresses by https only, unless the operator allows others', async () => {
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
      // Stored while others were allowed.
      const { id } = await create({ base_url: stage.other.baseUrl });
      const { json } = await strict.management.post(`${ROUTE}/${id}/test`, { json: {} });
      expect([json.ok, json.message]).toEqual([false, expect.stringContaining('CHANNEL_PRIVATE_ADDRESSES')]);
      expect(stage.other.seen).toHaveLength(0);
    } finally {
      await strict.stop();
    }
  });
});
