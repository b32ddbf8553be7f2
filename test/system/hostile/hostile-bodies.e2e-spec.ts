import { drawn } from '../../support/drawn.js';
import { eventually } from '../../support/eventually.js';
import { HOSTILE_FILES } from '../../support/hostile-files.js';
import { hostileRequests, LARGE, type HostileRequest } from '../../support/hostile-requests.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import type { OpenApiDocument } from '../../support/openapi-document.js';
import { startProbedService, type ProbedService } from '../../support/probed-service.js';
import { startScriptedVendor, type ScriptedVendor } from '../../support/scripted-vendor.js';
import { leastStall, stallLimitMs } from '../../support/stall-limit.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/test-service.js';

/** Of the requests with a hostile value in a documented member, this many are drawn in a short run. */
const DRAWN = LONG_TESTS || process.env['HOSTILE_ONLY'] ? Infinity : Number(process.env['HOSTILE_BODIES'] ?? 120);
/** Of the others, which every route gets. */
const BASIC_DRAWN = LONG_TESTS || process.env['HOSTILE_ONLY'] ? Infinity : 400;
/** Bodies of 25 MB take 0.1 s each: a short run sends a few of them. */
const LARGE_DRAWN = LONG_TESTS || process.env['HOSTILE_ONLY'] ? Infinity : 20;
/** `HOSTILE_ONLY='to a vendor'` sends only requests of such names, all of them. */
const ONLY = process.env['HOSTILE_ONLY'];
const MAX_GROWTH = 64 * 1_048_576;

const OF_A_RUNNING_INTERN = /\/interns\/\{id\}\/(chat|sessions)/;
const MAX_MESSAGE_CHARACTERS = 32_000;
const UPLOAD_BYTES = LONG_TESTS ? 104_857_600 : 20_000_000;
interface Outcome {
  readonly name: string;
  readonly bytes: number;
  readonly status: number;
  /** The beginning of the response, for the message of a failure. */
  readonly text: string;
  readonly stall: number;
}

