import OpenAI, { toFile } from 'openai';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

describe('openai', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const client = (apiKey: string): OpenAI => new OpenAI({ apiKey, baseURL: `${service.origin}/api/v1`, maxRetries: 0 });

  describe('models.retrieve', () => {
    it('gets the record of models.list', async () => {
      const { models } = client(TEST_API_KEY);
      const listed = (await models.list({ query: { output_modalities: 'all' } })).data;
      for (const id of ['builtin/poster', 'builtin/eliza', 'openai/gpt-image-1'])
        expect(await models.retrieve(id)).toEqual(listed.find((model) => model.id === id));
    });

    it('calls a route that also accepts an unencoded slash in the id, and returns 304 without a body', async () => {
      const { headers, json } = await service.standard.get('/models/builtin/poster');
      expect(json.id).toBe('builtin/poster');
      const again = await service.standard.get('/models/builtin/poster', {
        headers: { 'if-none-match': headers.get('etag')! },
      });
      expect([again.status, again.text]).toEqual([304, '']);
    });

    it.each(['no/such', 'no-such-model', 'builtin/poster/more', 'a b/ü', 'count/x'])(
      'throws NotFoundError for %s',
      async (id) => {
        await expect(client(TEST_API_KEY).models.retrieve(id)).rejects.toThrow(OpenAI.NotFoundError);
      },
    );

    it('calls a route that does not hide the other routes below /models', async () => {
      const { standard } = service;
      expect((await standard.get('/models/count')).json.data.count).toBeGreaterThan(1);
      expect(Array.isArray((await standard.get('/models/user')).json.data)).toBe(true);
      expect((await standard.get('/models/builtin/poster/endpoints')).json.data.endpoints).toHaveLength(1);
      expect((await standard.get('/model/builtin/poster')).json.data.id).toBe('builtin/poster');
    });
  });

  describe('files', () => {
    it('creates, reads, lists and deletes files with a management key; the purpose is ignored', async () => {
      const { files } = client(TEST_MANAGEMENT_KEY);
      const made = [];
      for (const name of ['one.txt', 'two.txt', 'three.txt'])
        made.push(await files.create({ file: await toFile(Buffer.from('text'), name), purpose: 'assistants' }));
      expect(made[0]).toMatchObject({ filename: 'one.txt', mime_type: 'text/plain', size_bytes: 4 });
      expect(await files.retrieve(made[0]!.id)).toEqual(made[0]);

      const listed = [];
      for await (const file of files.list({ limit: 2 })) listed.push(file);
      expect(listed).toEqual(made);

      await files.delete(made[0]!.id);
      await expect(files.retrieve(made[0]!.id)).rejects.toThrow(OpenAI.NotFoundError);
    });

    it('throws PermissionDeniedError with a standard key', async () => {
      const create = client(TEST_API_KEY).files.create({
        file: await toFile(Buffer.from('text'), 'a.txt'),
        purpose: 'user_data',
      });
      await expect(create).rejects.toThrow(OpenAI.PermissionDeniedError);
    });
  });
});
