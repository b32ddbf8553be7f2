import { ACCESS_EXTENSION } from '../../../src/kernel/access/access-matrix.js';
import { routesOf, type OpenApiDocument, type Operation } from '../../support/api/openapi-document.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

/** The access classes of inference. */
const INFERENCE: readonly unknown[] = ['images', 'speech', 'text'];
/** Counts tokens without calling a model, so it has a separate limit. */
const COUNTING = '/messages/count_tokens';

const accessClassOf = (operation: Operation): unknown =>
  (operation as { [ACCESS_EXTENSION]?: unknown })[ACCESS_EXTENSION];

describe('RATE_LIMIT_INFERENCE', () => {
  let service: TestService;
  let routes: string[];
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_INFERENCE: '1000/60', RATE_LIMIT_OTHER: 'off' } });
    const document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    routes = routesOf(document)
      .filter(({ method, operation }) => method === 'post' && INFERENCE.includes(accessClassOf(operation)))
      .map(({ path }) => path.replace(/^\/api\/v1/, ''))
      .filter((path) => path !== COUNTING);
  });
  afterAll(() => service.stop());

  const limitOf = async (path: string): Promise<string | null> =>
    (await service.standard.post(path, { json: {} })).headers.get('x-ratelimit-limit');

  it('applies to all inference routes: text, images and speech', async () => {
    expect(routes).toEqual(
      expect.arrayContaining([
        '/audio/speech',
        '/audio/transcriptions',
        '/chat/completions',
        '/completions',
        '/embeddings',
        '/images',
        '/messages',
        '/rerank',
        '/responses',
      ]),
    );
    const limits = [];
    for (const path of routes) limits.push([path, await limitOf(path)]);

    expect(limits).toEqual(routes.map((path) => [path, '1000']));
  });

  it('does not limit operations that call no model', async () => {
    expect((await service.standard.get('/models')).headers.get('x-ratelimit-limit')).toBeNull();
    expect((await service.management.get('/keys')).headers.get('x-ratelimit-limit')).toBeNull();
  });
});
