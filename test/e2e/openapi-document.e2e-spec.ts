import { randomUUID } from 'node:crypto';
import { faultsOf } from '../support/document-faults.js';
import { type DocumentedRoute, type OpenApiDocument, routesOf } from '../support/openapi-document.js';
import { startTestService, type TestService } from '../support/test-service.js';

/** What the examples of paths with a parameter are tried on: made first, one for each example. */
const THINGS: Readonly<Record<string, (management: TestService['management']) => Promise<string>>> = {
  '/byok/{id}': async (management) =>
    `/byok/${(await management.post('/byok', { json: { provider: 'cerebras', key: 'any' } })).json.data.id}`,
  '/end-users/{user}': async (management) =>
    `/end-users/${(await management.post('/end-users', { json: { user: randomUUID() } })).json.data.user}`,
  '/keys/{hash}': async (management) =>
    `/keys/${(await management.post('/keys', { json: { name: 'example' } })).json.data.hash}`,
  '/workspaces/{id}': async (management) =>
    `/workspaces/${(await management.post('/workspaces', { json: { name: 'example', slug: randomUUID() } })).json.data.id}`,
};

describe('the OpenAPI document', () => {
  let service: TestService;
  let document: OpenApiDocument;
  let operations: readonly DocumentedRoute[];

  beforeAll(async () => {
    service = await startTestService({ env: { MASTER_KEY: '0'.repeat(64), INTERN_RUNTIME: 'none' } });
    const answer = await fetch(`${service.origin}/api/v1/openapi.json`);
    document = (await answer.json()) as OpenApiDocument;
    operations = routesOf(document).filter(({ path }) => path.startsWith('/api/v1/'));
  });

  afterAll(() => service.stop());

  it('is valid OpenAPI 3.1, and its examples fit their schemas', async () => {
    expect(operations.length).toBeGreaterThan(4);
    expect(await faultsOf(document)).toEqual([]);
  });

  it('is version 1.0.0 of the interface', () => {
    expect(document.info.version).toBe('1.0.0');
  });

  it('asks for a bearer key on every operation below /api/v1', () => {
    const open = operations.filter(({ operation }) => !operation.security?.some((scheme) => 'bearer' in scheme));

    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(document.components?.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
  });

  it('documents for every operation the failures that any route may answer', () => {
    const missing = operations.flatMap(({ method, path, operation }) =>
      ['400', '401', '413', '429', '500']
        .filter((status) => !(status in operation.responses))
        .map((status) => `${method} ${path} ${status}`),
    );

    expect(missing).toEqual([]);
  });

  it('gives every operation that takes a body an example of it', () => {
    const bare = operations.filter(({ operation }) => {
      const media = operation.requestBody?.content['application/json'];
      return media && media.example === undefined && Object.keys(media.examples ?? {}).length === 0;
    });

    expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('gives examples that work as they are', async () => {
    // A path with an id in it has nothing to work on here; its examples are held to their schemas above.
    const requests = operations
      .filter(({ path }) => !path.includes('{'))
      .flatMap(({ method, path, operation }) =>
        Object.entries(operation.requestBody?.content['application/json']?.examples ?? {}).map(([name, { value }]) => ({
          method,
          path,
          name,
          value,
        })),
      );
    const refused: string[] = [];
    for (const { method, path, name, value } of requests) {
      const template = path.replace('/api/v1', '');
      const below = (await THINGS[template]?.(service.management)) ?? template;
      const send = (client: TestService['standard']) => client[method as 'post'](below, { json: value });
      const answers = [await send(service.standard), await send(service.management)];
      // One of the two classes of key may do it.
      if (!answers.some(({ status }) => status < 300))
        refused.push(`${method} ${path} ${name}: ${answers.map(({ status }) => status).join(', ')}`);
    }

    expect(requests.length).toBeGreaterThan(3);
    expect(refused).toEqual([]);
  });
});
