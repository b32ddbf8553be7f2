import { randomUUID } from 'node:crypto';
import { makeKey, makeWorkspace, registerEndUser } from '../../support/api/api-builders.js';
import {
  bodyOfCanaries,
  canary,
  headersOfCanaries,
  containsCanary,
  withSecrets,
} from '../../support/secrets/canaries.js';
import { type DocumentedRoute, type OpenApiDocument, routesOf } from '../../support/api/openapi-document.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

/** Creates the resource that a path names. */
const THINGS: Readonly<Record<string, (service: TestService) => Promise<string>>> = {
  '/byok/{id}': async ({ management }) =>
    (await management.post('/byok', { json: { provider: 'cerebras', key: canary() } })).json.data.id,
  '/end-users/{user}': async ({ management }) => registerEndUser(management),
  '/keys/{hash}': async ({ management }) => (await makeKey(management, { name: 'x' })).hash,
  '/webhooks/{id}': async ({ management }) =>
    (await management.post('/webhooks', { json: { url: 'https://hooks.invalid/', events: ['credits.low'] } })).json.data
      .id,
  '/workspaces/{id}': async ({ management }) => (await makeWorkspace(management, { name: 'x', slug: randomUUID() })).id,
  '/vault/secrets/{name}': async () => 'stripe_key',
};

interface Sent {
  readonly headers?: Record<string, string>;
  readonly key?: string;
  readonly body?: string;
}

