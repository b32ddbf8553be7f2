import type { Principal } from '../../../src/kernel/principal.js';
import { CredentialDirectory } from '../../../src/secrets/credential-directory.js';
import { aByokSetting, BYOK_SECRET as SECRET, UNKNOWN_ID, type ByokSetting } from '../../support/api/byok-setting.js';
import type { TestService } from '../../support/services/test-service.js';

describe('the directory of the credentials that a call may use', () => {
  let setting: ByokSetting;
  let service: TestService;
  let create: ByokSetting['create'];
  beforeAll(async () => {
    setting = await aByokSetting();
    ({ service, create } = setting);
  });
  afterAll(() => service.stop());
  afterEach(() => setting.clear());
  const caller = async (): Promise<Principal> => {
    const [key] = await service.sql.query<{ hash: string; creator_user_id: string }>(
      `select hash, creator_user_id from api_key where key_class = 'standard' and workspace_id = $1`,
      [setting.workspaceId],
    );
    return {
      keyHash: key!.hash,
      accountId: setting.accountId,
      workspaceId: setting.workspaceId,
      creatorUserId: key!.creator_user_id,
    } as Principal;
  };
  /** Repeats the look-up until the notification of a change has arrived. */
  const eventually = async (expected: readonly string[]): Promise<void> => {
    const directory = service.app.get(CredentialDirectory, { strict: false });
    for (;;) {
      const found = (await directory.forCall(await caller(), 'cerebras', 'author/model')).map(({ id }) => id);
      if (found.join() === expected.join()) return;
    }
  };

  it('returns enabled credentials that admit the call, in the order of use, and is notified of changes', async () => {
    const { keyHash, creatorUserId } = await caller();
    const plain = await create();
    const fitting = await create({
      allowed_models: ['author/model'],
      allowed_api_key_hashes: [keyHash],
      allowed_user_ids: [creatorUserId],
    });
    await create({ disabled: true });
    await create({ provider: 'novita-ai' });
    await create({ workspace_id: setting.otherWorkspaceId });
    await create({ allowed_models: ['author/other'] });
    await create({ allowed_models: [] });
    await create({ allowed_user_ids: [UNKNOWN_ID] });

    await eventually([plain.id, fitting.id]);
    await service.management.patch(`/byok/${plain.id}`, { json: { sort_order: 9 } });
    await eventually([fitting.id, plain.id]);
    await service.management.patch(`/byok/${fitting.id}`, { json: { disabled: true } });
    await eventually([plain.id]);
  });

  it('knows the changes of its own process before a notification of them arrives', async () => {
    const found = async (): Promise<string[]> => {
      const directory = service.app.get(CredentialDirectory, { strict: false });
      return (await directory.forCall(await caller(), 'cerebras', 'author/model')).map(({ id }) => id);
    };
    await service.sql.query('alter table byok_credential disable trigger user');
    expect(await found()).toEqual([]);
    const { id } = await create();
    expect(await found()).toEqual([id]);
    await service.management.patch(`/byok/${id}`, { json: { disabled: true } });
    expect(await found()).toEqual([]);
    await service.management.patch(`/byok/${id}`, { json: { disabled: false } });
    await service.management.delete(`/byok/${id}`);
    expect(await found()).toEqual([]);
    await service.sql.query('alter table byok_credential enable trigger user');
  });

  it('writes an audit row when it opens a credential, and fails if the row cannot be written', async () => {
    const made = await create();
    const directory = service.app.get(CredentialDirectory, { strict: false });
    const place = { address: '192.0.2.1', requestId: null };

    expect((await directory.open(made.id, await caller(), place)).reveal()).toBe(SECRET);
    expect(
      await service.sql.query(`select actor, key_hash, resource_id, address from audit_entry where action = 'use'`),
    ).toEqual([{ actor: 'key', key_hash: (await caller()).keyHash, resource_id: made.id, address: '192.0.2.1' }]);
    await service.sql.query('alter table audit_entry rename to audit_entry_away');
    try {
      await expect(directory.open(made.id, await caller(), place)).rejects.toThrow();
    } finally {
      await service.sql.query('alter table audit_entry_away rename to audit_entry');
    }
  });

  it('opens neither a credential of another workspace nor sealed bytes that were moved to another row', async () => {
    const [mine, moved] = [await create(), await create({ key: 'another secret that is long' })];
    const directory = service.app.get(CredentialDirectory, { strict: false });
    await service.sql.query(
      'update byok_credential set sealed = (select sealed from byok_credential where id = $1) where id = $2',
      [mine.id, moved.id],
    );

    await expect(directory.open(moved.id, await caller())).rejects.toMatchObject({
      kind: 'internal',
      message: expect.stringContaining('cannot be opened'),
    });
    await expect(
      directory.open(mine.id, { ...(await caller()), workspaceId: setting.otherWorkspaceId }),
    ).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
