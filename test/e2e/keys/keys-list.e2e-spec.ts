import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const NOWHERE = '0'.repeat(64);

describe('API keys', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  const create = (fields: object) => makeKey(service.management, fields);

  describe('GET /keys', () => {
    it('lists the keys of the default workspace, newest first, and disabled keys only if requested', async () => {
      const first = (await create({ name: 'first' })).data;
      const second = (await create({ name: 'second' })).data;
      await service.management.patch(`/keys/${first.hash}`, { json: { disabled: true } });
      const hashes = async (query: string): Promise<string[]> =>
        (await service.management.get(`/keys${query}`)).json.data.map(({ hash }: { hash: string }) => hash);

      expect((await hashes(''))[0]).toBe(second.hash);
      expect(await hashes('')).not.toContain(first.hash);
      expect((await hashes('?include_disabled=true')).slice(0, 2)).toEqual([second.hash, first.hash]);
      expect((await hashes('?include_disabled=1&offset=1'))[0]).toBe(first.hash);
      expect(await hashes('?offset=100000')).toEqual([]);
    });

    it('returns at most 100 keys at a time', async () => {
      for (let made = 0; made < 105; made++) await create({ name: `many ${made}` });
      const [first, second] = [await service.management.get('/keys'), await service.management.get('/keys?offset=100')];

      expect(first.json.data).toHaveLength(100);
      expect(second.json.data.length).toBeGreaterThanOrEqual(5);
      const seen = [...first.json.data, ...second.json.data].map(({ hash }) => hash);
      expect(new Set(seen).size).toBe(seen.length);
    });

    it('lists the keys of the workspace in workspace_id, and returns 404 for an unknown workspace', async () => {
      const workspace = await makeWorkspace(service.management, { name: 'Side', slug: 'side' });
      const { data } = await create({ name: 'aside', workspace_id: workspace.id });

      expect((await service.management.get(`/keys?workspace_id=${workspace.id}`)).json).toEqual({ data: [data] });
      expect((await service.management.get('/keys?workspace_id=0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee')).status).toBe(
        404,
      );
    });

    it.each([
      'offset=-1',
      'offset=1.5',
      'offset=x',
      'include_disabled=maybe',
      'workspace_id=side',
      'offset=1&offset=2',
    ])('returns 400 for ?%s', async (query) => {
      expect((await service.management.get(`/keys?${query}`)).status).toBe(400);
    });

    it('ignores unknown query parameters, and treats an empty offset like a missing offset', async () => {
      expect((await service.management.get('/keys?colour=red&offset=&include_disabled=')).status).toBe(200);
    });
  });

  describe('/keys/{hash}', () => {
    it('returns 401 for a standard key and for a request without a key', async () => {
      expect((await service.standard.get(`/keys/${NOWHERE}`)).status).toBe(401);
      expect((await service.as().get(`/keys/${NOWHERE}`)).json).toEqual({
        error: { code: 401, message: 'Missing Authentication header' },
      });
    });

    it.each(['get', 'patch', 'delete'] as const)(
      'returns 404 for %s with an unknown or malformed hash',
      async (method) => {
        const request = method === 'patch' ? { json: { disabled: true } } : {};
        const unknown = await service.management[method](`/keys/${NOWHERE}`, request);
        expect(unknown.status).toBe(404);
        for (const path of ['/keys/nothing', `/keys/${'A'.repeat(64)}`, '/keys/%00'])
          expect((await service.management[method](path, request)).json).toEqual(unknown.json);
      },
    );
  });
});
