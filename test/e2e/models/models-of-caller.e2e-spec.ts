import { KeyDirectory } from '../../../src/auth/key-directory.js';
import { hashOfKey } from '../../../src/auth/key-secret.js';
import { CredentialDirectory } from '../../../src/secrets/credential-directory.js';
import { Workspaces } from '../../../src/tenancy/workspaces.js';
import { makeKey } from '../../support/api/api-builders.js';
import type { ApiAnswer, ApiClient } from '../../support/api/api-client.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const BUILT_IN = ['builtin/eliza', 'builtin/flite', 'builtin/lexical-embedding', 'builtin/poster'];
const idsOf = (answer: ApiAnswer): string[] => answer.json.data.map(({ id }: { id: string }) => id).toSorted();
const listOf = async (client: ApiClient, query = ''): Promise<string[]> =>
  idsOf(await client.get(`/models/user${query}`));
const call = (client: ApiClient, model: string, outputs: readonly string[]): Promise<ApiAnswer> =>
  outputs.includes('image')
    ? client.post('/images', { json: { model, prompt: 'A kite' } })
    : client.post('/audio/speech', { json: { model, input: 'Hello', voice: 'alloy', response_format: 'mp3' } });

describe('without any credential of a vendor', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { BOOTSTRAP_CREDITS_USD: '0.01' } });
    teach(service, {
      'lacking/address': [
        anImageEndpoint('azure', { adapter: 'ai-sdk', package: '@ai-sdk/azure', needsCredential: false }),
      ],
      'lacking/package': [
        aSpeechEndpoint('xai', { adapter: 'ai-sdk', package: '@ai-sdk/nothing', needsCredential: false }),
      ],
      'lacking/vendor': [anImageEndpoint('nobody', { needsCredential: false })],
      'lacking/adapter': [aSpeechEndpoint('openai', { adapter: 'telepathy', needsCredential: false })],
      'lacking/one-of-two': [
        anImageEndpoint('azure', { adapter: 'ai-sdk', package: '@ai-sdk/azure' }),
        anImageEndpoint('builtin', {
          adapter: 'builtin-poster',
          needsCredential: false,
          pricing: [{ billable: 'output_image', unit: 'image', costUsd: '0.0001' }],
        }),
      ],
    });
  });
  afterAll(() => service.stop());

  it('GET /models/user lists the built-in models, in the form of GET /models', async () => {
    const answer = await service.standard.get('/models/user');
    expect(idsOf(answer)).toEqual([...BUILT_IN, 'lacking/one-of-two']);
    expect(answer.json.total_count).toBe(5);
    const listed = (await service.standard.get('/models?output_modalities=all')).json.data;
    for (const model of answer.json.data)
      expect(model).toEqual(listed.find(({ id }: { id: string }) => id === model.id));
  });

  it('calls of all other image and speech models return a 404 that names what is missing', async () => {
    const callable = await listOf(service.standard);
    const models = (await service.standard.get('/models?output_modalities=image,audio')).json.data as {
      id: string;
      architecture: { output_modalities: string[] };
    }[];
    expect(models.length).toBeGreaterThan(20);
    for (const { id, architecture } of models) {
      const { status, json } = await call(service.standard, id, architecture.output_modalities);
      expect([id, status]).toEqual([id, callable.includes(id) ? 200 : 404]);
      if (status === 404) expect(json.error.message).toMatch(/_API_KEY|no endpoint|BASE_URL|package|adapter|provider/);
    }
  });

  it.each([
    ['openai/gpt-image-1', 'OPENAI_API_KEY'],
    ['black-forest-labs/flux-pro', 'REPLICATE_API_KEY'],
    ['openai/tts-1', 'OPENAI_API_KEY'],
    ['lacking/address', 'AZURE_BASE_URL'],
    ['lacking/package', '@ai-sdk/nothing'],
    ['lacking/vendor', 'nobody'],
    ['lacking/adapter', 'telepathy'],
  ])('a call of %s returns a 404 that names %s', async (model, named) => {
    const outputs = /tts|package|adapter/.test(model) ? ['audio'] : ['image'];
    const answer = await call(service.standard, model, outputs);
    expect([answer.status, answer.json.error.message]).toEqual([404, expect.stringContaining(named)]);
  });

  it('POST /images validates the request only if an endpoint can be called', async () => {
    const answer = await service.standard.post('/images', {
      json: { model: 'openai/gpt-image-1', prompt: 'A kite', size: '1x1' },
    });
    expect(answer.status).toBe(404);
  });

  it('GET /models/user accepts output_modalities, offset and limit, and returns 400 for invalid values', async () => {
    expect(await listOf(service.standard, '?output_modalities=audio')).toEqual(['builtin/flite']);
    expect(await listOf(service.standard, '?output_modalities=text')).toEqual(['builtin/eliza']);
    const { json } = await service.standard.get('/models/user?limit=1');
    expect([json.data.length, json.total_count, json.links.next]).toEqual([
      1,
      5,
      '/api/v1/models/user?limit=1&offset=1',
    ]);
    expect((await service.standard.get('/models/user?limit=1&offset=4')).json.links.next).toBeNull();
    for (const query of ['output_modalities=smell', 'limit=0', 'offset=-1'])
      expect([query, (await service.standard.get(`/models/user?${query}`)).status]).toEqual([query, 400]);
  });
});

