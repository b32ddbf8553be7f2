import { OpenRouter } from '@openrouter/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import { startInternsStage, type InternsStage } from '../../../support/interns/interns-stage.js';
import { TEST_API_KEY } from '../../../support/services/test-service.js';

/** Every operation of the unmodified SDK's interns and vault classes. Another test covers chat. */
describe('@openrouter/sdk under WIRE_DIALECT=openrouter', () => {
  let stage: InternsStage;
  let client: OpenRouter;
  beforeAll(async () => {
    stage = await startInternsStage({
      env: { WIRE_DIALECT: 'openrouter', INTERN_CHAT_INSTALL_REQUIRED: 'true', INTERN_LEASE_MS: '3000' },
    });
    client = new OpenRouter({
      apiKey: TEST_API_KEY,
      serverURL: `${stage.origin}/api/v1`,
      retryConfig: { strategy: 'none' },
    });
  });
  afterAll(() => stage.stop(), 30_000);

  async function untilIs(internId: string, status: string): Promise<void> {
    for (const end = performance.now() + 25_000; performance.now() < end; await sleep(50))
      if ((await client.interns.getIntern({ internId })).status === status) return;
    throw new Error(`intern ${internId} is not ${status} within 25 s`);
  }

  it('creates, replays, reads, updates and lists interns', async () => {
    const request = {
      createInternRequest: { name: 'sdk-one', description: 'By the SDK', instructions: null },
      idempotencyKey: 'sdk',
    };
    const made = await client.interns.createIntern(request);
    expect(made).toMatchObject({
      name: 'sdk-one',
      description: 'By the SDK',
      status: 'awaiting_slack_install',
      hostname: null,
      progress: null,
    });
    expect(made.vaultId).toEqual(expect.any(String));
    expect((await client.interns.createIntern(request)).id).toBe(made.id);
    expect(
      await client.interns.updateIntern({
        internId: made.id,
        updateInternRequest: { model: 'builtin/eliza', description: null },
      }),
    ).toMatchObject({ model: 'builtin/eliza', description: null });
    expect((await client.interns.getIntern({ internId: made.id })).model).toBe('builtin/eliza');
    await client.interns.createIntern({ createInternRequest: { name: 'sdk-two', vaultId: made.vaultId! } });
    const page = await client.interns.listInterns({ limit: 1, status: ['awaiting_slack_install', 'running'] });
    expect(page).toMatchObject({ hasMore: true, data: [{ name: 'sdk-two', attachedVaultId: made.vaultId }] });
    expect((await client.interns.listInterns({ limit: 1, startingAfter: page.nextCursor })).data[0]!.name).toBe(
      'sdk-one',
    );
  });

  it('provisions, suspends, resumes and deletes interns', async () => {
    const { id: internId } = await client.interns.createIntern({
      createInternRequest: { name: 'sdk-alive', provision: true },
    });
    await untilIs(internId, 'running');
    expect(await client.interns.suspendIntern({ internId })).toEqual({ suspended: true });
    expect((await client.interns.getIntern({ internId })).status).toBe('stopped');
    expect(await client.interns.provisionIntern({ internId })).toEqual({ provisioning: true });
    await untilIs(internId, 'running');
    expect(
      await client.interns.deleteIntern({ internId, deleteInternRequest: { acknowledgeWorkspaceLoss: false } }),
    ).toEqual({ deleting: true });
    for (const end = performance.now() + 25_000; performance.now() < end; await sleep(50)) {
      const gone = await client.interns.getIntern({ internId }).then(
        () => false,
        (error: { statusCode?: number }) => error.statusCode === 404,
      );
      if (gone) return;
    }
    throw new Error('not gone within 25 s');
  }, 90_000);

  it('stores, lists, copies and deletes secrets of a workspace and of an intern', async () => {
    const { id: internId } = await client.interns.createIntern({ createInternRequest: { name: 'sdk-vault' } });
    const stored = await client.vault.storeVaultSecret({
      name: 'api_token',
      vaultSecretWriteRequest: { value: 'x', hosts: ['API.example.com'] },
    });
    expect(stored.data).toMatchObject({
      name: 'api_token',
      hosts: ['api.example.com'],
      fingerprint: expect.stringMatching(/^sha256:/),
      createdAt: expect.any(Date),
    });
    await client.vault.storeInternVaultSecret({
      internId,
      name: 'own',
      vaultSecretWriteRequest: { value: 'y', hosts: ['b.example'] },
    });
    expect(
      (
        await client.vault.copyVaultSecretsToIntern({ internId, vaultSecretCopyRequest: { names: ['api_token'] } })
      ).data.map(({ name }) => name),
    ).toEqual(['api_token']);
    expect((await client.vault.listInternVaultSecrets({ internId })).data.map(({ name }) => name)).toEqual([
      'api_token',
      'own',
    ]);
    expect(await client.vault.listVaultSecrets()).toMatchObject({ hasMore: false, data: [{ name: 'api_token' }] });
    await client.vault.deleteInternVaultSecret({ internId, name: 'own' });
    await client.vault.deleteVaultSecret({ name: 'api_token' });
    expect((await client.vault.listVaultSecrets()).data).toEqual([]);
  });

  it('reads the errors of interns and vaults', async () => {
    await client.interns.createIntern({ createInternRequest: { name: 'taken' } });
    const refused = await client.interns
      .createIntern({ createInternRequest: { name: 'taken', description: 'x' } })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      statusCode: 409,
      error: { code: 409, metadata: { reason: 'name_taken', retryable: false } },
    });
    await expect(client.vault.deleteVaultSecret({ name: 'absent' })).rejects.toMatchObject({ statusCode: 404 });
  });
});
