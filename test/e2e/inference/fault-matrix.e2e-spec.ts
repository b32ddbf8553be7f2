import { createServer, type AddressInfo } from 'node:net';
import { settledSpend } from '../../support/money/account-totals.js';
import {
  AUDIO,
  PIXEL,
  startScriptedVendor,
  type ScriptedVendor,
  type VendorFault,
} from '../../support/vendors/scripted-vendor.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

/**
 * The result for the caller: a status; `event n`: an error event with this code in a started stream; `cut`: an
 * incomplete body.
 */
type Outcome = number | `event ${number}` | 'cut' | 'whole';

interface Operation {
  readonly name: 'images' | 'image stream' | 'speech';
  readonly path: string;
  readonly body: object;
  /** In nano-dollars. */
  readonly price: bigint;
}

const OPERATIONS: readonly Operation[] = [
  { name: 'images', path: '/images', body: { model: 'matrix/pictures', prompt: 'A kite' }, price: 10_000_000n },
  {
    name: 'image stream',
    path: '/images',
    body: { model: 'matrix/pictures', prompt: 'A kite', stream: true },
    price: 10_000_000n,
  },
  {
    name: 'speech',
    path: '/audio/speech',
    body: { model: 'matrix/voices', input: 'Hello', voice: 'alloy' },
    price: 5_000n,
  },
];

interface Fault {
  readonly name: string;
  /** Absent: the vendor's address has no listener. */
  readonly script?: (operation: Operation) => VendorFault;
  readonly status: number;
  /** Whether the caller has received a part of the response, so that there is no second attempt. */
  readonly afterFirstByte?: boolean;
  readonly retryAfter?: string;
}

const status =
  (code: number, headers?: Record<string, string>): (() => VendorFault) =>
  () => ({ kind: 'status', status: code, headers });
const FAULTS: readonly Fault[] = [
  { name: 'connection refused', status: 502 },
  { name: 'reset in mid-body', script: () => ({ kind: 'cut', share: 0.6 }), status: 502, afterFirstByte: true },
  { name: 'slow first byte', script: () => ({ kind: 'silence' }), status: 524 },
  { name: 'slow body', script: () => ({ kind: 'stall', share: 0.6 }), status: 524, afterFirstByte: true },
  { name: '401', script: status(401), status: 502 },
  { name: '429', script: status(429, { 'retry-after': '7' }), status: 429, retryAfter: '7' },
  { name: '500', script: status(500), status: 502 },
  { name: '503', script: status(503), status: 529 },
  { name: '504', script: status(504), status: 524 },
  { name: '524', script: status(524), status: 524 },
  { name: '529', script: status(529), status: 529 },
  {
    name: 'malformed JSON',
    script: ({ name }) => ({
      kind: 'body',
      body:
        name === 'image stream'
          ? `data: {"type":"image_generation.completed","b64_json":"${PIXEL}"\n\n`
          : '{"data":[{"b64_json":}',
      contentType: name === 'image stream' ? 'text/event-stream' : 'application/json',
    }),
    status: 502,
  },
  { name: 'empty body', script: () => ({ kind: 'body', body: '' }), status: 502 },
];

const CELLS = FAULTS.flatMap((fault) =>
  OPERATIONS.flatMap((operation) =>
    [true, false].map(
      (fallback) => [fault.name, operation.name, fallback ? 'possible' : 'not possible', fault, operation] as const,
    ),
  ),
);

