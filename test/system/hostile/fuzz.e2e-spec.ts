import { LONG_TESTS } from '../../support/long-tests.js';
import type { SeenCall } from '../../support/vendors/scripted-vendor.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { CORPUS } from '../../fuzz/corpus/corpus.js';
import { KeptJudge } from '../../fuzz/corpus/kept-judge.js';
import { asked, type KeptRequest } from '../../fuzz/corpus/kept-request.js';
import { type Corruption, startFaultyProxy } from '../../fuzz/faulty-proxy.js';
import { openFuzzStage, type FuzzStage } from '../../fuzz/fuzz-stage.js';
import { runFuzz, type FuzzResult } from '../../fuzz/run-fuzz.js';
import { nameOfRoute, allowedStatuses } from '../../fuzz/specification-statuses.js';

/** The variables `FUZZ_REQUESTS` and `FUZZ_SEED` override the number of requests and the seed. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? (LONG_TESTS ? 200_000 : 3_200));
const SEED = Number(process.env['FUZZ_SEED'] ?? 15);
const BROKEN_REQUESTS = 160;
/**
 * Routes that cannot succeed in the fuzz: uploads are not downloadable, no request comes from a page of the console, no
 * code or token is known, no identity provider is configured, and the body of a policy needs the hash of a key.
 */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'GET /api/v1/files/{file_id}/content',
  // The fuzz does not store ids of credentials, because the test of a credential would call the vendor.
  'GET /api/v1/providers/credentials/{id}',
  'PATCH /api/v1/providers/credentials/{id}',
  'DELETE /api/v1/providers/credentials/{id}',
  'POST /api/v1/providers/credentials/{id}/test',
  'POST /api/v1/providers/credentials/{id}/discover',
  // The fuzz's own providers need a credential, or do not respond.
  'POST /api/v1/providers/{slug}/discover',
  'PUT /api/v1/providers/{slug}/models/{id}',
  'DELETE /api/v1/providers/{slug}/models/{id}',
  'GET /api/v1/providers/{slug}/models/{id}/versions',
  'GET /console/session',
  'POST /console/session',
  'PUT /console/session',
  'DELETE /console/session',
  'POST /api/v1/auth/keys',
  'POST /api/v1/oauth/token',
  'POST /api/v1/federation-policies',
  'GET /api/v1/federation-policies/{id}',
  'PATCH /api/v1/federation-policies/{id}',
  'DELETE /api/v1/federation-policies/{id}',
  'GET /console/session/identities',
  'POST /console/session/identities',
  'DELETE /console/session/identities/{id}',
  'GET /console/oidc/{provider}/start',
  'POST /console/oidc/{provider}/start',
  'GET /console/oidc/{provider}/callback',
  'POST /console/oidc/{provider}/backchannel',
  'GET /console/sessions',
  'DELETE /console/sessions',
  'DELETE /console/sessions/{id}',
]);

