import { randomBytes } from 'node:crypto';
import { KeyDirectory } from '../../../src/auth/key-directory.js';
import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { makeSecondAccount, type SecondAccount } from '../../support/money/second-account.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const NOWHERE = '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee';

const NO_SETTINGS = {
  default_max_output_tokens: null,
  requests_per_minute: null,
  tokens_per_minute: null,
  max_concurrent: null,
  models: null,
  each_end_user: null,
};

describe('the API of workspaces', () => {
  let service: TestService;
  let other: SecondAccount;
  beforeAll(async () => {
    service = await startTestService({ env: { MASTER_KEY: randomBytes(32).toString('hex'), INTERN_RUNTIME: 'none' } });
    other = await makeSecondAccount(service);
  });
  afterAll(() => service.stop());

  let made = 0;
  const create = (more: object = {}) =>
    makeWorkspace(service.management, { name: `W ${++made}`, slug: `w-${made}`, ...more });

  it('lists the default workspace before all other workspaces', async () => {
    const created = await create();
    const list = await service.management.get('/workspaces');

    expect(list.json.data[0]).toMatchObject({ name: 'Default', slug: 'default' });
    expect(list.json.data).toContainEqual(created);
    expect(list.json.total_count).toBe(list.json.data.length);
    expect((await service.management.get('/workspaces?limit=1&offset=1')).json.data).toEqual([list.json.data[1]]);
  });

  it('stores every setting and the creator of a workspace', async () => {
    const settings = {
      description: 'Ünï',
      default_text_model: 'a/b',
      default_image_model: 'c/d',
      default_provider_sort: 'price',
      is_observability_io_logging_enabled: true,
      is_observability_broadcast_enabled: true,
      is_data_discount_logging_enabled: true,
      io_logging_sampling_rate: 0.25,
      io_logging_api_key_ids: [1, 2],
    };
    const created = await create(settings);
    const [maker] = await service.sql.query<{ creator_user_id: string }>(
      `select creator_user_id from api_key where key_class = 'management' limit 1`,
    );

    expect(created).toMatchObject({ ...settings, created_by: maker!.creator_user_id, updated_at: null });
    expect((await service.management.get(`/workspaces/${created.id}`)).json.data).toEqual(created);
    expect((await service.management.get(`/workspaces/${created.slug}`)).json.data).toEqual(created);
  });

  it('has a separate path for settings that the published API lacks; the record does not contain them', async () => {
    const created = await create();
    const path = `/workspaces/${created.id}/settings`;
    const settings = async () => (await service.management.get(path)).json;
    const set = (json: object) => service.management.patch(path, { json });

    expect(await settings()).toEqual({ data: NO_SETTINGS });
    expect((await set({ default_max_output_tokens: 4096 })).json).toEqual({
      data: { ...NO_SETTINGS, default_max_output_tokens: 4096 },
    });
    await set({});
    expect(await settings()).toEqual({ data: { ...NO_SETTINGS, default_max_output_tokens: 4096 } });
    expect((await service.management.get(`/workspaces/${created.slug}`)).json.data).toEqual({
      ...created,
      updated_at: expect.any(String),
    });
    await set({ default_max_output_tokens: null });
    expect(await settings()).toEqual({ data: NO_SETTINGS });
    for (const value of [0, -1, 1.5, '4096', 100_000_001])
      expect((await set({ default_max_output_tokens: value })).status).toBe(400);
    const limits = {
      requests_per_minute: 1_000_000,
      tokens_per_minute: 5,
      max_concurrent: 2,
      models: { 'builtin/eliza': { requests_per_minute: 3, tokens_per_minute: null, max_concurrent: null } },
      each_end_user: { requests_per_minute: null, tokens_per_minute: null, max_concurrent: 1 },
    };
    expect((await set(limits)).json).toEqual({ data: { ...NO_SETTINGS, ...limits } });
    expect((await set({ models: null, each_end_user: null, tokens_per_minute: null })).json).toEqual({
      data: { ...NO_SETTINGS, requests_per_minute: 1_000_000, max_concurrent: 2 },
    });
    expect((await set({ requests_per_minute: null, max_concurrent: null })).json).toEqual({ data: NO_SETTINGS });
    for (const wrong of [{ requests_per_minute: 0 }, { requests_per_minute: 1_000_001 }, { models: { 'no/such': {} } }])
      expect((await set(wrong)).status).toBe(400);
    expect((await set({ session_max_calls: 1 })).status).toBe(400);
    expect((await set({ other: 1 })).status).toBe(400);
    expect((await service.as(other.managementKey).get(path)).status).toBe(404);
  });

  it('adds default_max_output_tokens of a workspace to the principal of each key of the workspace', async () => {
    const { id } = await create();
    const { data } = await makeKey(service.management, { name: 'bounded', workspace_id: id });
    const keys = service.app.get(KeyDirectory, { strict: false });
    const principal = async () => {
      keys.forget(data.hash);
      return (await keys.find(data.hash))!.principal;
    };
    expect((await principal()).defaultMaxOutputTokens).toBeUndefined();
    await service.management.patch(`/workspaces/${id}/settings`, { json: { default_max_output_tokens: 300 } });
    expect((await principal()).defaultMaxOutputTokens).toBe(300);
  });

  it('changes only the members that a PATCH contains; null clears a member', async () => {
    const created = await create({ description: 'x', default_text_model: 'a/b' });
    const changed = await service.management.patch(`/workspaces/${created.id}`, {
      json: { name: 'New', description: null },
    });

    expect(changed.json.data).toEqual({
      ...created,
      name: 'New',
      description: null,
      updated_at: expect.stringMatching(/^20/),
    });
    expect((await service.management.get(`/workspaces/${created.slug}`)).json).toEqual(changed.json);
  });

  it.each([
    [{ slug: 'x' }, 'name'],
    [{ name: 'x' }, 'slug'],
    [{ name: '', slug: 'x' }, 'name'],
    [{ name: 'x'.repeat(101), slug: 'x' }, 'name'],
    [{ name: '❤\uFE0F'.repeat(51), slug: 'x' }, 'name'],
    [{ name: 'a\u0007', slug: 'x' }, 'name must not contain control characters'],
    [{ name: 'x', slug: 'X' }, 'slug'],
    [{ name: 'x', slug: 'a--b' }, 'slug'],
    [{ name: 'x', slug: 'x'.repeat(51) }, 'slug'],
    [{ name: 'x', slug: 'x', description: 'x'.repeat(501) }, 'description'],
    [{ name: 'x', slug: 'x', io_logging_sampling_rate: 0 }, 'io_logging_sampling_rate'],
    [{ name: 'x', slug: 'x', io_logging_api_key_ids: [1.5] }, 'io_logging_api_key_ids'],
    [{ name: 'x', slug: 'x', is_default: true }, 'is_default'],
    [{ name: 'x', slug: 'default' }, 'The slug default is used already'],
  ])('answers 400 to %j and names the fault', async (json, named) => {
    const answer = await service.management.post('/workspaces', { json });
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toContain(named);
  });

  it('accepts one of four simultaneous requests with the same slug, and answers 400 to the other three', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => service.management.post('/workspaces', { json: { name: 'Race', slug: 'race' } })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400]);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'offset=-1'])('answers 400 to ?%s', async (query) => {
    expect((await service.management.get(`/workspaces?${query}`)).status).toBe(400);
  });

  it('deletes an empty workspace: its slug is free again, and its routes answer 404', async () => {
    const created = await create({ slug: 'short-lived' });
    expect((await service.management.delete(`/workspaces/${created.id}`)).json).toEqual({ deleted: true });
    expect((await service.management.get(`/workspaces/${created.id}`)).status).toBe(404);
    expect((await service.management.get('/workspaces/short-lived')).status).toBe(404);
    expect((await service.management.delete(`/workspaces/${created.id}`)).status).toBe(404);
    expect((await service.management.post('/keys', { json: { name: 'x', workspace_id: created.id } })).status).toBe(
      400,
    );
    expect((await create({ slug: 'short-lived' })).slug).toBe('short-lived');
  });

  it('refuses to delete the default workspace and a workspace with contents, which the error lists', async () => {
    expect((await service.management.delete('/workspaces/default')).json).toEqual({
      error: { code: 400, message: 'The default workspace of an account cannot be deleted' },
    });
    const created = await create();
    const keys = [];
    for (let key = 0; key < 2; key++)
      keys.push((await makeKey(service.management, { name: 'x', workspace_id: created.id })).hash);

    expect((await service.management.delete(`/workspaces/${created.id}`)).json).toEqual({
      error: { code: 400, message: 'The workspace is not empty. Delete first what is left in it: keys (2)' },
    });
    for (const hash of keys) await service.management.delete(`/keys/${hash}`);
    expect((await service.management.delete(`/workspaces/${created.id}`)).status).toBe(200);
  });

  it('counts interns among the contents that the error lists', async () => {
    const created = await create();
    const { data, key } = await makeKey(service.management, { name: 'x', workspace_id: created.id });
    expect((await service.as(key).post('/interns', { json: { name: 'resident' } })).status).toBe(201);
    await service.management.delete(`/keys/${data.hash}`);

    expect((await service.management.delete(`/workspaces/${created.id}`)).json.error.message).toBe(
      'The workspace is not empty. Delete first what is left in it: interns (1)',
    );
  });

  it('creates no key in a workspace that is deleted at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await create();
      const [key, gone] = await Promise.all([
        service.management.post('/keys', { json: { name: 'x', workspace_id: id } }),
        service.management.delete(`/workspaces/${id}`),
      ]);
      expect([
        [201, 400],
        [400, 200],
      ]).toContainEqual([key.status, gone.status]);
    }
  });

  it('answers the same 404 for a workspace of another account and for a workspace that does not exist', async () => {
    for (const id of [other.workspaceId, NOWHERE, 'no-such-slug', 'NOT A SLUG', '%00']) {
      const expected = { error: { code: 404, message: 'No workspace has this id' } };
      expect((await service.management.get(`/workspaces/${id}`)).json).toEqual(expected);
      expect((await service.management.patch(`/workspaces/${id}`, { json: { name: 'mine' } })).json).toEqual(expected);
      expect((await service.management.delete(`/workspaces/${id}`)).json).toEqual(expected);
      if (/^[0-9a-f-]{36}$/.test(id))
        expect((await service.management.get(`/keys?workspace_id=${id}`)).status).toBe(404);
    }
    expect(
      (await service.as(other.managementKey).get('/workspaces')).json.data.map(({ id }: { id: string }) => id),
    ).toEqual([other.workspaceId]);
  });

  it('writes an audit row when a workspace is created, changed or deleted', async () => {
    const { id } = await create();
    await service.management.patch(`/workspaces/${id}`, { json: { name: 'x' } });
    await service.management.delete(`/workspaces/${id}`);
    const rows = await service.sql.query(
      `select action, actor from audit_entry where resource_kind = 'workspace' and resource_id = $1 order by id`,
      [id],
    );
    expect(rows).toEqual(['create', 'update', 'delete'].map((action) => ({ action, actor: 'key' })));
  });
});
