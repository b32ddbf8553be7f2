import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { makeSecondAccount } from '../../support/money/second-account.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const UUID = /^[0-9a-f-]{36}$/;

describe('budgets', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const post = (json: object) => service.management.post('/budgets', { json });
  const make = async (json: object) => (await post({ interval: 'weekly', limit_usd: 50, ...json })).json.data;
  const tag = (): { tag: string } => ({ tag: crypto.randomUUID() });

  it('are created with a scope, and read with the spend of their window', async () => {
    const scope = tag();
    const answer = await post({ scope, interval: 'weekly', limit_usd: 50, name: 'Research' });

    expect([answer.status, answer.json.data]).toEqual([
      201,
      {
        id: expect.stringMatching(UUID),
        name: 'Research',
        scope,
        each: null,
        interval: 'weekly',
        limit_usd: 50,
        effective_limit_usd: 50,
        spent_usd: 0,
        byok_spent_usd: 0,
        reserved_usd: 0,
        remaining_usd: 50,
        resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
        soft: false,
        include_byok: false,
        raise: null,
        created_at: expect.any(String),
        updated_at: null,
      },
    ]);
    expect(new Date(answer.json.data.resets_at).getUTCDay()).toBe(1);
    expect((await service.management.get(`/budgets/${answer.json.data.id}`)).json).toEqual(answer.json);
    const { json } = await service.management.get('/budgets?limit=100');
    expect(json.data).toContainEqual(answer.json.data);
    expect(json.total_count).toBe(json.data.length);
  });

  it.each([
    ['a scope without members', { scope: {} }, 400, 'at least one member'],
    ['no scope', {}, 400, 'at least one member'],
    ['no limit', { scope: { tag: 't' }, limit_usd: undefined }, 400, 'limit_usd'],
    ['a limit of null', { scope: { tag: 't' }, limit_usd: null }, 400, 'limit_usd'],
    ['a limit of 0', { scope: { tag: 't' }, limit_usd: 0 }, 400, 'limit_usd'],
    ['a limit below a nano-dollar', { scope: { tag: 't' }, limit_usd: 9e-10 }, 400, 'limit_usd'],
    ['a limit below 0', { scope: { tag: 't' }, limit_usd: -1 }, 400, 'limit_usd'],
    ['an unknown interval', { scope: { tag: 't' }, interval: 'hourly' }, 400, 'interval'],
    ['a tag of 65 characters', { scope: { tag: 'x'.repeat(65) } }, 400, 'tag'],
    ['an unknown member of the scope', { scope: { team: 't' } }, 400, 'team'],
    ['`each` with a member that the scope has', { scope: { tag: 't' }, each: 'tag' }, 400, 'each'],
    ['a workspace that does not exist', { scope: { workspace_id: crypto.randomUUID() } }, 400, 'workspace_id'],
    ['a key that does not exist', { scope: { api_key_hash: '0'.repeat(64) } }, 400, 'api_key_hash'],
    ['a member that does not exist', { scope: { user_id: crypto.randomUUID() } }, 400, 'user_id'],
    ['a model that does not exist', { scope: { model: 'openai/nothing' } }, 400, 'GET /models'],
    ['the display name of a provider', { scope: { provider: 'OpenAI' } }, 400, 'GET /providers'],
  ])('refuse %s', async (_, json, status, words) => {
    const answer = await post({ interval: 'daily', limit_usd: 1, ...json });

    expect(answer.status).toBe(status);
    expect(answer.json.error.message).toContain(words);
  });

  it('exist at most once for the same scope, interval and each', async () => {
    const scope = tag();
    await make({ scope });

    expect((await post({ scope, interval: 'weekly', limit_usd: 1 })).status).toBe(409);
    expect((await post({ scope, interval: 'daily', limit_usd: 1 })).status).toBe(201);
    expect((await post({ scope, interval: 'weekly', limit_usd: 1, each: 'end_user' })).status).toBe(201);
  });

  it('are not created while a replica of an earlier version runs', async () => {
    const replica = (age: string) =>
      service.sql.query(
        `insert into replica values ('older', now(), now() - $1::interval, '0042-applications', '{}', true)
         on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`,
        [age],
      );
    await replica('25 s');
    expect((await post({ scope: tag(), interval: 'daily', limit_usd: 1 })).status).toBe(409);
    await replica('31 s');
    expect((await post({ scope: tag(), interval: 'daily', limit_usd: 1 })).status).toBe(201);
  });

  it('can be changed and deleted; after the deletion, a new budget for the scope can be created', async () => {
    const scope = tag();
    const { id } = await make({ scope });
    const changes = { limit_usd: 75, soft: true, include_byok: true, name: 'Sales' };
    const changed = await service.management.patch(`/budgets/${id}`, { json: changes });

    expect(changed.json.data).toMatchObject({ ...changes, remaining_usd: 75, updated_at: expect.any(String) });
    expect((await service.management.patch(`/budgets/${id}`, { json: { interval: 'daily' } })).status).toBe(400);
    expect((await service.management.delete(`/budgets/${id}`)).json).toEqual({ deleted: true });
    expect((await service.management.get(`/budgets/${id}`)).status).toBe(404);
    expect((await service.management.delete(`/budgets/${id}`)).status).toBe(404);
    expect((await post({ scope, interval: 'weekly', limit_usd: 1 })).status).toBe(201);
  });

  it('can be raised until a given time, with only one raise at a time', async () => {
    const { id } = await make({ scope: tag() });
    const raise = (json: object) => service.management.put(`/budgets/${id}/raise`, { json });
    const until = new Date(Date.now() + 60_000).toISOString();

    expect((await raise({ amount_usd: 25, until })).json.data).toMatchObject({
      limit_usd: 50,
      effective_limit_usd: 75,
      remaining_usd: 75,
      raise: { amount_usd: 25, until },
    });
    expect((await raise({ amount_usd: 5, until })).json.data).toMatchObject({ effective_limit_usd: 55 });
    expect((await raise({ amount_usd: 5, until: '2026-01-01T00:00:00Z' })).status).toBe(400);
    expect((await raise({ amount_usd: 5, until: '2100-02-30T00:00:00Z' })).status).toBe(400);
    await service.management.patch(`/budgets/${id}`, { json: { name: 'Raised' } });
    const events = await service.sql.query<{ amount: string }>(
      `select data ->> 'amount' as amount from event
       where type = 'budget.raised' and data ->> 'budget_id' = $1 order by (data ->> 'amount')::numeric desc`,
      [id],
    );
    expect(events.map(({ amount }) => Number(amount))).toEqual([25, 5]);
    const ended = await service.management.delete(`/budgets/${id}/raise`);
    expect(ended.json.data).toMatchObject({ effective_limit_usd: 50, raise: null });
  });

  it('may have the largest amount as their limit and as their raise', async () => {
    const { id } = await make({ scope: tag(), limit_usd: 9_000_000_000 });
    const json = { amount_usd: 9_000_000_000, until: new Date(Date.now() + 60_000).toISOString() };

    expect((await service.management.put(`/budgets/${id}/raise`, { json })).status).toBe(200);
    expect((await service.management.get(`/budgets/${id}`)).json.data).toMatchObject({ limit_usd: 9_000_000_000 });
  });

  it('of another account are not found', async () => {
    const { id } = await make({ scope: tag() });
    const other = await makeSecondAccount(service);
    const as = service.as(other.managementKey);

    for (const answer of [
      await as.get(`/budgets/${id}`),
      await as.patch(`/budgets/${id}`, { json: { limit_usd: 1 } }),
      await as.delete(`/budgets/${id}`),
      await as.get(`/budgets/${id}/balances`),
    ])
      expect(answer.status).toBe(404);
    expect((await as.get('/budgets')).json).toEqual({ data: [], total_count: 0 });
  });

  it('name workspaces and keys by their ids and hashes', async () => {
    const workspace = await makeWorkspace(service.management);
    const { hash } = await makeKey(service.management);
    const scope = { workspace_id: workspace.id, api_key_hash: hash, model: 'builtin/flite' };

    expect((await make({ scope })).scope).toEqual(scope);
  });

  it.each([
    [{ model: 'gpt-4o-mini' }, { model: 'openai/gpt-4o-mini' }],
    [{ model: 'openai/GPT-4-1-mini' }, { model: 'openai/gpt-4.1-mini' }],
    [
      { model: 'openai/gpt-4o-mini', provider: 'openai' },
      { model: 'openai/gpt-4o-mini', provider: 'openai' },
    ],
    [{ provider: 'google-ai-studio' }, { provider: 'google' }],
  ])('name models and providers by slugs, and accept published names: %j', async (named, slugs) => {
    const member = tag();

    expect((await make({ scope: { ...member, ...named } })).scope).toEqual({ ...member, ...slugs });
    expect((await post({ scope: { ...member, ...slugs }, interval: 'weekly', limit_usd: 1 })).status).toBe(409);
  });

  it('refuse an alias instead of a model, because the models of an alias can change', async () => {
    const alias = { json: { models: ['builtin/flite'] } };
    expect((await service.management.put('/models/aliases/gpt-4o-mini', alias)).status).toBe(200);
    const scope = { ...tag(), model: 'gpt-4o-mini' };

    await eventually(async () =>
      expect((await post({ scope, interval: 'daily', limit_usd: 1 })).json.error?.message).toContain(
        'is an alias of builtin/flite',
      ),
    );
    await service.management.delete('/models/aliases/gpt-4o-mini');
  });

  it('write an audit row for each change', async () => {
    const { id } = await make({ scope: tag() });
    await service.management.patch(`/budgets/${id}`, { json: { limit_usd: 1 } });
    await service.management.delete(`/budgets/${id}`);
    const { json } = await service.management.get(`/audit?kind=budget&id=${id}`);

    expect(json.data.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      'create',
      'delete',
      'update',
    ]);
  });
});
