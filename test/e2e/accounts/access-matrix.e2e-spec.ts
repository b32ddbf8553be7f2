import { randomBytes } from 'node:crypto';
import { ACCESS_MATRIX, COLUMNS, type Column } from '../../support/api/access-matrix.data.js';
import { MatrixThings } from '../../support/api/access-matrix-things.js';
import type { ApiClient } from '../../support/api/api-client.js';
import { routesOf, type OpenApiDocument } from '../../support/api/openapi-document.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const template = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '').replaceAll(/\{[^}]*\}/g, '{}')}`;
/** Routes that the OpenAPI document omits. */
const UNDOCUMENTED = ['GET /', 'GET /healthz', 'GET /readyz'];
const isOutsideApi = (route: string): boolean => UNDOCUMENTED.includes(route) || route.includes(' /console/');
const isSuccess = (status: number): boolean => status < 300;

describe('the matrix of every route and every kind of key', () => {
  let service: TestService;
  let things: MatrixThings;
  let documented: ReadonlySet<string>;
  /** A client in the runtime of the intern. */
  let own: ApiClient;
  const checked: string[] = [];

  beforeAll(async () => {
    const env = {
      MASTER_KEY: randomBytes(32).toString('hex'),
      INTERN_RUNTIME: 'none',
      RATE_LIMIT_FAILED_KEYS: 'off',
      RATE_LIMIT_ANALYTICS: 'off',
      RATE_LIMIT_BENCHMARKS: 'off',
    };
    service = await startTestService({ env });
    const document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    documented = new Set(routesOf(document).map(({ method, path }) => template(method, path)));
    things = new MatrixThings(service);
    await things.prepare();
    own = await service.inside(things.internId, things.keyFor("intern's own", 'standard')!);
  }, 60_000);
  afterAll(() => service.stop());

  it('has exactly one row for every route of the OpenAPI document', () => {
    const rows = ACCESS_MATRIX.map(([route]) => route);
    expect([...documented].filter((route) => !rows.includes(route))).toEqual([]);
    expect(rows.filter((route, index) => rows.indexOf(route) !== index)).toEqual([]);
    const ahead = rows.filter((route) => !applies(route));
    if (ahead.length > 0) process.stdout.write(`rows without a route yet: ${ahead.join(', ')}\n`);
  });

  it.each(ACCESS_MATRIX)('%s', async (route, statuses, other) => {
    if (!applies(route)) return expectNoSuchRoute(route);
    const expected = Object.fromEntries(COLUMNS.map((column, index) => [column, statuses[index]!]));
    const seen: Record<string, number> = {};
    const prepared = await things.requestFor(route);
    // Keys that are allowed come last, so that no other key is refused only because the resource no longer exists.
    const inOrder = COLUMNS.toSorted((a, b) => Number(isSuccess(expected[a]!)) - Number(isSuccess(expected[b]!)));
    for (const column of inOrder) {
      seen[column] = await ask(route, column, other, prepared);
      checked.push(`${route} × ${column}`);
    }
    expect(seen).toEqual(expected);
  });

  it('has been tested in every cell', () => {
    const routes = ACCESS_MATRIX.filter(([route]) => applies(route));
    process.stdout.write(
      `access matrix: ${routes.length} routes × ${COLUMNS.length} kinds of key = ${checked.length} cells\n`,
    );
    expect(checked).toHaveLength(routes.length * COLUMNS.length);
  });

  const applies = (route: string): boolean => documented.has(route) || UNDOCUMENTED.includes(route);

  /** For a row whose route does not exist yet: expects the 404 of an unknown path. */
  async function expectNoSuchRoute(route: string): Promise<void> {
    const [method = '', path = ''] = route.split(' ');
    const answer = await service.management[method.toLowerCase() as 'get'](
      path.replaceAll('{}', 'x'),
      method === 'GET' ? {} : { json: {} },
    );
    expect(answer.json).toEqual({
      error: { code: 404, message: 'No such operation. See /docs for the operations of this service.' },
    });
  }

  async function ask(
    route: string,
    column: Column,
    other: 'standard' | 'management',
    { path, request }: Awaited<ReturnType<MatrixThings['requestFor']>>,
  ): Promise<number> {
    const [method = ''] = route.split(' ');
    const key = things.keyFor(column, other);
    if (isOutsideApi(route)) {
      const headers = key === null ? {} : { authorization: `Bearer ${key}` };
      return (await fetch(`${service.origin}${path}`, { method, headers })).status;
    }
    const client = column === "intern's own" ? own : service.as(key ?? undefined);
    return (await client[method.toLowerCase() as 'get'](path, { ...request, ...freshBody(route) })).status;
  }
});

/** A body with a unique name, for a resource that can be created only once. */
function freshBody(route: string): { json?: object } {
  const unique = `u${randomBytes(4).toString('hex')}`;
  if (route === 'POST /end-users') return { json: { user: unique } };
  if (route === 'POST /workspaces') return { json: { name: unique, slug: unique } };
  return {};
}