describe('GET /models/user with credentials', () => {
  let service: TestService;
  let otherKey: ApiClient;
  beforeAll(async () => {
    service = await startTestService({ env: { OPENAI_API_KEY: 'the-platforms-credential' } });
    const { accountId, creatorUserId } = (await service.app
      .get(KeyDirectory, { strict: false })
      .find(hashOfKey(TEST_API_KEY)))!.principal;
    const other = await service.app
      .get(Workspaces, { strict: false })
      .create({ accountId, name: 'Other', slug: 'other', createdBy: creatorUserId });
    otherKey = service.as((await makeKey(service.management, { name: 'Other', workspace_id: other.id })).key);
  });
  afterEach(async () => {
    for (const { id } of (await service.management.get('/byok')).json.data)
      await service.management.delete(`/byok/${id}`);
    await known(0);
  });
  afterAll(() => service.stop());

  const GOOGLE = 'google/gemini-2.5-flash-image';
  const bring = async (fields: object = {}): Promise<string> =>
    (
      await service.management.post('/byok', {
        json: { provider: 'google', key: 'own-credential-0123456789', ...fields },
      })
    ).json.data.id;
  /** Waits until this replica has this number of credentials for the key and the model. */
  const known = async (count: number): Promise<void> => {
    const { principal } = (await service.app.get(KeyDirectory, { strict: false }).find(hashOfKey(TEST_API_KEY)))!;
    while (
      (await service.app.get(CredentialDirectory, { strict: false }).forCall(principal, 'google', GOOGLE)).length !==
      count
    )
      await new Promise(setImmediate);
  };

  it("lists the models of the platform's credentials, and no others", async () => {
    const listed = await listOf(service.standard);
    expect(listed).toEqual(
      expect.arrayContaining([...BUILT_IN, 'openai/gpt-image-1', 'openai/gpt-4o-mini-tts', 'openai/tts-1']),
    );
    expect(listed.filter((id) => !/^(builtin|openai)\//.test(id))).toEqual([]);
  });

  it("adds the models of a workspace's own credentials for the keys of this workspace only", async () => {
    expect(await listOf(service.standard)).not.toContain(GOOGLE);
    await bring();
    await known(1);
    expect(await listOf(service.standard)).toContain(GOOGLE);
    expect(await listOf(otherKey)).not.toContain(GOOGLE);
  });

  it.each([
    ['disabled', { disabled: true }],
    ['for another key only', { allowed_api_key_hashes: ['KEY'] }],
    ['for other models only', { allowed_models: ['google/other'] }],
    ['for another member only', { allowed_user_ids: ['somebody'] }],
  ])('omits a model whose only credential is %s', async (_, fields) => {
    const { hash } = (await makeKey(service.management, { name: 'x' })).data;
    await bring(JSON.parse(JSON.stringify(fields).replace('KEY', hash)) as object);
    await bring({ provider: 'replicate' });
    while (!(await listOf(service.standard)).includes('luma/photon')) await new Promise(setImmediate);
    expect(await listOf(service.standard)).not.toContain(GOOGLE);
  });
});