describe('marked secrets, sent through every header, path, query and body of every route', () => {
  let service: TestService;
  let document: OpenApiDocument;
  let routes: readonly DocumentedRoute[];
  const log: string[] = [];
  const leaks: string[] = [];
  const write = { stdout: process.stdout.write, stderr: process.stderr.write };
  let requests = 0;
  const statuses = new Map<number, number>();

  beforeAll(async () => {
    for (const stream of ['stdout', 'stderr'] as const) {
      process[stream].write = (chunk: string | Uint8Array) => log.push(String(chunk)) > 0;
    }
    service = await startTestService({
      env: {
        LOG_FORMAT: 'json',
        LOG_LEVEL: 'debug',
        INTERN_RUNTIME: 'none',
        RATE_LIMIT_ANALYTICS: 'off',
        RATE_LIMIT_BENCHMARKS: 'off',
        RATE_LIMIT_FAILED_KEYS: 'off',
      },
      logTo: (text) => void log.push(text),
    });
    document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    routes = routesOf(document);
    for (const route of routes) await sendAll(route);
    // An internal defect is logged with its stack, but without the request.
    await service.sql.query('alter table audit_entry rename to audit_entry_away');
    const create = routes.find(({ method, path }) => method === 'post' && path.endsWith('/byok'))!;
    await send(create, create.path, {
      key: TEST_MANAGEMENT_KEY,
      headers: headersOfCanaries(),
      body: JSON.stringify({ provider: 'cerebras', key: canary() }),
    });
    await service.sql.query('alter table audit_entry_away rename to audit_entry');
  }, 300_000);
  afterAll(async () => {
    Object.assign(process.stdout, { write: write.stdout });
    Object.assign(process.stderr, { write: write.stderr });
    await service.stop();
  });

  const send = async (route: DocumentedRoute, path: string, { headers = {}, key, body }: Sent): Promise<void> => {
    const answer = await fetch(`${service.origin}${path}`, {
      method: route.method.toUpperCase(),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...headers,
      },
      ...(route.method === 'get' || route.method === 'head' || body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    requests++;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const told = JSON.stringify([...answer.headers]);
    if (containsCanary(text) || containsCanary(told))
      leaks.push(
        `${route.method} ${route.path} answered ${answer.status}: ${containsCanary(text) ? text.slice(0, 300) : told}`,
      );
  };

  const sendAll = async (route: DocumentedRoute): Promise<void> => {
    const media = route.operation.requestBody?.content['application/json'];
    const schema = media?.schema;
    const parameters = (route.operation as unknown as { parameters?: { name: string; in: string }[] }).parameters ?? [];
    const asked = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    const query = (): string => `?${[...asked, canary()].map((name) => `${name}=${canary()}`).join('&')}`;
    const throughPath = route.path.replaceAll(/\{\w+\}/g, () => canary());
    const thing = await THINGS[route.path.replace('/api/v1', '')]?.(service);
    const toThing = route.path.replace(/\{\w+\}/, thing ?? randomUUID()).replaceAll(/\{\w+\}/g, randomUUID());
    const bodies = [
      JSON.stringify(bodyOfCanaries(document, schema)),
      `{"unfinished": "${canary()}`,
      `"${canary()}"`,
      canary(),
    ];
    for (const key of [canary(), TEST_API_KEY, TEST_MANAGEMENT_KEY]) {
      for (const path of [throughPath + query(), toThing + query(), toThing]) {
        for (const body of bodies) await send(route, path, { key, body, headers: headersOfCanaries() });
        if (!media) break;
      }
    }
    await send(route, toThing, {
      headers: { ...headersOfCanaries(), authorization: `Basic ${canary()}` },
      body: bodies[0],
    });
    await send(route, toThing, {
      key: TEST_MANAGEMENT_KEY,
      headers: { 'content-type': `text/${canary()}` },
      body: bodies[0],
    });
    // Send a successful request too, with the secrets that the route accepts and with arbitrary headers.
    for (const { value } of Object.values(media?.examples ?? {})) {
      const body = JSON.stringify(withSecrets(document, schema, value));
      for (const key of [TEST_API_KEY, TEST_MANAGEMENT_KEY])
        await send(route, toThing, { key, body, headers: headersOfCanaries() });
    }
  };

  it('are sent to every route: some requests succeed, and only the deliberate defect returns 500', () => {
    expect(requests).toBeGreaterThan(routes.length * 10);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404]));
    expect(statuses.get(500)).toBe(1);
  });

  it('are in no response body and no response header', () => {
    expect(leaks).toEqual([]);
  });

  it('are in no line of the log, at debug level', () => {
    expect(log.join('')).toMatch(/POST \/api\/v1\/byok failed/);
    const routesLogged = new Set(
      log
        .filter((line) => line.includes('"context":"access"'))
        .map((line) => (JSON.parse(line) as { route: string | null }).route),
    );
    expect([...routesLogged]).toEqual(
      expect.arrayContaining(['/api/v1/byok/:id', '/api/v1/audio/speech', '/api/v1/vault/secrets/:name']),
    );
    // One line for each request, and one for the OpenAPI document.
    expect(log.filter((line) => line.includes('"context":"access"')).length).toBeGreaterThan(requests);
    expect(log.filter(containsCanary)).toEqual([]);
  });

  it('are not in the OpenAPI document', async () => {
    expect(containsCanary(await (await fetch(`${service.origin}/api/v1/openapi.json`)).text())).toBe(false);
  });

  it('are in no row of any table, sealed columns included', async () => {
    const tables = await service.sql.query<{ name: string }>(
      `select quote_ident(table_name) as name
       from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const found: string[] = [];
    let rows = 0;
    for (const { name } of tables) {
      for (const { row } of await service.sql.query<{ row: string }>(`select t::text as row from ${name} t`)) {
        rows++;
        if (containsCanary(row)) found.push(`${name}: ${row.slice(0, 400)}`);
      }
    }

    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['audit_entry', 'byok_credential', 'data_key', 'api_key']),
    );
    expect(await service.sql.query('select 1 from byok_credential where length(sealed) > 60 limit 1')).toHaveLength(1);
    expect(rows).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });

  it('would be found in the clear, in hex and in base64', () => {
    const secret = canary();

    const forms = [
      secret,
      Buffer.from(secret).toString('hex'),
      ...['', 'x', 'xy'].map((before) => Buffer.from(`${before}${secret}`).toString('base64')),
    ];
    expect(forms.map(containsCanary)).toEqual(forms.map(() => true));
    expect(containsCanary('nothing of the sort')).toBe(false);
  });
});
