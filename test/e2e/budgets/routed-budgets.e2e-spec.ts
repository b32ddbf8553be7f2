import { makeSecondAccount } from '../../support/money/second-account.js';
import { eventually } from '../../support/eventually.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

describe('budgets that limit the routing of calls:', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage();
    stage.teach('rules/two', [aTextEndpoint('openai'), aTextEndpoint('siliconflow')]);
  });
  afterAll(() => stage.stop());
  afterEach(async () => {
    const { json } = await stage.service.management.get('/budgets?limit=100');
    for (const { id } of json.data as { id: string }[]) await stage.service.management.delete(`/budgets/${id}`);
  });

  const budget = (scope: object) =>
    stage.service.management.post('/budgets', {
      json: { scope, interval: 'daily', limit_usd: 1e-9, count_from: 'now' },
    });

  it('a used-up budget of a model makes the model unavailable, and the next model of `models` is tried', async () => {
    await budget({ model: 'rules/two' });
    const answer = await stage.chat({ model: 'rules/two', models: ['rules/deepinfra'] });
    expect([answer.status, answer.json.model]).toEqual([200, 'rules/deepinfra']);
    const { data } = (await stage.service.management.get(`/generations/${answer.json.id}`)).json;
    expect(data.model).toBe('rules/deepinfra');

    const alone = await stage.chat({ model: 'rules/two' });
    expect(alone.status).toBe(402);
    expect(alone.json.error.metadata).toMatchObject({
      error_type: 'budget_insufficient',
      level: 'model',
      interval: 'daily',
    });
    expect(alone.json.error.metadata).not.toHaveProperty('limit_usd');
    expect(stage.vendors.openai.seen).toEqual([]);
  });

  it('a used-up budget of a provider makes its endpoints unavailable; a call with no others gets 503', async () => {
    await budget({ provider: 'openai' });
    const answer = await stage.chat({ model: 'rules/two', provider: { order: ['openai', 'siliconflow'] } });
    expect([answer.status, answer.json.provider]).toEqual([200, 'siliconflow']);

    const none = await stage.chat({ model: 'rules/two', provider: { only: ['openai'] } });
    expect(none.status).toBe(503);
    expect(Number(none.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(none.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
  });

  it('a budget of a credential belongs to the operator; if it is used up, the credential is unavailable', async () => {
    const scope = { credential_id: 'env:openai' };
    const { json } = await budget(scope);
    expect(json.data).toMatchObject({ scope, spent_usd: 0 });
    const other = await makeSecondAccount(stage.service);
    const foreign = stage.service.as(other.managementKey);
    const wanted = { json: { scope, interval: 'weekly', limit_usd: 1 } };
    expect((await foreign.post('/budgets', wanted)).status).toBe(400);
    expect((await foreign.get(`/budgets/${json.data.id}`)).status).toBe(404);
    expect(
      (
        await stage.service.management.post('/budgets', {
          json: { ...wanted.json, scope: { credential_id: 'nobody' } },
        })
      ).status,
    ).toBe(400);

    const answer = await stage.chat({ model: 'rules/two', provider: { order: ['openai', 'siliconflow'] } });
    expect([answer.status, answer.json.provider]).toEqual([200, 'siliconflow']);
    expect((await stage.chat({ model: 'rules/two', provider: { only: ['openai'] } })).status).toBe(503);
    const raised = { json: { limit_usd: 1 } };
    await stage.service.management.patch(`/budgets/${json.data.id}`, raised);
    const served = await stage.chat({ model: 'rules/two', provider: { only: ['openai'] } });
    expect(served.status).toBe(200);
    const { data } = (await stage.service.management.get(`/budgets/${json.data.id}`)).json;
    expect([data.spent_usd > 0, data.reserved_usd]).toEqual([true, 0]);
  });

  it('a fallback also skips an endpoint whose budget is used up', async () => {
    await budget({ provider: 'siliconflow' });
    stage.vendors.openai.script({ status: 500, body: { error: { message: 'scripted' } } });
    const answer = await stage.chat({
      model: 'rules/two',
      models: ['rules/deepinfra'],
      provider: { order: ['openai', 'siliconflow', 'deepinfra'] },
    });
    expect([answer.status, answer.json.model]).toEqual([200, 'rules/deepinfra']);
  });

  it('a fallback with more than 32 budgets that are not soft is refused, and nothing stays reserved', async () => {
    const { management } = stage.service;
    for (const interval of ['lifetime', 'monthly', 'weekly', 'daily'])
      await management.post('/budgets', { json: { each: 'tag', interval, limit_usd: 5 } });
    await management.post('/budgets', {
      json: { scope: { model: 'rules/deepinfra' }, interval: 'daily', limit_usd: 5 },
    });
    await eventually(async () => {
      stage.vendors.openai.script({ status: 500, body: { error: { message: 'scripted' } } });
      const { status, json } = await stage.chat({
        model: 'rules/two',
        models: ['rules/deepinfra'],
        provider: { only: ['openai', 'deepinfra'] },
        metadata: { tags: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] },
      });
      expect([status, json.error?.message]).toEqual([400, expect.stringContaining('counts in 33 budgets')]);
    });
    const { data } = (await management.get('/budgets')).json;
    expect(data.map((one: { reserved_usd: number }) => one.reserved_usd)).toEqual([0, 0, 0, 0, 0]);
  });
});