describe('a fuzz test over the OpenAPI document', () => {
  let database: TestDatabase;
  let stage: FuzzStage;
  let judge: KeptJudge;

  beforeAll(async () => {
    database = await createTestDatabase();
    stage = await openFuzzStage(database.url);
    judge = await KeptJudge.open(stage);
  }, 120_000);

  afterAll(async () => {
    await judge.close();
    await stage.close();
    await database.drop();
  }, 60_000);

  const run = (requests: number, origin: string, print: (text: string) => void): Promise<FuzzResult> =>
    runFuzz({ ...stage, service: { ...stage.service, origin } }, { requests, seed: SEED, print });

  it('has the statuses of every documented route', () => {
    const unlisted = stage.check.routes
      .map(({ method, path }) => nameOfRoute(method, path))
      .filter((route) => allowedStatuses(route) === undefined);
    expect(unlisted).toEqual([]);
  });

  let kept = 0;
  it.each(Object.keys(CORPUS))(
    'finds no fault in the kept requests: %s',
    async (group) => {
      const faults: string[] = [];
      const started = performance.now();
      const before = kept;
      for (const request of CORPUS[group]!(stage.document)) {
        faults.push(...(await judge.faultsOf(request)));
        kept++;
      }
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      process.stderr.write(`kept requests: ${kept - before} ${group} in ${seconds} s\n`);
      expect(faults).toEqual([]);
      expect(kept).toBeGreaterThan(before);
    },
    600_000,
  );

  it('finds constant memory, balanced books and no error in the log after the kept requests', async () => {
    expect(await judge.faultsAfterwards()).toEqual([]);
  }, 60_000);

  const CORRUPTIONS: readonly (readonly [what: string, fault: RegExp, corrupt: Corruption])[] = [
    [
      'a status that the route does not have',
      /status 418 is not in the list of /,
      ({ status, body }) => (status === 404 ? { status: 418, body } : undefined),
    ],
    [
      'a 500',
      /status 500/,
      ({ status }) =>
        status === 400 ? { status: 500, body: Buffer.from('{"error":{"code":500,"message":"x"}}') } : undefined,
    ],
    [
      'a missing member',
      /not as documented/,
      ({ status, isJson }) => (status === 200 && isJson ? { status, body: Buffer.from('{}') } : undefined),
    ],
  ];
  /** Kept requests whose responses are corrupted. Their statuses are 200, 400 and 404. */
  const FEW: readonly KeptRequest[] = [asked('good', '/key'), asked('bad', '/keys/%zz'), asked('gone', '/keys/a')];

  it.each(CORRUPTIONS)(
    'finds %s in a response',
    async (_, fault, corrupt) => {
      const proxy = await startFaultyProxy(stage.service.origin, corrupt);
      try {
        const { findings } = await run(BROKEN_REQUESTS, proxy.origin, () => undefined);
        const random = proxy.changed();
        const ofKept = await faultsBefore({ service: { ...stage.service, origin: proxy.origin } }, FEW);
        expect(Math.min(random, proxy.changed() - random)).toBeGreaterThan(0);
        for (const lines of [findings, ofKept])
          expect(lines.filter((line) => fault.test(line)).length).toBeGreaterThan(0);
      } finally {
        await proxy.close();
      }
    },
    600_000,
  );

  const faultsBefore = async (disturbed: Partial<FuzzStage>, requests: readonly KeptRequest[]): Promise<string[]> => {
    const other = judge.before({ ...stage, ...disturbed });
    const faults: string[] = [];
    for (const request of requests) faults.push(...(await other.faultsOf(request)));
    await other.close();
    return faults;
  };

  it('finds a stall, a broken stream and a call of the vendor that a kept request causes', async () => {
    const stalled = { ...stage.service, longestStall: async () => ({ wall: 900, cpu: 900 }), sampleMs: async () => 15 };
    expect(await faultsBefore({ service: stalled }, FEW)).toContainEqual(
      'good: held the event loop for 900 ms, 11 bytes',
    );
    // A vendor that always reports one call.
    const vendor = { ...stage.vendor, seen: new Proxy([{} as SeenCall], { set: () => true }) };
    expect(await faultsBefore({ vendor }, FEW)).toContainEqual('good: it reached the vendor');
    const proxy = await startFaultyProxy(stage.service.origin, ({ status, body }) => ({
      status,
      body: Buffer.from(body.toString().replace('data: [DONE]\n\n', '')),
    }));
    const chat = '{"model":"builtin/eliza","stream":true,"messages":[{"role":"user","content":"Hello"}]}';
    const streamed: KeptRequest = {
      ...asked('talk', '/chat/completions'),
      method: 'POST',
      body: () => chat,
      isPaid: true,
    };
    const faults = await faultsBefore({ service: { ...stage.service, origin: proxy.origin } }, [streamed]);
    await proxy.close();
    expect(faults).toContainEqual('talk: it does not end with [DONE]');
    expect(await faultsBefore({}, [{ ...streamed, status: 402, holds: /nothing of this/ }])).toHaveLength(2);
  }, 60_000);

  it(`finds no fault in ${REQUESTS} requests, after which the money is exact`, async () => {
    const printed: string[] = [];
    const { findings, requests, succeeded } = await run(
      REQUESTS,
      stage.service.origin,
      (text) => void printed.push(text),
    );
    if (findings.length > 0) process.stderr.write(`${printed.join('\n')}\n`);
    expect(findings).toEqual([]);
    expect(requests).toBe(REQUESTS);
    // A short run sends about 18 requests per route, so some routes never succeed.
    const never = [...succeeded].filter(([route, count]) => count === 0 && !UNREACHABLE.has(route));
    expect(never.length).toBeLessThan(LONG_TESTS ? 1 : succeeded.size / 3);
  }, 14_400_000);
});
