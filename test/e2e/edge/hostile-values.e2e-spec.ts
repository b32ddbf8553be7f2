import { ACCESS_MATRIX } from '../../support/access-matrix.data.js';
import { MatrixThings } from '../../support/access-matrix-things.js';
import { drawn } from '../../support/drawn.js';
import {
  bodyWith,
  HOSTILE_JSON,
  HOSTILE_TEXTS,
  NOT_TEXT,
  placesIn,
  queryNamesOf,
} from '../../support/hostile-values.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { routesOf, type DocumentedRoute, type OpenApiDocument } from '../../support/openapi-document.js';
import { startTestService, TEST_API_KEY, TEST_MANAGEMENT_KEY, type TestService } from '../../support/test-service.js';

const nameOf = ({ method, path }: DocumentedRoute): string =>
  `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '').replaceAll(/\{[^}]*\}/g, '{}')}`;
const ROUTES = ACCESS_MATRIX.map(([route]) => route).filter((route) => !route.endsWith('z'));

/** Requests of each route in a short run. */
const DRAWN = LONG_TESTS ? Infinity : 50;

/** A value that a caller may send by mistake is the caller's mistake: never a 5xx, on no route and in no field. */
describe('values that no field is made for', () => {
  let service: TestService;
  let things: MatrixThings;
  let document: OpenApiDocument;
  let routes: ReadonlyMap<string, DocumentedRoute>;
  let sent = 0;

  beforeAll(async () => {
    const env = {
      INTERN_RUNTIME: 'none',
      RATE_LIMIT_FAILED_KEYS: 'off',
      RATE_LIMIT_ANALYTICS: 'off',
      RATE_LIMIT_BENCHMARKS: 'off',
      RATE_LIMIT_COUNTING: 'off',
      INTERN_LIMIT_PER_MEMBER: '10000',
      BOOTSTRAP_CREDITS_USD: '10000',
      ANALYTICS_STORE: 'postgres',
    };
    service = await startTestService({ env });
    document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    routes = new Map(routesOf(document).map((route) => [nameOf(route), route]));
    things = new MatrixThings(service);
    await things.prepare();
  }, 60_000);
  afterAll(() => service.stop());

  /** Those that were answered with a 5xx. */
  const faults: string[] = [];

  it.each(ROUTES)(
    '%s',
    async (name) => {
      const route = routes.get(name);
      // A row of the matrix may be ahead of its route.
      if (!route) return;
      faults.length = 0;
      const questions: Parameters<typeof ask>[] = [];
      const [method = ''] = name.split(' ');
      const key = ACCESS_MATRIX.find(([row]) => row === name)![1][5] >= 400 ? TEST_MANAGEMENT_KEY : TEST_API_KEY;
      const { path, request } = await things.requestFor(name);
      const ask = async (target: string, body: string | undefined, what: string): Promise<void> => {
        sent++;
        const prefix = target.startsWith('/console/') ? '' : '/api/v1';
        const answer = await fetch(`${service.origin}${prefix}${target}`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            'sec-fetch-site': 'same-origin',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body,
        });
        const text = await answer.text();
        if (answer.status >= 500) faults.push(`${what} → ${answer.status} ${text.slice(0, 120)}`);
      };
      const schema = route.operation.requestBody?.content['application/json']?.schema;
      const valid = request?.json ?? {};
      const fresh =
        name === 'POST /end-users' ? { user: 'x' } : name === 'POST /workspaces' ? { name: 'x', slug: 'x' } : valid;
      if (schema)
        for (const place of placesIn(document, schema))
          for (const json of HOSTILE_JSON)
            questions.push([path, bodyWith(fresh, place, json), `${place.join('.')} = ${json.slice(0, 60)}`]);
      const body = schema ? JSON.stringify(fresh) : undefined;
      const mark = path.includes('?') ? '&' : '?';
      for (const parameter of queryNamesOf(route)) {
        for (const text of [...HOSTILE_TEXTS, NOT_TEXT])
          questions.push([`${path}${mark}${parameter}=${text}`, body, `?${parameter}=${text.slice(0, 60)}`]);
        questions.push([
          `${path}${mark}${parameter}=1&${parameter}=2&${parameter}[x]=3`,
          body,
          `?${parameter} given three times`,
        ]);
      }
      const steps = path.split('?')[0]!.split('/');
      for (const [index, step] of name.split(' ')[1]!.split('/').entries()) {
        if (step !== '{}') continue;
        for (const text of [...HOSTILE_TEXTS.filter(Boolean), NOT_TEXT])
          questions.push([steps.with(index, text).join('/'), body, `path ${index} = ${text.slice(0, 60)}`]);
      }
      for (const question of drawn(questions, DRAWN)) await ask(...question);
      expect(faults).toEqual([]);
    },
    120_000,
  );

  it('were sent in their thousands', () => {
    process.stdout.write(`hostile values: ${sent} requests\n`);
    expect(sent).toBeGreaterThan(20 * routes.size);
  });
});
