import { ApiKeys } from '../../../src/auth/api-keys.js';
import { UNKNOWN_ID } from '../../support/api/byok-setting.js';
import { startChannelStage, type ChannelStage } from '../../support/api/channel-stage.js';
import type { ApiClient } from '../../support/api/api-client.js';
import { makeAccount } from '../../support/money/account-builders.js';

const KEY = 'sk-very-secret-credential-0123456789-AbCd';
const TOKEN = 'very-secret-gateway-token-0123456789';
const ROUTE = '/providers/credentials';
const STORED = {
  provider: 'openai',
  name: 'Second account',
  base_url: null,
  region: 'eu',
  api_version: null,
  headers: { 'X-Project': 'seven' },
  priority: -5,
  weight: 3,
  allowed_models: ['openai/*'],
  denied_models: ['rules/one'],
  model_names: { 'rules/two': 'deployed' },
  rpm: 600,
  tpm: 1_000_000,
  max_concurrent: 20,
  disabled: true,
};

describe('the platform credentials of the API', () => {
  let stage: ChannelStage;
  let management: ApiClient;
  let logged = '';
  beforeAll(async () => {
    stage = await startChannelStage({ env: { LOG_LEVEL: 'debug' }, logTo: (text) => void (logged += text) });
    ({ management } = stage.service);
  });
  afterEach(async () => {
    await stage.service.sql.query('delete from platform_credential');
    await stage.clear();
  });
  afterAll(() => stage.stop());
  const create = async (fields: object = {}) =>
    (await management.post(ROUTE, { json: { ...STORED, key: KEY, ...fields } })).json.data;

  it('are returned unchanged, without their secrets', async () => {
    const made = await create({ secret_headers: { 'X-Gateway-Token': TOKEN } });
    expect(made).toMatchObject({
      ...STORED,
      headers: { 'x-project': 'seven' },
      label: 'sk-...AbCd',
      source: 'stored',
      secret_headers: ['x-gateway-token'],
      state: 'disabled',
      updated_at: null,
    });
    const { json } = await management.get(`${ROUTE}?provider=openai`);
    expect([json.total_count, json.data]).toEqual([
      2,
      [made, expect.objectContaining({ id: 'env:openai', source: 'environment', priority: 0, label: 'sk-...6789' })],
    ]);
    expect((await management.get(`${ROUTE}/${made.id}`)).json.data).toEqual(made);
    expect((await management.get(`${ROUTE}/env:openai`)).json.data.state).toBe('ready');
  });

  it('can all be given new secrets at the same time', async () => {
    const made: { id: string }[] = [];
    while (made.length < 24) made.push(await create());
    const changed = await Promise.all(
      made.map(({ id }) => management.patch(`${ROUTE}/${id}`, { json: { secret_headers: { 'X-Token': TOKEN } } })),
    );
    expect(changed.map(({ status }) => status)).toEqual(made.map(() => 200));
  });

  it('are listed in pages, by provider and priority', async () => {
    await create();
    const ids = async (query: string): Promise<string[]> =>
      (await management.get(`${ROUTE}?provider=openai&${query}`)).json.data.map(({ id }: { id: string }) => id);
    const all = await ids('limit=100');
    expect([await ids('limit=1'), await ids('offset=1&limit=1'), await ids('offset=2')]).toEqual([
      [all[0]],
      [all[1]],
      [],
    ]);
  });

  it('can be changed member by member, and are deleted with their secret', async () => {
    const { id } = await create();
    const keys = (): Promise<object[]> => stage.service.sql.query('select id from data_key order by id');
    const [{ dataKey }] = (await stage.service.sql.query<{ dataKey: string }>(
      'select data_key_id as "dataKey" from platform_credential',
    )) as [{ dataKey: string }];
    expect(await keys()).toContainEqual({ id: dataKey });
    const changed = await management.patch(`${ROUTE}/${id}`, { json: { weight: 7, denied_models: null, rpm: null } });
    expect(changed.json.data).toMatchObject({
      ...STORED,
      weight: 7,
      denied_models: [],
      rpm: null,
      headers: { 'x-project': 'seven' },
    });
    expect(changed.json.data.updated_at).not.toBeNull();
    expect((await management.delete(`${ROUTE}/${id}`)).json).toEqual({ deleted: true });
    expect((await management.get(`${ROUTE}/${id}`)).status).toBe(404);
    expect(await stage.service.sql.query('select 1 from platform_credential')).toEqual([]);
    expect(await keys()).not.toContainEqual({ id: dataKey });
  });

  it('keep their secrets out of every response, log line, audit row and column', async () => {
    const { id } = await create({
      secret_headers: { 'X-Gateway-Token': TOKEN },
      disabled: false,
      allowed_models: null,
      denied_models: [],
      region: null,
    });
    const quoted = { error: { message: `bad key ${KEY} and ${TOKEN}`, code: KEY } };
    stage.answers(KEY, { status: 400, body: quoted });
    const texts: string[] = [];
    for (;;) {
      const answer = await stage.chat();
      texts.push(answer.text);
      if (answer.status === 400) break;
    }
    stage.answers(KEY, { status: 401, body: quoted });
    texts.push((await stage.chat()).text);
    for (const json of [{}, { model: 'rules/one' }])
      texts.push((await management.post(`${ROUTE}/${id}/test`, { json })).text);
    texts.push((await management.post(`${ROUTE}/${id}/discover`)).text);
    texts.push((await management.patch(`${ROUTE}/${id}`, { json: { key: KEY, weight: 0 } })).text);
    texts.push((await management.post(ROUTE, { json: { ...STORED, key: KEY, secret_headers: { host: TOKEN } } })).text);
    texts.push((await management.get(ROUTE)).text, (await management.get('/audit')).text);
    const rows = await stage.service.sql.query<{ row: string }>(
      `select platform_credential::text as row from platform_credential
       union all select audit_entry::text from audit_entry
       union all select generation_detail::text from generation_detail`,
    );
    for (const text of [...texts, ...rows.map(({ row }) => row), logged])
      for (const secret of [KEY, TOKEN]) expect(text).not.toContain(secret);
    expect(stage.vendor.seen.length).toBeGreaterThan(2);
  });

  it('have an entry in the audit for each change and each use', async () => {
    const { id } = await stage.store({ key: KEY, priority: -1 });
    await management.patch(`${ROUTE}/${id}`, { json: { weight: 2 } });
    await management.patch(`${ROUTE}/${id}`, { json: { key: KEY } });
    for (;;) {
      await stage.chat();
      if (stage.keys().at(-1) === KEY) break;
    }
    await management.delete(`${ROUTE}/${id}`);
    const rows = await stage.service.sql.query<{ action: string }>(
      `select distinct on (action) action from audit_entry where
         resource_kind = 'platform_credential' and resource_id = $1
         and account_id = (select id from account where is_operator)`,
      [id],
    );
    expect(rows.map(({ action }) => action)).toEqual(['create', 'delete', 'rotate', 'update', 'use']);
  });

  it.each([
    [{ provider: 'nobody' }, 'provider must be'],
    [{ key: '' }, 'key'],
    [{ weight: 0 }, 'weight'],
    [{ weight: 1001 }, 'weight'],
    [{ rpm: 0 }, 'rpm'],
    [{ base_url: 'ftp://vendor.example' }, 'base_url must be an https URL'],
    [{ base_url: 'https://user:pass@vendor.example' }, 'base_url must not contain a user name'],
    [{ base_url: 'https://vendor.example/v1?key=1' }, 'base_url must not contain a query'],
    [{ base_url: 'https://vendor.example/v1#' }, 'base_url must not contain a query'],
    [{ headers: { Host: 'x' } }, 'headers must not hold host'],
    [{ headers: { 'transfer-encoding': 'chunked' } }, 'headers must not hold transfer-encoding'],
    [{ headers: { 'a b': 'x' } }, 'headers must have valid HTTP header names'],
    [{ headers: { 'x-a': 'x\r\ny: z' } }, 'the value of x-a'],
    [{ headers: { 'x-a': 1 } }, 'the value of x-a'],
    [{ headers: { 'x-a': '1', 'X-A': '2' } }, 'each header once'],
    [{ model_names: { 'rules/one': '' } }, 'model_names'],
    [{ region: 'EU West' }, 'region'],
  ])('are refused with %j', async (fields, message) => {
    const answer = await management.post(ROUTE, { json: { ...STORED, key: KEY, ...fields } });
    expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each(['sk-own\nsecret-WXYZ', `${KEY}\n`, 'sk-\u0441\u0435cret-0123456789', '{\n"a": "b"\n}'])(
    'cannot be created or changed with a key that no HTTP header can contain: %j',
    async (key) => {
      const refusal = [400, 'key: The credential for provider openai must be a text that an HTTP header can carry'];
      const created = await management.post(ROUTE, { json: { ...STORED, key } });
      expect([created.status, created.json.error?.message]).toEqual(refusal);
      const { id, label } = await create();
      const changed = await management.patch(`${ROUTE}/${id}`, { json: { key } });
      expect([changed.status, changed.json.error?.message]).toEqual(refusal);
      expect((await management.get(`${ROUTE}/${id}`)).json.data.label).toBe(label);
    },
  );

  it('accept a new address only together with new secrets, because the secrets are sent there', async () => {
    const { id } = await create({ secret_headers: { 'X-Gateway-Token': TOKEN } });
    const base_url = 'https://vendor.example/v1/';
    const patch = async (json: object) => (await management.patch(`${ROUTE}/${id}`, { json })).json;
    expect((await patch({ base_url })).error.message).toContain('together with key');
    expect((await patch({ base_url: null })).error.message).toContain('together with key');
    expect((await patch({ base_url, key: KEY })).error.message).toContain('together with secret_headers');
    const moved = await patch({ base_url, key: KEY, secret_headers: {} });
    expect([moved.data.base_url, moved.data.secret_headers]).toEqual(['https://vendor.example/v1', []]);
  });

  it('of the environment cannot be changed', async () => {
    expect((await management.patch(`${ROUTE}/env:openai`, { json: { weight: 2 } })).status).toBe(409);
    expect((await management.delete(`${ROUTE}/env:openai`)).status).toBe(409);
    expect((await management.get(`${ROUTE}/env:nobody`)).status).toBe(404);
    expect((await management.get(`${ROUTE}/env:groq`)).status).toBe(404);
  });

  it('do not exist for other accounts and for standard keys', async () => {
    const { id } = await create();
    const place = await makeAccount(stage.service, 'Somebody else');
    const keys = stage.service.app.get(ApiKeys, { strict: false });
    const { secret } = await keys.issue({ ...place, keyClass: 'management', name: 'Foreign', creatorUserId: null });
    for (const client of [stage.service.as(secret), stage.service.standard]) {
      expect((await client.get(ROUTE)).status).toBe(404);
      expect((await client.post(ROUTE, { json: { ...STORED, key: KEY } })).status).toBe(404);
      expect((await client.get(`${ROUTE}/${id}`)).status).toBe(404);
      expect((await client.patch(`${ROUTE}/${id}`, { json: {} })).status).toBe(404);
      expect((await client.post(`${ROUTE}/${id}/test`, { json: {} })).status).toBe(404);
      expect((await client.post(`${ROUTE}/${id}/discover`)).status).toBe(404);
      expect((await client.delete(`${ROUTE}/${id}`)).status).toBe(404);
    }
    expect((await management.get(`${ROUTE}/${UNKNOWN_ID}`)).status).toBe(404);
    expect((await management.get(`${ROUTE}/x`)).status).toBe(404);
  });
});
