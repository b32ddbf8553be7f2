import { makeWorkspace } from '../../support/api/api-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const UUID = /^[0-9a-f-]{36}$/;

describe('budgets of a workspace', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  let id: string;
  beforeEach(async () => {
    ({ id } = await makeWorkspace(service.management));
  });
  const put = (interval: string, json: object) =>
    service.management.put(`/workspaces/${id}/budgets/${interval}`, { json });

  it('are set by interval, and listed with one setting for own credentials', async () => {
    expect((await service.management.get(`/workspaces/${id}/budgets`)).json).toEqual({
      data: [],
      include_byok_in_budgets: false,
    });
    const monthly = await put('monthly', { limit_usd: 500, include_byok_in_budgets: true });
    const record = {
      id: expect.stringMatching(UUID),
      workspace_id: id,
      limit_usd: 500,
      reset_interval: 'monthly',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect([monthly.status, monthly.json]).toEqual([200, { data: record, include_byok_in_budgets: true }]);
    const lifetime = await put('lifetime', { limit_usd: 1_000 });
    expect(lifetime.json).toEqual({
      data: { ...record, limit_usd: 1_000, reset_interval: null },
      include_byok_in_budgets: true,
    });
    expect((await service.management.get(`/workspaces/${id}/budgets`)).json).toEqual({
      data: [lifetime.json.data, monthly.json.data],
      include_byok_in_budgets: true,
    });
    expect((await service.management.get(`/workspaces/${id}/budgets/monthly`)).json.data).toEqual(monthly.json.data);
    const off = await put('monthly', { limit_usd: 400, include_byok_in_budgets: false });
    expect(off.json).toMatchObject({ data: { limit_usd: 400 }, include_byok_in_budgets: false });
    const { json } = await service.management.get('/budgets?limit=100');
    const ours = json.data.filter(
      ({ scope }: { scope: object }) => 'workspace_id' in scope && scope.workspace_id === id,
    );
    expect(ours).toMatchObject([
      { limit_usd: 400, include_byok: false },
      { limit_usd: 1_000, include_byok: false },
    ]);
  });

  it('have one setting for own credentials, also if they are created or changed by /budgets', async () => {
    const post = async (json: object) =>
      (await service.management.post('/budgets', { json: { scope: { workspace_id: id }, limit_usd: 1, ...json } })).json
        .data;
    const patch = (budget: string, value: boolean) =>
      service.management.patch(`/budgets/${budget}`, { json: { include_byok: value } });
    const settings = async (...ids: string[]) => {
      const budgets = await Promise.all(ids.map((one) => service.management.get(`/budgets/${one}`)));
      const { json } = await service.management.get(`/workspaces/${id}/budgets`);
      return [...budgets.map((one) => one.json.data.include_byok), json.include_byok_in_budgets];
    };
    const monthly = (await put('monthly', { limit_usd: 3, include_byok_in_budgets: true })).json.data.id;
    const weekly = (await post({ interval: 'weekly', limit_usd: 2 })).id;
    expect(await settings(monthly, weekly)).toEqual([true, true, true]);
    await patch(monthly, false);
    expect(await settings(monthly, weekly)).toEqual([false, false, false]);
    const daily = (await post({ interval: 'daily', include_byok: true })).id;
    expect(await settings(monthly, weekly, daily)).toEqual([true, true, true, true]);
    // A budget for each user does not share the setting.
    const each = (await post({ interval: 'daily', each: 'user_id' })).id;
    await patch(each, false);
    expect(await settings(each, daily)).toEqual([false, true, true]);
    await Promise.all([patch(monthly, false), patch(weekly, true), patch(daily, false), patch(monthly, true)]);
    expect(new Set(await settings(monthly, weekly, daily)).size).toBe(1);
  });

  it('must be lower for a shorter interval', async () => {
    await put('monthly', { limit_usd: 100 });
    for (const [interval, limit] of [
      ['daily', 100],
      ['weekly', 101],
      ['lifetime', 100],
    ] as const) {
      const { status, json } = await put(interval, { limit_usd: limit });
      expect(status).toBe(400);
      expect(json.error.message).toContain(`The ${interval} budget`);
      expect(json.error.message).toContain('the monthly budget');
    }
    expect((await put('weekly', { limit_usd: 99.99 })).status).toBe(200);
    expect((await put('daily', { limit_usd: 99.98 })).status).toBe(200);
    expect((await put('lifetime', { limit_usd: 100.01 })).status).toBe(200);
  });

  it('can be deleted, and a DELETE also succeeds if no budget exists', async () => {
    await put('daily', { limit_usd: 1 });
    const remove = () => service.management.delete(`/workspaces/${id}/budgets/daily`);

    expect([(await remove()).json, (await remove()).json]).toEqual([{ deleted: true }, { deleted: true }]);
    expect((await service.management.get(`/workspaces/${id}/budgets/daily`)).status).toBe(404);
  });

  it('refuse an unknown interval and an unknown workspace', async () => {
    expect((await put('hourly', { limit_usd: 1 })).status).toBe(400);
    id = crypto.randomUUID();
    expect((await put('daily', { limit_usd: 1 })).status).toBe(404);
  });
});