describe('the matrix of faults and operations, with and without a second endpoint,', () => {
  let first: ScriptedVendor;
  let second: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    [first, second] = [await startScriptedVendor(), await startScriptedVendor()];
    service = await startTestService({
      env: {
        OPENAI_API_KEY: 'first-credential',
        OPENAI_BASE_URL: first.baseUrl,
        GROQ_API_KEY: 'second-credential',
        GROQ_BASE_URL: second.baseUrl,
        TOGETHERAI_API_KEY: 'third-credential',
        TOGETHERAI_BASE_URL: `http://127.0.0.1:${await closedPort()}/v1`,
        UPSTREAM_TIMEOUT_MS: '300',
        BREAKER_FAILURES: '1000',
        RATE_LIMIT_INFERENCE: 'off',
        RATE_LIMIT_INFERENCE_ACCOUNT: 'off',
      },
    });
    const providers = ['openai', 'groq', 'togetherai'];
    teach(service, {
      'matrix/pictures': providers.map((provider) => anImageEndpoint(provider)),
      'matrix/voices': providers.map((provider) => aSpeechEndpoint(provider)),
    });
  });
  afterAll(async () => {
    await service.stop();
    await first.close();
    await second.close();
  });

  it('has 78 cells', () => expect(CELLS).toHaveLength(78));

  it.each(CELLS)('has the expected outcome for %s on %s, fallback %s', async (_, __, possible, fault, operation) => {
    const before = await settledSpend(service.sql);
    const [calls, answered] = [first.seen.length + second.seen.length, first.answered + second.answered];
    if (fault.script) first.script(fault.script(operation));
    const seen = await call(operation, {
      order: [fault.script ? 'openai' : 'togetherai', 'groq'],
      ignore: [fault.script ? 'togetherai' : 'openai'],
      allow_fallbacks: possible === 'possible',
    });

    const tooLate = fault.afterFirstByte === true && operation.name !== 'images';
    const served = possible === 'possible' && !tooLate;
    expect(seen.outcome).toBe(
      served ? 'whole' : !tooLate ? fault.status : operation.name === 'speech' ? 'cut' : `event ${fault.status}`,
    );
    if (typeof seen.outcome === 'number') {
      const { error } = JSON.parse(seen.text) as { error: { code: number; message: string } };
      expect([Object.keys(error).sort(), error.code, typeof error.message]).toEqual([
        ['code', 'message'],
        fault.status,
        'string',
      ]);
      expect(seen.headers.get('retry-after')).toBe(fault.retryAfter ?? null);
    }
    expect(seen.text).not.toMatch(/(first|second|third)-credential/);
    // Each available vendor is called at most once.
    expect(first.seen.length + second.seen.length - calls).toBe((fault.script ? 1 : 0) + (served ? 1 : 0));
    // A call is billed if the vendor sent its response completely.
    const whole = first.answered + second.answered - answered;
    expect([whole, (await settledSpend(service.sql)) - before]).toEqual([
      served ? 1 : 0,
      BigInt(whole) * operation.price,
    ]);
  });

  async function call(
    { name, path, body }: Operation,
    provider: object,
  ): Promise<{ outcome: Outcome; text: string; headers: Headers }> {
    const answer = await fetch(`${service.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, provider }),
    });
    const bytes = await answer.arrayBuffer().then(
      (buffer) => Buffer.from(buffer),
      () => undefined,
    );
    const text = bytes?.toString('utf8') ?? '';
    return { outcome: outcomeOf(name, answer.status, bytes, text), text, headers: answer.headers };
  }

  it('bills each complete response, and no other response', async () => {
    const [row] = await service.sql.query<{ open: bigint; billed: bigint }>(
      `select (select count(*) from reservation where state = 'reserved') as open,
         (select count(*) from ledger_line where kind = 'generation') as billed`,
    );
    expect(row).toEqual({ open: 0n, billed: BigInt(first.answered + second.answered) });
  });
});

function outcomeOf(name: Operation['name'], code: number, bytes: Buffer | undefined, text: string): Outcome {
  if (code !== 200) return code;
  if (!bytes) return 'cut';
  if (name === 'speech') return bytes.equals(AUDIO) ? 'whole' : 'cut';
  if (name === 'images')
    return (JSON.parse(text) as { data: { b64_json: string }[] }).data[0]!.b64_json === PIXEL ? 'whole' : 'cut';
  const lines = text
    .trim()
    .split('\n\n')
    .map((line) => line.replace('data: ', ''));
  expect(lines.at(-1)).toBe('[DONE]');
  const last = JSON.parse(lines.at(-2)!) as { type: string; error?: { code: `${number}` } };
  return last.type === 'error' ? `event ${last.error!.code}` : 'whole';
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
