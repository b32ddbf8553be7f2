import { LONG_TESTS } from '../support/long-tests.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { type Corruption, startFaultyProxy } from './faulty-proxy.js';
import { openFuzzStage, type FuzzStage } from './fuzz-stage.js';
import { runFuzz, type FuzzResult } from './run-fuzz.js';
import { nameOfRoute, allowedStatuses } from './specification-statuses.js';

/** `FUZZ_REQUESTS` and `FUZZ_SEED` choose another length and other requests. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? (LONG_TESTS ? 200_000 : 3_000));
const SEED = Number(process.env['FUZZ_SEED'] ?? 15);
const BROKEN_REQUESTS = 160;
/** Uploads are not downloadable, and no request is of a page of the console. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'GET /api/v1/files/{file_id}/content',
  'GET /console/session',
  'POST /console/session',
  'PUT /console/session',
  'DELETE /console/session',
]);

describe('a fuzz over the OpenAPI document', () => {
  let database: TestDatabase;
  let stage: FuzzStage;

  beforeAll(async () => {
    database = await createTestDatabase();
    stage = await openFuzzStage(database.url);
  }, 120_000);

  afterAll(async () => {
    await stage.close();
    await database.drop();
  }, 60_000);

  const run = (requests: number, origin: string, print: (text: string) => void): Promise<FuzzResult> =>
    runFuzz({ ...stage, service: { ...stage.service, origin } }, { requests, seed: SEED, print });

  it('knows the statuses of every documented route', () => {
    const unlisted = stage.check.routes
      .map(({ method, path }) => nameOfRoute(method, path))
      .filter((route) => allowedStatuses(route) === undefined);
    expect(unlisted).toEqual([]);
  });

  const CORRUPTIONS: readonly (readonly [what: string, fault: RegExp, corrupt: Corruption])[] = [
    [
      'a status that the route does not have',
      /^\d+ × status 418 is not in the list of /,
      ({ status, body }) => (status === 404 ? { status: 418, body } : undefined),
    ],
    [
      'a 500',
      /^\d+ × status 500/,
      ({ status }) =>
        status === 400 ? { status: 500, body: Buffer.from('{"error":{"code":500,"message":"x"}}') } : undefined,
    ],
    [
      'a missing member',
      /^\d+ × not as documented/,
      ({ status, isJson }) => (status === 200 && isJson ? { status, body: Buffer.from('{}') } : undefined),
    ],
  ];

  it.each(CORRUPTIONS)(
    'finds %s that a response has',
    async (_, fault, corrupt) => {
      const proxy = await startFaultyProxy(stage.service.origin, corrupt);
      try {
        const { findings } = await run(BROKEN_REQUESTS, proxy.origin, () => undefined);
        expect(proxy.changed()).toBeGreaterThan(0);
        expect(findings.filter((line) => fault.test(line)).length).toBeGreaterThan(0);
      } finally {
        await proxy.close();
      }
    },
    600_000,
  );

  it(`finds nothing in ${REQUESTS} requests, and the money is exact after them`, async () => {
    const printed: string[] = [];
    const { findings, requests, succeeded } = await run(
      REQUESTS,
      stage.service.origin,
      (text) => void printed.push(text),
    );
    if (findings.length > 0) process.stderr.write(`${printed.join('\n')}\n`);
    expect(findings).toEqual([]);
    expect(requests).toBe(REQUESTS);
    // A short run does not come to all routes.
    const never = [...succeeded].filter(([route, count]) => count === 0 && !UNREACHABLE.has(route));
    expect(never.length).toBeLessThan(LONG_TESTS ? 1 : 15);
  }, 14_400_000);
});
