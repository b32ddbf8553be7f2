import { ModelAliases } from '../../../src/catalogue/names/model-aliases.js';
import { makeKey } from '../../support/api/api-builders.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { eventually } from '../../support/eventually.js';
import { makeSecondAccount } from '../../support/money/second-account.js';

describe('aliases of models', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage();
    stage.teach('maker/first', [aTextEndpoint('openai', { upstreamModel: 'first-1' })]);
    stage.teach('maker/second', [aTextEndpoint('deepinfra', { upstreamModel: 'second-1' })]);
    stage.teach('maker/third', [aTextEndpoint('siliconflow', { upstreamModel: 'third-1' })]);
  });
  afterAll(() => stage.stop());
  afterEach(async () => {
    for (const { name } of (await management().get('/models/aliases')).json.data)
      await management().delete(`/models/aliases/${encodeURIComponent(name)}`);
    await eventually(async () => expect(aliases().hasLists).toBe(false));
  });

  const management = () => stage.service.management;
  const aliases = () => stage.service.app.get(ModelAliases, { strict: false });
  const put = (name: string, models: unknown) =>
    management().put(`/models/aliases/${encodeURIComponent(name)}`, { json: { models } });
  async function set(name: string, models: string[]): Promise<void> {
    expect((await put(name, models)).status).toBe(200);
    await eventually(async () => expect(aliases().slugOf(name)).toBe(models[0]));
    await eventually(async () => expect(aliases().listOf(name) ?? models).toEqual(models));
  }
  const failing = { status: 500, body: {} };
  const ask = async (model: string, more: object = {}, key?: string) => {
    const { status, json } = await stage.chat({ model, ...more }, key === undefined ? {} : { key });
    return [status, json.model ?? json.error.message];
  };

  it('are set, listed and deleted by a management key, with an audit entry each', async () => {
    const { status, json } = await put('team/fast', ['maker/first', 'maker/second', 'maker/first']);
    const record = { name: 'team/fast', models: ['maker/first', 'maker/second'], updated_at: expect.any(String) };
    expect([status, json]).toEqual([200, { data: record }]);
    expect((await management().get('/models/aliases')).json).toEqual({ data: [record], total_count: 1 });
    expect((await management().get('/models/aliases?offset=1')).json).toEqual({ data: [], total_count: 1 });
    expect((await management().delete('/models/aliases/team%2Ffast')).json).toEqual({ deleted: true });
    expect((await management().delete('/models/aliases/team%2Ffast')).status).toBe(404);
    const audit = await stage.service.sql.query(
      `select action from audit_entry where resource_kind = 'model_alias' and resource_id = 'team/fast' order by id`,
    );
    expect(audit).toEqual([{ action: 'update' }, { action: 'delete' }]);
  });

  it('fall back to their next model, and after their last model to the models that the request names', async () => {
    await set('fast', ['maker/first', 'maker/second']);
    expect(await ask('fast')).toEqual([200, 'maker/first']);
    stage.vendors.openai.script(failing);
    expect(await ask('fast')).toEqual([200, 'maker/second']);
    stage.vendors.openai.script(failing);
    stage.vendors.deepinfra.script(failing);
    expect(await ask('fast', { models: ['maker/third'] })).toEqual([200, 'maker/third']);
  });

  it('may be a fallback of a request', async () => {
    await set('spare', ['maker/second', 'maker/third']);
    stage.vendors.openai.script(failing);
    stage.vendors.deepinfra.script(failing);
    expect(await ask('maker/first', { models: ['spare'] })).toEqual([200, 'maker/third']);
  });

  it('are replaced by their models before the allowed models of a key are checked', async () => {
    await set('fast', ['maker/first', 'maker/second']);
    const { key, hash } = await makeKey(management());
    await management().put(`/keys/${hash}/settings`, { json: { allowed_models: ['maker/second'] } });
    expect(await ask('fast', {}, key)).toEqual([200, 'maker/second']);
    await management().put(`/keys/${hash}/settings`, { json: { allowed_models: ['maker/third'] } });
    await eventually(async () => expect((await ask('fast', {}, key))[0]).toBe(404));
  });

  it('belong to the operator: keys of other accounts get 404', async () => {
    await set('fast', ['maker/first']);
    const other = stage.service.as((await makeSecondAccount(stage.service)).managementKey);
    expect((await other.get('/models/aliases')).status).toBe(404);
    expect((await other.put('/models/aliases/x', { json: { models: ['maker/first'] } })).status).toBe(404);
    expect((await other.delete('/models/aliases/fast')).status).toBe(404);
    expect((await stage.service.standard.get('/models/aliases')).status).toBe(404);
  });

  it.each([
    ['x', [], 400],
    ['x', ['maker/nothing'], 400],
    ['x', Array.from({ length: 11 }, () => 'maker/first'), 400],
    ['x', [7], 400],
    ['x', 'maker/first', 400],
    ['with blank', ['maker/first'], 400],
    ['x'.repeat(201), ['maker/first'], 400],
    ['maker/first', ['maker/second'], 409],
  ])('with the name %j and the models %j are refused with %d', async (name, models, status) => {
    expect((await put(name, models)).status).toBe(status);
  });
});
