import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe('budgets that apply to calls', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const make = async (json: object) =>
    (await service.management.post('/budgets', { json: { interval: 'weekly', limit_usd: 50, ...json } })).json.data;

  it('refuse calls that exceed the limit, and count the other calls', async () => {
    const workspace = await makeWorkspace(service.management);
    const { key } = await makeKey(service.management, { workspace_id: workspace.id });
    const speak = (input: string) =>
      service.as(key).post('/audio/speech', { json: { model: 'builtin/flite', voice: 'slt', input } });
    // A character costs 1,000 nano-dollars.
    const { id } = await make({ scope: { workspace_id: workspace.id }, interval: 'daily', limit_usd: 0.000005 });
    expect((await speak('abc')).status).toBe(200);
    const insufficient = await speak('abc');
    expect([insufficient.status, insufficient.json.error.message]).toEqual([
      402,
      'Workspace daily budget of $0.000005 does not cover the maximum cost of this request. Send a smaller ' +
        'request, or contact your org admin.',
    ]);
    expect(insufficient.headers.get('x-budget-level')).toBe('workspace');
    expect(insufficient.headers.get('x-budget-reset')).toMatch(/T00:00:00\.000Z$/);
    expect((await speak('ab')).status).toBe(200);
    const exceeded = await speak('a');
    expect([exceeded.status, exceeded.json.error.message]).toEqual([
      403,
      'Workspace daily budget of $0.000005 exceeded. Contact your org admin.',
    ]);
    const { data } = (await service.management.get(`/budgets/${id}`)).json;
    expect(data).toMatchObject({ spent_usd: 0.000005, reserved_usd: 0, remaining_usd: 0 });

    await service.management.patch(`/budgets/${id}`, { json: { limit_usd: 0.000006 } });
    expect((await speak('a')).status).toBe(200);
    const balances = (await service.management.get(`/budgets/${id}/balances`)).json;
    expect(balances).toMatchObject({ data: [{ spent_usd: 0.000006 }], total_count: 1 });
  });

  it('refuse calls of the model in their scope, even if a call uses another name of the model', async () => {
    const { key, hash } = await makeKey(service.management);
    await make({ scope: { api_key_hash: hash, model: 'Builtin/Flite' }, limit_usd: 0.000001 });
    const json = { model: 'builtin/flite', voice: 'slt', input: 'ab' };

    await eventually(async () => expect((await service.as(key).post('/audio/speech', { json })).status).toBe(402));
  });

  it('begin with the spend of their scope in the window, or at 0 if count_from is now', async () => {
    const workspace = await makeWorkspace(service.management);
    const { key, hash } = await makeKey(service.management, { workspace_id: workspace.id });
    await service.as(key).post('/audio/speech', { json: { model: 'builtin/flite', voice: 'slt', input: 'abc' } });
    const scopes = [
      { workspace_id: workspace.id },
      { api_key_hash: hash },
      { api_key_hash: hash, model: 'builtin/flite' },
    ];
    for (const scope of scopes) expect(await make({ scope })).toMatchObject({ scope, spent_usd: 0.000003 });
    const each = await make({ scope: { workspace_id: workspace.id }, each: 'model' });
    expect(each).toMatchObject({ spent_usd: 0.000003, remaining_usd: null });
    expect((await service.management.get(`/budgets/${each.id}/balances`)).json.data).toMatchObject([
      { value: 'builtin/flite', spent_usd: 0.000003 },
    ]);
    const speak = (input: string, tags: string) =>
      service.as(key).post('/audio/speech', {
        json: { model: 'builtin/flite', voice: 'slt', input },
        headers: { 'x-gatehouse-tags': tags },
      });
    await speak('a', 'team-a');
    await speak('ab', 'team-a, nightly');
    expect(await make({ scope: { tag: 'team-a' } })).toMatchObject({ spent_usd: 0.000003 });
    const eachTag = await make({ scope: { workspace_id: workspace.id }, each: 'tag' });
    expect((await service.management.get(`/budgets/${eachTag.id}/balances?sort=value`)).json.data).toMatchObject([
      { value: 'nightly', spent_usd: 0.000002 },
      { value: 'team-a', spent_usd: 0.000003 },
    ]);
    expect(await make({ scope: { api_key_hash: hash }, interval: 'monthly', count_from: 'now' })).toMatchObject({
      spent_usd: 0,
    });
  });

  it('list the balance of each value, sorted by value or by use, page by page', async () => {
    const { key, hash } = await makeKey(service.management);
    const { id } = await make({ scope: { api_key_hash: hash }, each: 'end_user' });
    const input = { anna: 'a', ben: 'abc', carl: 'ab', dora: 'abc' };
    for (const [user, text] of Object.entries(input))
      await service.as(key).post('/audio/speech', {
        json: { model: 'builtin/flite', voice: 'slt', input: text, user },
      });
    const valuesOf = async (query: string) =>
      (await service.management.get(`/budgets/${id}/balances?${query}`)).json.data.map(
        ({ value }: { value: string }) => value,
      );

    expect(await valuesOf('sort=value')).toEqual(['anna', 'ben', 'carl', 'dora']);
    expect(await valuesOf('sort=used')).toEqual(['ben', 'dora', 'carl', 'anna']);
    expect(await valuesOf('sort=used&offset=1&limit=2')).toEqual(['dora', 'carl']);
    const past = (await service.management.get(`/budgets/${id}/balances?offset=4`)).json;
    expect(past).toEqual({ data: [], total_count: 4 });
    expect((await service.management.get(`/budgets/${id}/balances?sort=spent`)).status).toBe(400);
  });

  it('write one event in a window for each of 50, 80, 95 and 100 percent, and one event for a refusal', async () => {
    const { key, hash } = await makeKey(service.management);
    const { id } = await make({ scope: { api_key_hash: hash }, interval: 'daily', limit_usd: 0.00001 });
    const speak = (input: string) =>
      service.as(key).post('/audio/speech', { json: { model: 'builtin/flite', voice: 'slt', input } });
    await speak('abcde');
    await speak('abcde');
    await speak('a');

    await eventually(async () =>
      expect(
        await service.sql.query(
          `select data ->> 'threshold' as threshold, data ->> 'level' as level from event
           where type = 'budget.threshold' and data ->> 'budget_id' = $1 order by (data ->> 'threshold')::int`,
          [id],
        ),
      ).toEqual(['50', '80', '95', '100'].map((threshold) => ({ threshold, level: 'key' }))),
    );
    expect(
      await service.sql.query(
        `select data ->> 'reason' as reason, data ->> 'level' as level from event
         where type = 'budget.refused' and data ->> 'hash' = $1`,
        [hash],
      ),
    ).toEqual([{ reason: 'budget', level: 'key' }]);
  });

  describe('if more than 32 budgets apply to a call:', () => {
    const INTERVALS = ['lifetime', 'monthly', 'weekly', 'daily'];
    const TAGS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    /** A key with a used-up budget, in a workspace with four budgets for each tag. */
    const makeTagged = async (soft: boolean) => {
      const { id } = await makeWorkspace(service.management);
      const { key, hash } = await makeKey(service.management, { workspace_id: id });
      await make({ scope: { api_key_hash: hash }, interval: 'daily', limit_usd: 0.000001 });
      for (const interval of INTERVALS) await make({ scope: { workspace_id: id }, each: 'tag', interval, soft });
      const json = { model: 'builtin/flite', voice: 'slt', input: 'a' };
      const speak = (tags: string[]) =>
        service.as(key).post('/audio/speech', { json, headers: { 'x-gatehouse-tags': tags.join(',') } });
      expect((await speak([])).status).toBe(200);
      return speak;
    };

    it('soft budgets are left out, but never a budget that refuses calls', async () => {
      const speak = await makeTagged(true);

      for (const tags of [[], TAGS.slice(1), TAGS])
        await eventually(async () => expect((await speak(tags)).status).toBe(403));
    });

    it('calls with more than 32 budgets that are not soft are refused, and the message has their number', async () => {
      const speak = await makeTagged(false);

      await eventually(async () => expect((await speak(TAGS.slice(1))).status).toBe(403));
      await eventually(async () => {
        const { status, json } = await speak(TAGS);
        expect([status, json?.error.message]).toEqual([
          400,
          'The call counts in 33 budgets that are not soft, and the maximum is 32. Send fewer tags, or ask your org ' +
            'admin to delete budgets or to make them soft.',
        ]);
      });
    });
  });
});
