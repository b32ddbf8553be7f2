import { ApiKeys } from '../../../src/auth/api-keys.js';
import { KeyDirectory } from '../../../src/auth/key-directory.js';
import { hashOfKey } from '../../../src/auth/key-secret.js';
import { CredentialDirectory } from '../../../src/secrets/credential-directory.js';
import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { aByokSetting, BYOK_SECRET, untilCredentials, type ByokSetting } from '../../support/api/byok-setting.js';
import { anImageEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import { firstOwner, signedIn, signedInAs } from '../../support/console/console-browser.js';
import { makeAccount, makeMember } from '../../support/money/account-builders.js';
import { TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';

const EVERYWHERE = { workspace_id: null };

describe('a provider credential of all workspaces', () => {
  let vendor: ScriptedVendor;
  let setting: ByokSetting;
  let service: TestService;
  let create: ByokSetting['create'];
  let keyOfOther: string;
  let foreignKey: string;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    setting = await aByokSetting({ OPENAI_BASE_URL: vendor.baseUrl });
    ({ service, create } = setting);
    keyOfOther = (await makeKey(service.management, { workspace_id: setting.otherWorkspaceId })).key;
    const issued = await service.app.get(ApiKeys, { strict: false }).issue({
      ...(await makeAccount(service, 'Somebody')),
      keyClass: 'standard',
      name: 'Foreign',
      creatorUserId: null,
    });
    foreignKey = issued.secret;
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });
  afterEach(() => setting.clear());

  const callerOf = async (key: string) =>
    (await service.app.get(KeyDirectory, { strict: false }).find(hashOfKey(key)))!.principal;
  /** The usable credentials for calls of a key, in the order of use. */
  const usable = async (key: string): Promise<string[]> => {
    const directory = service.app.get(CredentialDirectory, { strict: false });
    return (await directory.forCall(await callerOf(key), 'cerebras', 'author/model')).map(({ id }) => id);
  };
  const untilUsable = async (key: string, ids: readonly string[]): Promise<void> => {
    while ((await usable(key)).join() !== ids.join()) await new Promise(setImmediate);
  };
  const listed = async (workspaceId: string): Promise<{ ids: string[]; total: number }> => {
    const { json } = await service.management.get(`/byok?workspace_id=${workspaceId}`);
    return { ids: json.data.map(({ id }: { id: string }) => id), total: json.total_count };
  };

  it('is created with workspace_id null; a missing workspace_id means the default workspace', async () => {
    const made = await create(EVERYWHERE);

    expect(made).toMatchObject({ workspace_id: null, label: 'sk-...AbCd', sort_order: 0 });
    expect((await service.management.get(`/byok/${made.id}`)).json.data).toEqual(made);
    expect((await create()).workspace_id).toBe(setting.workspaceId);
  });

  it('is listed and counted with the credentials of each workspace', async () => {
    const [own, everywhere] = [await create(), await create(EVERYWHERE)];
    const ofOther = await create({ workspace_id: setting.otherWorkspaceId });

    expect(await listed(setting.workspaceId)).toEqual({ ids: [own.id, everywhere.id], total: 2 });
    expect(await listed(setting.otherWorkspaceId)).toEqual({ ids: [ofOther.id, everywhere.id], total: 2 });
    expect((await service.management.get('/byok?offset=1')).json).toEqual({ data: [everywhere], total_count: 2 });
    expect((await service.management.get('/byok?provider=novita-ai')).json.total_count).toBe(0);
    expect((await setting.foreign.get('/byok')).json).toEqual({ data: [], total_count: 0 });
    expect((await setting.foreign.get(`/byok/${everywhere.id}`)).status).toBe(404);
  });

  it('serves calls of all workspaces of the account, including new workspaces, and of no other account', async () => {
    const { id } = await create(EVERYWHERE);
    const fresh = await makeWorkspace(service.management);
    const keyOfFresh = (await makeKey(service.management, { workspace_id: fresh.id })).key;
    const directory = service.app.get(CredentialDirectory, { strict: false });

    for (const key of [TEST_API_KEY, keyOfOther, keyOfFresh]) {
      await untilUsable(key, [id]);
      expect((await directory.open(id, await callerOf(key))).reveal()).toBe(BYOK_SECRET);
    }
    expect(await usable(foreignKey)).toEqual([]);
    await expect(directory.open(id, await callerOf(foreignKey))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('is used if a workspace has no credential, or if the vendor refuses the credential of the workspace', async () => {
    const model = 'own/picture';
    teach(service, { [model]: [anImageEndpoint('openai')] });
    await create({ ...EVERYWHERE, provider: 'openai', key: 'own-of-all-workspaces' });
    await create({ provider: 'openai', key: 'own-of-that-workspace', workspace_id: setting.otherWorkspaceId });
    await untilCredentials(service, 1, model);
    await untilCredentials(service, 2, model, keyOfOther);
    vendor.script({ kind: 'status', status: 401, body: { error: { message: 'no' } } });

    for (const key of [keyOfOther, TEST_API_KEY]) {
      const { status, json } = await service.as(key).post('/images', { json: { model, prompt: 'A kite' } });
      expect([status, json.usage?.is_byok]).toEqual([200, true]);
    }
    expect(vendor.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer own-of-that-workspace',
      'Bearer own-of-all-workspaces',
      'Bearer own-of-all-workspaces',
    ]);
  });

  it('is used in the order of sort_order, after a workspace credential with the same sort_order', async () => {
    const everywhere = await create(EVERYWHERE);
    const [first, second] = [await create(), await create()];
    expect([everywhere, first, second].map(({ sort_order }) => sort_order)).toEqual([0, 0, 1]);

    const order = [first.id, everywhere.id, second.id];
    await untilUsable(TEST_API_KEY, order);
    expect((await listed(setting.workspaceId)).ids).toEqual(order);
    await service.management.patch(`/byok/${everywhere.id}`, { json: { sort_order: 9 } });
    await untilUsable(TEST_API_KEY, [first.id, second.id, everywhere.id]);
    expect((await listed(setting.workspaceId)).ids).toEqual([first.id, second.id, everywhere.id]);
  });

  it('gets a sort_order after the credentials of every workspace', async () => {
    await create();
    await create({ workspace_id: setting.otherWorkspaceId });
    await create({ workspace_id: setting.otherWorkspaceId });

    expect((await create(EVERYWHERE)).sort_order).toBe(2);
    expect((await create({ ...EVERYWHERE, provider: 'novita-ai' })).sort_order).toBe(0);
  });

  it('affects the calls of every workspace when it is changed or deleted', async () => {
    const { id } = await create(EVERYWHERE);
    const path = `/byok/${id}`;
    const inBoth = (ids: readonly string[]) =>
      Promise.all([untilUsable(TEST_API_KEY, ids), untilUsable(keyOfOther, ids)]);

    await inBoth([id]);
    await service.management.patch(path, { json: { disabled: true } });
    await inBoth([]);
    await service.management.patch(path, { json: { disabled: false } });
    await inBoth([id]);
    expect((await service.management.delete(path)).json).toEqual({ deleted: true });
    await inBoth([]);
  });

  it('cannot be moved: a PATCH does not accept workspace_id', async () => {
    const [everywhere, own] = [await create(EVERYWHERE), await create()];

    for (const [{ id }, workspace_id] of [
      [everywhere, setting.workspaceId],
      [own, null],
    ] as const)
      expect((await service.management.patch(`/byok/${id}`, { json: { workspace_id } })).status).toBe(400);
  });

  it('is sealed with a data key of the account, which is destroyed with the last such credential', async () => {
    const dataKeys = async (): Promise<number> => (await service.sql.query('select 1 from data_key')).length;
    const ofAccounts = () => service.sql.query('select account_id from account_data_key');
    const [one, two] = await Promise.all([create(EVERYWHERE), create(EVERYWHERE)]);
    const own = await create();

    expect([await dataKeys(), await ofAccounts()]).toEqual([2, [{ account_id: setting.accountId }]]);
    await service.management.delete(`/byok/${own.id}`);
    await service.management.delete(`/byok/${one.id}`);
    expect([await dataKeys(), await ofAccounts()]).toEqual([1, [{ account_id: setting.accountId }]]);
    await service.management.delete(`/byok/${two.id}`);
    expect([await dataKeys(), await ofAccounts()]).toEqual([0, []]);
    await create(EVERYWHERE);
  });

  it('does not prevent the deletion of a workspace, and is not deleted with the workspace', async () => {
    const made = await create(EVERYWHERE);
    const { id } = await makeWorkspace(service.management);

    expect((await service.management.delete(`/workspaces/${id}`)).status).toBe(200);
    expect((await service.management.get(`/byok/${made.id}`)).json.data).toEqual(made);
    await untilUsable(TEST_API_KEY, [made.id]);
  });

  it('gets an audit row for each write', async () => {
    const { id } = await create(EVERYWHERE);
    await service.management.patch(`/byok/${id}`, { json: { key: 'pk-another-secret-of-the-caller-WxYz' } });
    await service.management.delete(`/byok/${id}`);

    const rows = await service.sql.query<{ action: string }>(
      `select action from audit_entry where resource_kind = 'byok_credential' and resource_id = $1 order by id`,
      [id],
    );
    expect(rows.map(({ action }) => action)).toEqual(['create', 'rotate', 'delete']);
  });

  it('is not shown to a standard key, which reads only the credentials of its workspace', async () => {
    const { id } = await create(EVERYWHERE);

    expect((await service.standard.get('/byok')).json).toEqual({ data: [], total_count: 0 });
    expect((await service.standard.get(`/byok/${id}`)).status).toBe(404);
  });

  it('is created, read and deleted by an owner of the account, not by the admin of a workspace', async () => {
    const { accountId } = await firstOwner(service);
    const userId = await makeMember(service, { accountId }, { name: 'Dev', role: 'developer' });
    await service.sql.query(
      `insert into workspace_member (account_id, workspace_id, user_id, role, created_at)
       values ($1, $2, $3, 'admin', now())`,
      [accountId, setting.otherWorkspaceId, userId],
    );
    const admin = await signedInAs(service, { accountId, userId });
    const owner = await signedIn(service);
    const wanted = { provider: 'cerebras', key: BYOK_SECRET };
    const place = { workspace_id: setting.otherWorkspaceId };

    const refused = await admin.post('/byok', { ...wanted, ...EVERYWHERE });
    expect([refused.status, refused.json.error.message]).toEqual([
      403,
      'Only owners and admins of the account can create a credential for all workspaces: set workspace_id',
    ]);
    expect((await admin.post('/byok', { ...wanted, ...place })).status).toBe(201);
    const made = await owner.post('/byok', { ...wanted, ...EVERYWHERE });
    expect(made.status).toBe(201);
    const path = `/byok/${made.json.data.id}`;
    const list = `/byok?workspace_id=${setting.otherWorkspaceId}`;
    expect([(await admin.get(list)).json.total_count, (await owner.get(list)).json.total_count]).toEqual([1, 2]);
    expect((await admin.get(path)).status).toBe(404);
    for (const method of ['PATCH', 'DELETE'] as const)
      expect((await admin.send(method, `/console/api/v1${path}`, { json: {} })).status).toBe(404);
    expect((await owner.get(path)).json.data).toEqual(made.json.data);
    expect((await owner.send('DELETE', `/console/api/v1${path}`, { json: {} })).status).toBe(200);
  });
});
