import { OpenRouter } from '@openrouter/sdk';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../../support/services/test-service.js';

describe('@openrouter/sdk 1.3.19, unmodified', () => {
  let service: TestService;
  let management: OpenRouter;
  let standard: OpenRouter;
  beforeAll(async () => {
    service = await startTestService({ env: { WIRE_DIALECT: 'openrouter' } });
    const serverURL = `${service.origin}/api/v1`;
    management = new OpenRouter({ apiKey: TEST_MANAGEMENT_KEY, serverURL });
    standard = new OpenRouter({ apiKey: TEST_API_KEY, serverURL });
  });
  afterAll(() => service.stop());

  it('creates, lists, gets, updates and deletes keys, and reads its own key', async () => {
    const expiresAt = new Date('2027-01-31T00:00:00Z');
    const created = await management.apiKeys.create({
      requestBody: { name: 'SDK', limit: 12.5, limitReset: 'monthly', includeByokInLimit: true, expiresAt },
    });
    expect(created.key).toMatch(/^sk-gh-v1-[0-9a-f]{64}$/);
    expect(created.data).toMatchObject({
      name: 'SDK',
      limit: 12.5,
      limitRemaining: 12.5,
      limitReset: 'monthly',
      includeByokInLimit: true,
      disabled: false,
      expiresAt,
    });
    const { hash } = created.data;

    expect((await management.apiKeys.list()).data[0]).toEqual(created.data);
    expect((await management.apiKeys.get({ hash })).data).toEqual(created.data);
    const updated = await management.apiKeys.update({
      hash,
      requestBody: { name: 'Renamed', disabled: true, limit: null, limitReset: null },
    });
    expect(updated.data).toMatchObject({
      name: 'Renamed',
      disabled: true,
      limit: null,
      limitRemaining: null,
      limitReset: null,
    });
    expect((await management.apiKeys.list({ includeDisabled: true, offset: 0 })).data.map((key) => key.hash)).toContain(
      hash,
    );
    expect((await management.apiKeys.list({ includeDisabled: false })).data.map((key) => key.hash)).not.toContain(hash);
    expect(await management.apiKeys.delete({ hash })).toEqual({ deleted: true });
    await expect(management.apiKeys.get({ hash })).rejects.toMatchObject({ statusCode: 404 });
    expect((await standard.apiKeys.getCurrentKeyMetadata()).data).toMatchObject({
      isManagementKey: false,
      isFreeTier: false,
      limit: null,
    });
    await expect(standard.apiKeys.list()).rejects.toMatchObject({ statusCode: 401 });
  });

  it('reads the credits', async () => {
    expect((await management.credits.getCredits()).data).toEqual({ totalCredits: 100, totalUsage: 0 });
    await expect(standard.credits.getCredits()).rejects.toMatchObject({ statusCode: 403 });
  });

  it('creates, lists, gets, updates and deletes workspaces', async () => {
    const { data } = await management.workspaces.create({
      createWorkspaceRequest: {
        name: 'SDK',
        slug: 'sdk',
        description: null,
        defaultTextModel: 'a/b',
        ioLoggingApiKeyIds: [1],
      },
    });
    expect(data).toMatchObject({
      name: 'SDK',
      slug: 'sdk',
      description: null,
      defaultTextModel: 'a/b',
      ioLoggingApiKeyIds: [1],
      updatedAt: null,
    });

    const pages = [];
    for await (const page of await management.workspaces.list({ limit: 1 })) pages.push(...page.result.data);
    expect(pages.map(({ slug }) => slug)).toEqual(['default', 'sdk']);
    expect((await management.workspaces.get({ id: data.id })).data).toEqual(data);
    expect((await management.workspaces.get({ id: 'sdk' })).data).toEqual(data);
    const updated = await management.workspaces.update({
      id: data.id,
      updateWorkspaceRequest: { description: 'From the SDK' },
    });
    expect(updated.data).toMatchObject({ ...data, description: 'From the SDK', updatedAt: expect.any(String) });
    expect(await management.workspaces.delete({ id: data.id })).toEqual({ deleted: true });
    await expect(management.workspaces.get({ id: data.id })).rejects.toMatchObject({ statusCode: 404 });
    await expect(management.workspaces.delete({ id: 'default' })).rejects.toMatchObject({ statusCode: 400 });
  });

  it('creates, lists, gets, updates, rotates and deletes credentials for BYOK', async () => {
    const key = 'sk-own-credential-0123456789-AbCd';
    const own = (await management.apiKeys.create({ requestBody: { name: 'For the credential' } })).data.hash;
    const { data } = await management.byok.create({
      createBYOKKeyRequest: {
        provider: 'openai',
        key,
        name: 'SDK',
        allowedModels: ['a/b'],
        allowedApiKeyHashes: [own],
        isFallback: true,
      },
    });
    expect(data).toMatchObject({
      provider: 'openai',
      name: 'SDK',
      disabled: false,
      isFallback: true,
      allowedModels: ['a/b'],
      allowedApiKeyHashes: [own],
      allowedUserIds: null,
      sortOrder: expect.any(Number),
    });
    expect(JSON.stringify(data)).not.toContain(key);
    const second = (
      await management.byok.create({
        createBYOKKeyRequest: { provider: 'groq', key: 'gsk-another-credential-0123456789' },
      })
    ).data;

    const pages = [];
    for await (const { result } of await management.byok.list({ limit: 1 })) {
      pages.push(...result.data);
      expect(result.totalCount).toBe(2);
    }
    expect(pages.map(({ id }) => id).toSorted()).toEqual([data.id, second.id].toSorted());
    const ofOne = [];
    for await (const { result } of await management.byok.list({ provider: 'openai', workspaceId: data.workspaceId! }))
      ofOne.push(...result.data);
    expect(ofOne).toEqual([data]);
    expect((await management.byok.get({ id: data.id })).data).toEqual(data);
    const updated = await management.byok.update({
      id: data.id,
      updateBYOKKeyRequest: {
        name: 'Renamed',
        disabled: true,
        isFallback: false,
        allowedModels: null,
        allowedApiKeyHashes: null,
      },
    });
    expect(updated.data).toEqual({
      ...data,
      name: 'Renamed',
      disabled: true,
      isFallback: false,
      allowedModels: null,
      allowedApiKeyHashes: null,
    });
    const rotated = await management.byok.update({
      id: data.id,
      updateBYOKKeyRequest: { key: 'sk-rotated-credential-987654321-WxYz' },
    });
    expect(rotated.data).toEqual({ ...updated.data, label: expect.stringMatching(/WxYz$/) });
    for (const { id } of [data, second]) {
      expect(await management.byok.delete({ id })).toEqual({ deleted: true });
      await expect(management.byok.get({ id })).rejects.toMatchObject({ statusCode: 404 });
    }
    await expect(standard.byok.create({ createBYOKKeyRequest: { provider: 'openai', key } })).rejects.toMatchObject({
      statusCode: 403,
    });
  });

  it('reads the activity of a day, and of the last 30 days without the current day', async () => {
    const json = { model: 'builtin/flite', voice: 'slt', input: 'Hi' };
    const spoken = await service.standard.post('/audio/speech', { json });
    const generation = await service.standard.get(`/generation?id=${spoken.headers.get('x-generation-id')}`);
    const date = generation.json.data.created_at.slice(0, 10);
    expect((await management.analytics.getUserActivity({ date })).data).toEqual([
      {
        date,
        model: 'builtin/flite',
        modelPermaslug: 'builtin/flite',
        endpointId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        providerName: 'Gatehouse built-in',
        usage: 0.000002,
        byokUsageInference: 0,
        requests: 1,
        promptTokens: 0,
        completionTokens: 0,
        reasoningTokens: 0,
      },
    ]);
    expect((await management.analytics.getUserActivity()).data).toEqual([]);
    await expect(standard.analytics.getUserActivity()).rejects.toMatchObject({ statusCode: 403 });
  });
});
