import Anthropic from '@anthropic-ai/sdk';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

describe("models.list of Anthropic's SDK", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const client = (apiKey: string): Anthropic =>
    new Anthropic({ apiKey, authToken: null, baseURL: `${service.origin}/api`, maxRetries: 0 });
  const listed = async (): Promise<{ id: string; name: string; created: number }[]> =>
    (await service.standard.get('/models')).json.data;

  it('has the id, the display name and the time of every model of GET /models', async () => {
    const { data, has_more: hasMore } = await client(TEST_API_KEY).models.list();
    expect(hasMore).toBe(false);
    expect(data).toEqual(
      (await listed()).map(({ id, name, created }) => ({
        type: 'model',
        id,
        display_name: name,
        created_at: new Date(created * 1_000).toISOString(),
      })),
    );
  });

  it('reads pages forwards and backwards', async () => {
    const ids = (await listed()).map(({ id }) => id);
    const found: string[] = [];
    for await (const { id } of client(TEST_API_KEY).models.list({ limit: 50 })) found.push(id);
    expect(found).toEqual(ids);
    const before = await client(TEST_API_KEY).models.list({ limit: 2, before_id: ids[5]! });
    expect([before.data.map(({ id }) => id), before.has_more]).toEqual([ids.slice(3, 5), true]);
  });

  it('fails with 400 for an unknown after_id, and with 401 and x-should-retry: false for a wrong key', async () => {
    const { models } = client(TEST_API_KEY);
    await expect(models.list({ after_id: 'no/such' })).rejects.toThrow(Anthropic.BadRequestError);
    const error: unknown = await client('sk-gh-v1-wrong')
      .models.list()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
    expect((error as { headers: Headers }).headers.get('x-should-retry')).toBe('false');
  });

  it('needs the header anthropic-version: without it, GET /models returns the list of the specification', async () => {
    expect(Object.keys((await service.standard.get('/models?limit=1')).json.data[0])).toContain('canonical_slug');
  });
});
