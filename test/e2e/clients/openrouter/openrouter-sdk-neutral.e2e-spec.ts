import { OpenRouter } from '@openrouter/sdk';
import { BYOKProviderSlug } from '@openrouter/sdk/models';
import { BadRequestResponseError } from '@openrouter/sdk/models/errors';
import { eventually } from '../../../support/eventually.js';
import { startInternsStage, type InternsStage } from '../../../support/interns/interns-stage.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../../support/services/test-service.js';

const MESSAGES = [{ role: 'user' as const, content: 'Hello' }];

async function countOf(stream: unknown): Promise<number> {
  let events = 0;
  for await (const event of stream as AsyncIterable<unknown>) events += event === undefined ? 0 : 1;
  return events;
}

/**
 * Every operation of the SDK that this service supports. Operations on a resource use the resource that an earlier
 * operation created.
 */
describe('@openrouter/sdk 1.3.19, unmodified, in the neutral dialect', () => {
  let service: TestService;
  let management: OpenRouter;
  let standard: OpenRouter;
  beforeAll(async () => {
    service = await startTestService();
    const at = { serverURL: `${service.origin}/api/v1`, retryConfig: { strategy: 'none' as const } };
    management = new OpenRouter({ apiKey: TEST_MANAGEMENT_KEY, ...at });
    standard = new OpenRouter({ apiKey: TEST_API_KEY, ...at });
  });
  afterAll(() => service.stop());

  it('creates, reads, changes and deletes own credentials', async () => {
    const key = 'sk-own-credential-0123456789-AbCd';
    const { data } = await management.byok.create({ createBYOKKeyRequest: { provider: 'openai', key, name: 'SDK' } });
    expect(data).toMatchObject({ provider: 'openai', name: 'SDK', isRequired: false, isByokOnly: false });
    const pages = await management.byok.list();
    expect(pages.result).toEqual({ data: [data], totalCount: 1 });
    for (const provider of Object.values(BYOKProviderSlug)) {
      const { totalCount } = (await management.byok.list({ provider })).result;
      expect([provider, totalCount]).toEqual([provider, provider === 'openai' ? 1 : 0]);
    }
    expect((await management.byok.get({ id: data.id })).data).toEqual(data);
    const changed = await management.byok.update({ id: data.id, updateBYOKKeyRequest: { name: 'Other' } });
    expect(changed.data.name).toBe('Other');
    expect(await management.byok.delete({ id: data.id })).toEqual({ deleted: true });
  });

  it('creates, reads, changes and deletes keys and workspaces', async () => {
    const { data } = await management.apiKeys.create({ requestBody: { name: 'SDK' } });
    const { hash } = data;
    expect((await management.apiKeys.list()).data[0]).toEqual(data);
    expect((await management.apiKeys.get({ hash })).data).toEqual(data);
    expect((await management.apiKeys.update({ hash, requestBody: { name: 'B' } })).data.name).toBe('B');
    expect(await management.apiKeys.delete({ hash })).toEqual({ deleted: true });
    expect((await standard.apiKeys.getCurrentKeyMetadata()).data.isManagementKey).toBe(false);
    const made = await management.workspaces.create({ createWorkspaceRequest: { name: 'SDK', slug: 'sdk' } });
    const { id } = made.data;
    expect((await management.workspaces.list()).result.data).toHaveLength(2);
    expect((await management.workspaces.get({ id })).data).toEqual(made.data);
    await management.workspaces.update({ id, updateWorkspaceRequest: { description: 'x' } });
    expect(await management.workspaces.delete({ id })).toEqual({ deleted: true });
  });

  it('uploads, reads, lists and deletes files', async () => {
    const { files } = management;
    const file = await files.upload({ requestBody: { file: new File(['{}'], 'a.json') } });
    // Without `_shape`, the SDK cannot determine the form and returns the record unchanged.
    const { raw } = file as unknown as { raw: { id: string } };
    expect(raw).toMatchObject({ filename: 'a.json', type: 'file' });
    await files.retrieve({ fileId: raw.id });
    await files.list();
    // Uploads are not downloadable. The SDK throws its own error class.
    await expect(files.download({ fileId: raw.id })).rejects.toBeInstanceOf(BadRequestResponseError);
    await files.delete({ fileId: raw.id });
  });

  it('reads models, providers, benchmarks, credits, members and analytics', async () => {
    expect((await standard.models.list({})).result.totalCount).toBeGreaterThan(100);
    expect((await standard.models.count({})).data.count).toBeGreaterThan(100);
    expect((await standard.models.get({ author: 'builtin', slug: 'eliza' })).data.id).toBe('builtin/eliza');
    expect((await standard.models.listForUser({ bearer: TEST_API_KEY }, {})).result.data.length).toBeGreaterThan(0);
    expect((await standard.embeddings.listModels({})).result.data.length).toBeGreaterThan(0);
    expect((await standard.endpoints.list({ author: 'builtin', slug: 'eliza' })).data.id).toBe('builtin/eliza');
    expect((await standard.endpoints.listZdrEndpoints()).data.length).toBeGreaterThan(0);
    expect((await standard.providers.list()).data.length).toBeGreaterThan(0);
    // The SDK does not accept the neutral names of the benchmark sources.
    await expect(standard.benchmarks.getBenchmarks({})).rejects.toThrow('validation');
    expect((await management.credits.getCredits()).data.totalCredits).toBeGreaterThan(0);
    await management.analytics.getUserActivity();
    await management.analytics.getAnalyticsMeta();
    await management.analytics.queryAnalytics({ requestBody: { metrics: ['request_count'] } });
    expect((await standard.images.listModels()).data.length).toBeGreaterThan(0);
    await standard.images.listModelEndpoints({ author: 'builtin', slug: 'poster' });
  });

  it('calls models of every kind, and reads the cost of a call', async () => {
    const chat = await standard.chat.send({ chatRequest: { model: 'builtin/eliza', messages: MESSAGES } });
    const { id } = chat as { id: string };
    expect((await standard.generations.getGeneration({ id })).data.providerName).toBe('Gatehouse built-in');
    const stream = await standard.chat.send({
      chatRequest: { model: 'builtin/eliza', messages: MESSAGES, stream: true },
    });
    expect(await countOf(stream)).toBeGreaterThan(2);
    await standard.embeddings.generate({ requestBody: { model: 'builtin/lexical-embedding', input: 'Hello' } });
    await standard.rerank.rerank({
      requestBody: { model: 'builtin/lexical-embedding', query: 'a', documents: ['a', 'b'] },
    });
    const responsesRequest = { model: 'builtin/eliza', input: 'Hello' };
    await standard.responses.send({ responsesRequest });
    await standard.beta.responses.send({ responsesRequest });
    const events = await standard.responses.send({ responsesRequest: { ...responsesRequest, stream: true } });
    expect(await countOf(events)).toBeGreaterThan(2);
    const imageGenerationRequest = { model: 'builtin/poster', prompt: 'x', size: '64x64' };
    await standard.images.generate({ imageGenerationRequest });
    const pictures = await standard.images.generate({
      imageGenerationRequest: { ...imageGenerationRequest, stream: true },
    });
    expect(await countOf(pictures)).toBeGreaterThan(0);
    await standard.tts.createSpeech({ speechRequest: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } });
  });
});

