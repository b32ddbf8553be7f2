import { aModel, anEndpoint } from '../../support/catalogue/catalogue-builder.js';
import { faultsOf } from '../../support/api/document-faults.js';
import { type DocumentedRoute, type OpenApiDocument, resolved, routesOf } from '../../support/api/openapi-document.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';
import { teachModels } from '../../support/catalogue/test-catalogue.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const RATE_LIMIT_HEADERS = ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

describe('the OpenAPI document', () => {
  let service: TestService;
  let vendor: ScriptedChatVendor;
  let document: OpenApiDocument;
  let operations: readonly DocumentedRoute[];

  beforeAll(async () => {
    vendor = await startScriptedChatVendor();
    service = await startTestService({
      env: {
        MASTER_KEY: '0'.repeat(64),
        INTERN_RUNTIME: 'none',
        SMTP_URL: 'smtp://localhost:1',
        SMTP_FROM: 'alerts@example.com',
        OPENAI_API_KEY: 'sk-scripted-vendor-credential',
        OPENAI_BASE_URL: vendor.baseUrl,
      },
    });
    // A model for an operation that no built-in model serves.
    const endpoint = anEndpoint('openai', {
      capability: 'transcription',
      adapter: 'openai-compatible',
      pricing: [{ billable: 'input_audio', unit: 'second', costUsd: '0.0001' }],
    });
    teachModels(service, [aModel('author/transcription-model', { endpoints: [endpoint] })]);
    const answer = await fetch(`${service.origin}/api/v1/openapi.json`);
    document = (await answer.json()) as OpenApiDocument;
    operations = routesOf(document).filter(({ path }) => path.startsWith('/api/v1/'));
  });

  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });

  it('is valid OpenAPI 3.1, and its examples fit their schemas', async () => {
    expect(operations.length).toBeGreaterThan(4);
    expect(await faultsOf(document)).toEqual([]);
  });

  it('has the version 1.0.0', () => {
    expect(document.info.version).toBe('1.0.0');
  });

  it('requires a bearer key on every operation below /api/v1 except five public operations', () => {
    const open = operations.filter(({ operation }) => !operation.security?.some((scheme) => 'bearer' in scheme));

    // A caller with the name of an image, a code or a token needs no key. The other two operations are public.
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'get /api/v1/images/links/{name}',
      'get /api/v1/identity-providers',
      'post /api/v1/auth/keys',
      'post /api/v1/oauth/token',
      'get /api/v1/oauth/jwks',
    ]);
    expect(document.components?.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
  });

  it('documents 400, 401, 413, 429 and 500 for every operation', () => {
    const missing = operations.flatMap(({ method, path, operation }) =>
      ['400', '401', '413', '429', '500']
        .filter((status) => !(status in operation.responses))
        .map((status) => `${method} ${path} ${status}`),
    );

    expect(missing).toEqual([]);
  });

  it('forbids additional properties in the objects in which the specification forbids them', () => {
    const schemas = document.components!.schemas as Record<string, { additionalProperties?: unknown }>;
    const records = ['ByokRecord', 'EndUserRecord', 'FileRecord', 'InternResponse', 'KeyRecord'];
    const names = [...records, 'ErrorEnvelope', 'ErrorBodySchema', 'ErrorMetadataSchema'];
    expect(names.map((name) => schemas[name]?.additionalProperties)).toEqual(names.map(() => false));
  });

  it('forbids additional properties in exactly the bodies whose unknown members the service refuses', async () => {
    const refusing: string[] = [];
    const closed: string[] = [];
    for (const { method, path, operation } of operations) {
      const media = operation.requestBody?.content['application/json'];
      if (!media) continue;
      const below = path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, '0b4f1d6e-7a61-4d0e-9f2a-3b4c5d6e7f80');
      const send = (client: TestService['standard']) => client[method as 'post'](below, { json: { no_member: 1 } });
      const answers = [await send(service.standard), await send(service.management)];
      const isRefused = answers.some(({ json }) => /no_member should not exist/.test(json?.error?.message ?? ''));
      if (isRefused) refusing.push(`${method} ${path}`);
      if (resolved(document, media.schema!)['additionalProperties'] === false) closed.push(`${method} ${path}`);
    }
    expect(refusing).toContain('post /api/v1/keys');
    expect(closed).toEqual(refusing);
  });

  it('has no optional member with a default, which generators treat as required', () => {
    type Schema = { required?: string[]; properties?: Record<string, { default?: unknown }> };
    const schemas = Object.entries(document.components!.schemas as Record<string, Schema>);
    const found = schemas.flatMap(([schema, { required = [], properties = {} }]) =>
      Object.entries(properties)
        .filter(([name, member]) => member.default !== undefined && !required.includes(name))
        .map(([name]) => `${schema}.${name}`),
    );
    expect(found).toEqual([]);
  });

  it('does not list the headers User-Agent, Host and Accept as parameters', () => {
    type Parameters = { parameters?: readonly { in: string; name: string }[] };
    const found = operations.flatMap(({ method, path, operation }) =>
      ((operation as Parameters).parameters ?? [])
        .filter(({ in: place, name }) => place === 'header' && /^(user-agent|host|accept)$/i.test(name))
        .map(({ name }) => `${method} ${path} ${name}`),
    );
    expect(found).toEqual([]);
  });

  it('describes the parameters of GET /byok: the known providers, and an offset that may be null', () => {
    type Parameter = { readonly name: string; readonly schema: { readonly type?: unknown; readonly enum?: string[] } };
    const { operation } = operations.find(({ method, path }) => `${method} ${path}` === 'get /api/v1/byok')!;
    const parameters = (operation as { parameters?: readonly Parameter[] }).parameters!;
    const schemaOf = (name: string): Parameter['schema'] => parameters.find((one) => one.name === name)!.schema;
    expect(schemaOf('offset').type).toEqual(['integer', 'null']);
    expect(schemaOf('provider').enum).toEqual(expect.arrayContaining(['openai', 'xai', 'amazon-bedrock', 'novita-ai']));
  });

  it('describes the headers of a 429 for every operation', () => {
    type Headers = Readonly<Record<string, object>>;
    const bare = operations.filter(({ operation }) => {
      const { headers = {} } = operation.responses['429'] as { headers?: Headers };
      return !RATE_LIMIT_HEADERS.every((name) => name in headers);
    });
    expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('describes every operation, and names the classes of keys that may call it', () => {
    const undescribed = operations.filter(({ operation }) => {
      const [text = '', ...access] = (operation.description ?? '').split('\n\n').slice(-3);
      return !(text.length > 10 && access.some((line) => line.startsWith('**Key:** ')));
    });
    expect(undescribed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    const { description } = document.paths['/api/v1/keys/{hash}/rotate']!['post']!;
    expect(description).toMatch(/^Gives a key a new secret/);
    expect(description).toContain(
      "**Key:** management keys. Refused: standard keys with 401, an intern's own key with 401.\n\n" +
        '**Role:** owner, admin, developer (own), the admin of a workspace in it; permission `keys.write`.',
    );
  });

  it('gives an example of every JSON response, errors included', () => {
    const bare = routesOf(document).flatMap(({ method, path, operation }) =>
      Object.entries(operation.responses)
        .filter(([, { content }]) => {
          const media = content?.['application/json'];
          return media && media.example === undefined && media.examples === undefined;
        })
        .map(([status]) => `${method} ${path} ${status}`),
    );
    expect(bare).toEqual([]);
    const { content } = document.paths['/api/v1/keys/{hash}']!['get']!.responses['404']!;
    expect(content!['application/json']!.example).toEqual({ error: { code: 404, message: 'Resource not found' } });
  });

  it('describes the console session below /console, with a cookie instead of a key', () => {
    const session = routesOf(document).filter(({ path }) => path.startsWith('/console/'));
    const open = session.filter(({ operation }) => !operation.security);
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted((a, b) => a.localeCompare(b))).toEqual([
      ...['callback', 'start'].map((step) => `get /console/oidc/{provider}/${step}`),
      'get /console/session/state',
      ...['backchannel', 'start'].map((step) => `post /console/oidc/{provider}/${step}`),
      'post /console/session',
    ]);
    const others = session.filter((each) => !open.includes(each)).map((each) => each.operation.security![0]);
    expect([...new Set(others.flatMap((scheme) => Object.keys(scheme!)))]).toEqual(['console_session']);
    const cookie = { type: 'apiKey', in: 'cookie', name: 'gatehouse_session' };
    expect(document.components?.securitySchemes).toMatchObject({ console_session: cookie });
    const { description } = document.paths['/console/session']!['get']!;
    expect(description).toMatch(/\*\*Key:\*\* none\. The cookie of the session decides/);
  });

  it('documents speech as binary audio, and the prefix of keys', () => {
    const { content } = document.paths['/api/v1/audio/speech']!['post']!.responses['200']!;
    expect(content).toMatchObject({
      'audio/mpeg': { schema: { type: 'string', format: 'binary' } },
      'audio/pcm': { schema: { type: 'string', format: 'binary' } },
    });
    expect(document.components?.['securitySchemes']!['bearer']).toMatchObject({
      bearerFormat: expect.stringMatching(/^sk-gh-v1-/),
    });
  });

  it('gives an example of the body of every operation that takes JSON', () => {
    const bare = operations.filter(({ operation }) => {
      const media = operation.requestBody?.content['application/json'];
      return media && media.example === undefined && Object.keys(media.examples ?? {}).length === 0;
    });

    expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('gives examples of bodies that the service accepts, with three known exceptions', async () => {
    // Omit paths with an id, because their resources do not exist. A test above checks their examples by schema.
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
      const below = path.replace('/api/v1', '');
      const send = (client: TestService['standard']) => client[method as 'post'](below, { json: value });
      const answers = [await send(service.standard), await send(service.management)];
      // At least one of the two key classes must be allowed.
      if (!answers.some(({ status }) => status < 300))
        refused.push(`${method} ${path} ${name}: ${answers.map(({ status }) => status).join(', ')}`);
    }

    expect(requests.length).toBeGreaterThan(3);
    // The example of compaction names an unavailable model. The other examples name a code and a key that do not exist.
    expect(refused.toSorted()).toEqual([
      'post /api/v1/auth/keys proof: 403, 403',
      'post /api/v1/federation-policies github: 403, 400',
      'post /api/v1/responses/compact conversation: 404, 401',
    ]);
  });
});