describe('a hostile body', () => {
  let folder: TemporaryFolder;
  let database: TestDatabase;
  let vendor: ScriptedVendor;
  let service: ProbedService;
  let document: OpenApiDocument;
  let requests: HostileRequest[];
  /** It runs for the whole test. */
  let talker: string;
  const keys = { standard: TEST_API_KEY, management: TEST_MANAGEMENT_KEY, penniless: '' };

  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createTestDatabase();
    vendor = await startScriptedVendor();
    service = await startProbedService({
      DATA_DIR: `${folder.path}/data`,
      DATABASE_URL: database.url,
      MASTER_KEY: 'a1'.repeat(32),
      BOOTSTRAP_CREDITS_USD: '100000000',
      OPENAI_API_KEY: 'scripted-credential',
      OPENAI_BASE_URL: vendor.baseUrl,
      RATE_LIMIT_ANALYTICS: 'off',
      RATE_LIMIT_BENCHMARKS: 'off',
      RATE_LIMIT_COUNTING: 'off',
    });
    keys.penniless = (
      await asked('POST', '/api/v1/keys', keys.management, JSON.stringify({ name: 'penniless', limit: 0 }))
    ).json.key;
    const intern = await makeIntern('worker');
    talker = await makeIntern('talker', { provision: true });
    await eventually(async () =>
      expect((await asked('GET', `/api/v1/interns/${talker}`, keys.standard)).json.status).toBe('running'),
    );
    document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    requests = [
      ...hostileRequests(document, ({ path }) => ({
        // Requests of the other routes suspend and delete their intern.
        id: OF_A_RUNNING_INTERN.test(path) ? talker : intern,
        name: 'secret',
        hash: 'a'.repeat(64),
        user: 'someone',
        author: 'builtin',
        slug: 'poster',
      })),
    ].filter(({ name }) => ONLY === undefined || name.includes(ONLY));
  }, 120_000);

  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await vendor.close();
    await database.drop();
    await folder.remove();
  }, 60_000);

  // oxlint-disable-next-line typescript/no-explicit-any
  type Asked = { status: number; text: string; json: any };
  async function asked(method: string, path: string, key: string, body?: string): Promise<Asked> {
    const answer = await fetch(service.origin + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
      },
      body,
    });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      json: /\bjson\b/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
    };
  }

  const makeIntern = async (name: string, more: object = {}): Promise<string> =>
    (await asked('POST', '/api/v1/interns', keys.standard, JSON.stringify({ name, ...more }))).json.id;

  /** The key that a route takes, found by asking. */
  const keyOf = new Map<string, string>();
  async function rightKey({ method, path }: HostileRequest['route'], target: string): Promise<string> {
    const name = `${method} ${path}`;
    if (!keyOf.has(name)) {
      const { status } = await asked(
        method.toUpperCase(),
        target.split('?')[0]!,
        keys.standard,
        method === 'get' ? undefined : '{}',
      );
      keyOf.set(
        name,
        status === 401 || status === 403
          ? keys.management
          : /^\/api\/v1\/(images|audio|chat|messages|responses|completions|embeddings|rerank)/.test(path)
            ? keys.penniless
            : keys.standard,
      );
    }
    return keyOf.get(name)!;
  }

  async function sent({ name, route, path, body: make, isPaid }: HostileRequest): Promise<Outcome> {
    const key = isPaid ? keys.standard : await rightKey(route, path);
    const body = make?.();
    const bytes = body === undefined ? path.length : Buffer.byteLength(body);
    let status = 0;
    let text = '';
    const stall = await leastStall(service, bytes, async () => {
      ({ status, text } = await asked(route.method.toUpperCase(), path, key, body));
    });
    vendor.seen.length = 0;
    return { name, bytes, status, text: text.slice(0, 300), stall };
  }

  /** What is wrong with how a request was answered; undefined = nothing. */
  function faultOf({ route }: HostileRequest, { name, bytes, status, text, stall }: Outcome): string | undefined {
    if (status >= 500 || !(status in route.operation.responses)) return `${name}: answered ${status} ${text}`;
    return stall > stallLimitMs(bytes)
      ? `${name}: held the event loop for ${stall.toFixed(0)} ms, ${bytes} bytes`
      : undefined;
  }

  async function expectHarmless(name: string, chosen: readonly HostileRequest[]): Promise<void> {
    const faults: string[] = [];
    let worst = { share: 0, what: '' };
    for (const request of chosen) {
      const outcome = await sent(request);
      const fault = faultOf(request, outcome);
      if (fault) faults.push(fault);
      const share = outcome.stall / stallLimitMs(outcome.bytes);
      if (share > worst.share)
        worst = { share, what: `${outcome.stall.toFixed(0)} ms for ${outcome.name} (${outcome.bytes} bytes)` };
    }
    process.stderr.write(`${chosen.length} ${name}: longest stall by its limit ${worst.what}\n`);
    expect(faults).toEqual([]);
  }

  it('holds the event loop no longer than 50 ms and 5 ms per MB on any route, and is never answered 500', async () => {
    const before = await service.memory();
    await expectHarmless(
      'queries',
      requests.filter(({ body }) => !body),
    );
    for (const [name, isBasic, isLarge, count] of [
      ['bodies', true, false, BASIC_DRAWN],
      ['bodies drawn from all members', false, false, DRAWN],
      ['large bodies', true, true, LARGE_DRAWN],
      ['large bodies drawn from all members', false, true, LARGE_DRAWN],
    ] as const) {
      const bodies = requests.filter(
        (request) => request.body && request.isBasic === isBasic && LARGE.test(request.path) === isLarge,
      );
      await expectHarmless(name, drawn(bodies, count));
    }
    const after = await service.memory();
    process.stderr.write(
      `memory in use: ${(before.used / 1e6).toFixed(0)} MB before, ${(after.used / 1e6).toFixed(0)} MB after\n`,
    );
    expect(after.used - before.used).toBeLessThan(MAX_GROWTH);
  }, 14_400_000);

  it.each(Object.entries(HOSTILE_FILES))(
    'reaches an intern as 1 MB of earlier messages and a last one of %s, and is answered',
    async (name, unit) => {
      const last = `x${unit.repeat(MAX_MESSAGE_CHARACTERS)}`.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();
      const before = { role: 'user', content: 'a'.repeat(1_048_576 - 2_000 - Buffer.byteLength(JSON.stringify(last))) };
      const body = JSON.stringify({ stream: true, messages: [before, { role: 'user', content: last }] });
      const path = `/api/v1/interns/${talker}/chat/completions`;
      const stall = await leastStall(service, body.length, async () => {
        const { status, text } = await asked('POST', path, keys.standard, body);
        expect({ status, text }).toEqual({ status: 200, text: expect.stringMatching(/"finish_reason":"stop"/) });
      });
      process.stderr.write(`a message of ${name}: longest stall ${stall.toFixed(0)} ms\n`);
      expect(stall).toBeLessThan(stallLimitMs(body.length));
    },
    120_000,
  );

  it.each(Object.entries(HOSTILE_FILES))(
    'holds the event loop no longer as an upload of %s',
    async (_, unit) => {
      const content = Buffer.alloc(UPLOAD_BYTES, unit);
      let status = 0;
      const stall = await leastStall(service, UPLOAD_BYTES, async () => {
        const form = new FormData();
        form.set('file', new Blob([content]), 'file.txt');
        const answer = await fetch(`${service.origin}/api/v1/files`, {
          method: 'POST',
          headers: { authorization: `Bearer ${keys.management}` },
          body: form,
        });
        status = answer.status;
        await answer.arrayBuffer();
      });
      process.stderr.write(`an upload: longest stall ${stall.toFixed(0)} ms, ${status}\n`);
      expect([200, 400]).toContain(status);
      expect(stall).toBeLessThan(stallLimitMs(UPLOAD_BYTES));
    },
    600_000,
  );
});