describe('@openrouter/sdk on interns and vaults, in the neutral dialect', () => {
  let stage: InternsStage;
  let client: OpenRouter;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_CHAT_INSTALL_REQUIRED: 'true' } });
    const serverURL = `${stage.origin}/api/v1`;
    client = new OpenRouter({ apiKey: TEST_API_KEY, serverURL, retryConfig: { strategy: 'none' } });
  });
  afterAll(() => stage.stop(), 30_000);

  it('creates, reads, changes, provisions, suspends and deletes interns, and stores secrets', async () => {
    const { interns, vault } = client;
    const made = await interns.createIntern({ createInternRequest: { name: 'sdk-intern' } });
    expect(made.status).toBe('awaiting_chat_install');
    const { id: internId } = made;
    expect((await interns.listInterns({})).data[0]!.id).toBe(internId);
    expect((await interns.getIntern({ internId })).name).toBe('sdk-intern');
    await interns.updateIntern({ internId, updateInternRequest: { description: 'x' } });
    const vaultSecretWriteRequest = { value: 'v', hosts: ['example.com'] };
    await vault.storeVaultSecret({ name: 'one', vaultSecretWriteRequest });
    expect((await vault.listVaultSecrets({})).data).toHaveLength(1);
    await vault.storeInternVaultSecret({ internId, name: 'two', vaultSecretWriteRequest });
    await vault.copyVaultSecretsToIntern({ internId, vaultSecretCopyRequest: { names: ['one'] } });
    expect((await vault.listInternVaultSecrets({ internId })).data).toHaveLength(2);
    await vault.deleteInternVaultSecret({ internId, name: 'two' });
    await vault.deleteVaultSecret({ name: 'one' });
    expect(await interns.provisionIntern({ internId })).toEqual({ provisioning: true });
    await eventually(async () => expect((await interns.getIntern({ internId })).status).toBe('running'), 25_000);
    expect(await interns.suspendIntern({ internId })).toEqual({ suspended: true });
    expect((await interns.getIntern({ internId })).status).toBe('stopped');
    expect(await interns.deleteIntern({ internId, deleteInternRequest: {} })).toEqual({ deleting: true });
  }, 60_000);
});
