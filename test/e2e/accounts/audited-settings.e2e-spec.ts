import { randomBytes } from 'node:crypto';
import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { OWN_MODEL } from '../../support/catalogue/own-provider-stage.js';
import { firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { makePerson, ownerOf, send } from '../../support/members/account-people.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

interface Entry {
  readonly action: string;
  readonly kind: string;
  readonly changes: { setting: string; from: string | null; to: string | null; secret: boolean }[] | null;
}

describe('in the audit record,', () => {
  let service: TestService;
  beforeAll(async () => {
    const env = { MASTER_KEY: randomBytes(32).toString('hex'), RATE_LIMIT_MANAGEMENT: 'off' };
    service = await startTestService({ env });
  }, 60_000);
  afterAll(() => service.stop());

  const newest = async (kind: string): Promise<Entry> =>
    (await service.management.get(`/audit?kind=${kind}&limit=1&with_changes=true`)).json.data[0];
  const changesOf = async (kind: string): Promise<Entry['changes']> => (await newest(kind)).changes;
  const change = (setting: string, from: string | null, to: string | null, secret = false) => ({
    setting,
    from,
    to,
    secret,
  });

  it('a changed limit of a key is recorded with the limit before and after the change', async () => {
    const { hash } = await makeKey(service.management, { name: 'Bot', limit: 5, limit_reset: 'daily' });
    expect(await changesOf('api_key')).toEqual([
      change('name', null, 'Bot'),
      change('limit', null, '5'),
      change('limit_reset', null, 'daily'),
      change('class', null, 'standard'),
    ]);
    await service.management.patch(`/keys/${hash}`, { json: { limit: 100_000, name: 'Bot 2' } });
    expect(await changesOf('api_key')).toEqual([change('name', 'Bot', 'Bot 2'), change('limit', '5', '100000')]);
    await service.management.patch(`/keys/${hash}`, { json: { limit: null } });
    expect(await changesOf('api_key')).toEqual([change('limit', '100000', null)]);
  });

  it('changed settings of a key are recorded by API name; a request without changes records nothing', async () => {
    const { hash } = await makeKey(service.management);
    const settings = { allowed_models: ['builtin/flite'], models: { 'builtin/flite': { requests_per_minute: 7 } } };
    await service.management.put(`/keys/${hash}/settings`, { json: settings });
    expect(await changesOf('api_key')).toEqual([
      change('allowed_models', null, 'builtin/flite'),
      change('models.builtin/flite.requests_per_minute', null, '7'),
    ]);
    await service.management.put(`/keys/${hash}/settings`, { json: settings });
    expect(await changesOf('api_key')).toEqual([]);
  });

  it('the rotation and the deletion of a key are recorded without settings', async () => {
    const { hash } = await makeKey(service.management);
    const rotated = await service.management.post(`/keys/${hash}/rotate`, { json: {} });
    expect(await newest('api_key')).toMatchObject({ action: 'rotate', changes: null });
    await service.management.delete(`/keys/${rotated.json.data.hash}`);
    expect(await newest('api_key')).toMatchObject({ action: 'delete', changes: null });
  });

  it('the name and the settings of a workspace are recorded', async () => {
    const { id } = await makeWorkspace(service.management, { name: 'North' });
    await service.management.patch(`/workspaces/${id}`, { json: { name: 'South' } });
    expect(await changesOf('workspace')).toEqual([change('name', 'North', 'South')]);
    await service.management.patch(`/workspaces/${id}/settings`, { json: { default_max_output_tokens: 4096 } });
    expect(await changesOf('workspace')).toEqual([change('default_max_output_tokens', null, '4096')]);
  });

  it('the limit of a budget is recorded, also for the budget of a workspace', async () => {
    const json = { scope: { model: 'builtin/flite' }, interval: 'daily', limit_usd: 5 };
    const { id } = (await service.management.post('/budgets', { json })).json.data;
    await service.management.patch(`/budgets/${id}`, { json: { limit_usd: 50, soft: true } });
    expect(await changesOf('budget')).toEqual([change('limit_usd', '5', '50'), change('soft', 'false', 'true')]);
    const workspace = await makeWorkspace(service.management);
    const put = (limit: number) =>
      service.management.put(`/workspaces/${workspace.id}/budgets/daily`, { json: { limit_usd: limit } });
    await put(1);
    expect(await changesOf('budget')).toContainEqual(change('limit_usd', null, '1'));
    await put(2);
    expect(await changesOf('budget')).toEqual([change('limit_usd', '1', '2')]);
  });

  it('the role of a member is recorded with the previous role', async () => {
    const owner = await ownerOf(service);
    const person = await makePerson(service, 'viewer');
    expect((await send(owner, 'PATCH', `/members/${person.userId}`, { role: 'admin' })).status).toBe(200);
    expect(await changesOf('member')).toEqual([change('role', 'viewer', 'admin')]);
    expect((await send(owner, 'POST', `/members/${person.userId}/deactivate`, {})).status).toBe(200);
    expect(await changesOf('member')).toEqual([change('active', 'true', 'false')]);
  });

  it('the settings of a credential are recorded; for its secret, only the fact that it was replaced', async () => {
    const secret = `sk-${randomBytes(16).toString('hex')}`;
    const { json } = await service.management.post('/byok', {
      json: { provider: 'openai', key: secret, name: 'Mine' },
    });
    const replacement = `sk-${randomBytes(16).toString('hex')}`;
    await service.management.patch(`/byok/${json.data.id}`, { json: { key: replacement, disabled: true } });
    expect(await changesOf('byok_credential')).toEqual([
      change('disabled', 'false', 'true'),
      change('key', null, null, true),
    ]);
    const rows = await service.sql.query<{ text: string }>('select audit_entry::text as text from audit_entry');
    expect(rows.filter(({ text }) => text.includes(secret) || text.includes(replacement))).toEqual([]);
  });

  it('the settings of a channel are recorded; for its secrets, only the fact that they were replaced', async () => {
    const json = { provider: 'openai', key: `sk-${randomBytes(16).toString('hex')}`, priority: 1 };
    const { id } = (await service.management.post('/providers/credentials', { json })).json.data;
    const headers = { 'x-team': 'a-secret-of-the-team' };
    await service.management.patch(`/providers/credentials/${id}`, { json: { priority: 2, secret_headers: headers } });
    expect(await changesOf('platform_credential')).toEqual([
      change('priority', '1', '2'),
      change('secret_headers', null, null, true),
    ]);
    const rows = await service.sql.query<{ text: string }>('select audit_entry::text as text from audit_entry');
    expect(rows.filter(({ text }) => text.includes('a-secret-of-the-team'))).toEqual([]);
  });

  it('the settings of an own provider and the prices of its models are recorded', async () => {
    const json = { slug: 'in-house', format: 'chat', base_url: 'https://one.example/v1' };
    await service.management.post('/providers', { json });
    expect(await changesOf('own_provider')).toEqual([
      change('format', null, 'chat'),
      change('base_url', null, 'https://one.example/v1'),
      change('needs_credential', null, 'true'),
    ]);
    const changed = { name: 'In-house', privacy: { zero_data_retention: true } };
    await service.management.patch('/providers/in-house', { json: changed });
    expect(await changesOf('own_provider')).toEqual([
      change('name', null, 'In-house'),
      change('privacy.zero_data_retention', null, 'true'),
    ]);
    const set = (completion: string) =>
      service.management.put('/providers/in-house/models/one', {
        json: { ...OWN_MODEL, pricing: { prompt: '0.000001', completion } },
      });
    await set('0.000002');
    expect(await changesOf('own_model')).toContainEqual(change('pricing.completion', null, '0.000002'));
    await set('0.000003');
    expect(await changesOf('own_model')).toEqual([change('pricing.completion', '0.000002', '0.000003')]);
    await service.management.delete('/providers/in-house/models/one');
    expect(await newest('own_model')).toMatchObject({ action: 'delete', changes: null });
  });

  it('workspace and limit of a console session are recorded, changed together or separately', async () => {
    const browser = await signedInAs(service, await firstOwner(service));
    const { limit, workspace_id } = (await browser.send('GET', '/console/session')).json.data;
    const { id } = await makeWorkspace(service.management);
    const put = (json: object) => browser.send('PUT', '/console/session', { json });
    expect((await put({ limit: 7 })).status).toBe(200);
    expect(await changesOf('console_session')).toEqual([change('limit', String(limit), '7')]);
    expect((await put({ workspace_id: id, limit: null })).status).toBe(200);
    expect(await changesOf('console_session')).toEqual([
      change('workspace_id', workspace_id, id),
      change('limit', '7', null),
    ]);
    expect((await put({ workspace_id: workspace_id })).status).toBe(200);
    expect(await changesOf('console_session')).toEqual([change('workspace_id', id, workspace_id)]);
  });
});
