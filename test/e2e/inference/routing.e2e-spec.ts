import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Random } from '../../../src/inference/routing/random.js';
import { settledSpend } from '../../support/money/account-totals.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { startScriptedVendor, type ScriptedVendor, type VendorFault } from '../../support/vendors/scripted-vendor.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const priced = (costUsd: string): object => ({ pricing: [{ billable: 'output_image', unit: 'image', costUsd }] });
const status = (code: number): VendorFault => ({ kind: 'status', status: code });

describe('the routing of a call to a vendor', () => {
  let cheap: ScriptedVendor;
  let dear: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    cheap = await startScriptedVendor();
    dear = await startScriptedVendor();
    service = await startTestService({
      env: {
        OPENAI_API_KEY: 'credential-of-openai',
        OPENAI_BASE_URL: cheap.baseUrl,
        GROQ_API_KEY: 'credential-of-groq',
        GROQ_BASE_URL: dear.baseUrl,
        BREAKER_FAILURES: '3',
        BREAKER_PAUSE_MS: '1000',
        UPSTREAM_TIMEOUT_MS: '400',
      },
    });
  });
  let model: string;
  let made = 0;
  beforeEach(() => {
    // Each test has new endpoints, for which the service has stored no state.
    model = `routing/model-${++made}`;
    const facts = { upstreamModel: `m${made}`, allowedPassthroughParameters: ['moderation'] };
    teach(service, {
      [model]: [
        anImageEndpoint('groq', { ...facts, ...priced('0.02') }),
        anImageEndpoint('openai', { ...facts, ...priced('0.01') }),
      ],
      [`${model}-speech`]: [
        aSpeechEndpoint('openai', facts),
        aSpeechEndpoint('groq', {
          ...facts,
          pricing: [{ billable: 'input_text', unit: 'character', costUsd: '0.000002' }],
        }),
      ],
    });
    drawn(0);
    for (const vendor of [cheap, dear]) vendor.seen.length = 0;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await service.stop();
    await cheap.close();
    await dear.close();
  });

  const drawn = (number: number): void =>
    void jest.spyOn(service.app.get(Random, { strict: false }), 'next').mockReturnValue(number);
  const draw = (fields: object = {}): Promise<ApiAnswer> =>
    service.standard.post('/images', { json: { model, prompt: 'A kite', ...fields } });
  const speak = (fields: object = {}): Promise<ApiAnswer> =>
    service.standard.post('/audio/speech', {
      json: { model: `${model}-speech`, input: 'Hello', voice: 'alloy', ...fields },
    });
  const asked = (): [number, number] => [cheap.seen.length, dear.seen.length];

  it.each([
    ['a random draw weighted by price: the more likely endpoint', 0, {}, [1, 0]],
    ['a random draw weighted by price: the less likely endpoint', 0.99, {}, [0, 1]],
    ['order', 0, { order: ['groq'] }, [0, 1]],
    ['only', 0, { only: ['groq'] }, [0, 1]],
    ['ignore', 0, { ignore: ['openai'] }, [0, 1]],
    ['sort by price', 0.99, { sort: 'price' }, [1, 0]],
    ['sort by an object', 0.99, { sort: { by: 'price' } }, [1, 0]],
    ['order with an unknown name', 0, { order: ['nobody', 'groq'] }, [0, 1]],
  ])('chooses an endpoint by %s', async (_, number, provider, calls) => {
    drawn(number);
    expect((await draw({ provider })).status).toBe(200);
    expect(asked()).toEqual(calls);
  });

  it.each(['latency', 'throughput'])('sorts endpoints by their recent %s', async (sort) => {
    cheap.script({ kind: 'slow', pauseMs: 150 });
    await draw({ provider: { only: ['openai'] } });
    await draw({ provider: { only: ['groq'] } });
    await draw({ provider: { sort } });
    expect(asked()).toEqual([1, 2]);
  });

  it.each([{ only: ['nobody'] }, { ignore: ['openai', 'groq'] }])(
    'returns 404 if %j leaves no endpoint',
    async (provider) => {
      expect((await draw({ provider })).status).toBe(404);
    },
  );

  it('gives an endpoint only the options of its own provider', async () => {
    cheap.script(status(500));
    await draw({ provider: { options: { openai: { moderation: 'low' }, groq: { moderation: 'auto', other: 1 } } } });
    expect(cheap.seen[0]!.json.moderation).toBe('low');
    expect([dear.seen[0]!.json.moderation, dear.seen[0]!.json.other]).toEqual(['auto', undefined]);
  });

  const MENDABLE: readonly (readonly [string, VendorFault])[] = [
    ...[401, 402, 403, 404, 409, 429, 500, 502, 503, 504, 529].map((code) => [String(code), status(code)] as const),
    ['a reset', { kind: 'reset' }],
    ['silence', { kind: 'silence' }],
    ['an empty response', { kind: 'body', body: '' }],
    [
      'a 200 with an error inside',
      { kind: 'body', body: '{"error":{"message":"x"}}', contentType: 'application/json' },
    ],
  ];

  it.each(MENDABLE)('falls back after %s, and bills and records the successful endpoint', async (_, fault) => {
    const before = await settledSpend(service.sql);
    cheap.script(fault, fault);
    const drawing = await draw();
    const speech = await speak();
    expect([drawing.status, speech.status, ...asked()]).toEqual([200, 200, 2, 2]);
    expect(drawing.json.usage.cost).toBe(0.02);
    expect((await settledSpend(service.sql)) - before).toBe(20_000_000n + 10_000n);
    for (const answer of [drawing, speech]) {
      const generation = await service.standard.get(`/generation?id=${answer.headers.get('x-generation-id')}`);
      expect(generation.json.data.provider_name).toBe('Groq');
    }
  });

  it.each([400, 413, 422])('does not fall back after %i', async (code) => {
    cheap.script(status(code), status(code));
    expect([(await draw()).status, (await speak()).status]).toEqual(code === 413 ? [413, 413] : [400, 400]);
    expect(asked()).toEqual([2, 0]);
  });

  it('does not fall back if the caller forbids fallbacks', async () => {
    cheap.script(status(500), status(500));
    const provider = { allow_fallbacks: false };
    expect([(await draw({ provider })).status, (await speak({ provider })).status]).toEqual([502, 502]);
    expect(asked()).toEqual([2, 0]);
  });

  it('returns the last fault if all endpoints fail, and bills nothing', async () => {
    const before = await settledSpend(service.sql);
    cheap.script(status(500));
    dear.script({ kind: 'status', status: 429, headers: { 'retry-after': '9' } });
    const answer = await draw();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '9']);
    expect(await settledSpend(service.sql)).toBe(before);
  });

  it('does not fall back after a part of a stream has reached the caller', async () => {
    cheap.script({ kind: 'cut', share: 0.6 });
    const answer = await draw({ stream: true });
    expect(answer.text).toContain('"type":"error"');
    expect(asked()).toEqual([1, 0]);
  });

  it('falls back within a stream while nothing has reached the caller', async () => {
    cheap.script({ kind: 'head-only' });
    const answer = await draw({ stream: true });
    expect(answer.text).toContain('image_generation.completed');
    expect(asked()).toEqual([1, 1]);
  });

  describe('a circuit breaker', () => {
    const openBreaker = async (call: () => Promise<ApiAnswer>): Promise<void> => {
      cheap.script(status(500), { kind: 'reset' }, { kind: 'silence' });
      for (let failures = 0; failures < 3; failures++) expect((await call()).status).toBeGreaterThanOrEqual(500);
    };

    it.each([
      ['images', 502, draw],
      ['speech', 503, speak],
    ])(
      'skips an endpoint of %s after consecutive failures; without another endpoint, the call returns %i',
      async (_, code, call) => {
        const alone = (): Promise<ApiAnswer> => call({ provider: { only: ['openai'] } });
        await openBreaker(alone);
        const calls = cheap.seen.length;
        const refused = await alone();
        expect([refused.status, refused.json.error.message]).toEqual([code, expect.stringContaining('healthy')]);
        expect(cheap.seen.length).toBe(calls);
        expect((await call()).status).toBe(200);
        expect([cheap.seen.length, dear.seen.length]).toEqual([calls, 1]);
        // The endpoint is tried again after its pause. The success closes the breaker.
        while ((await alone()).status !== 200) await sleep(20);
        expect((await alone()).status).toBe(200);
        expect(cheap.seen.length).toBe(calls + 2);
      },
    );

    it('counts speech that breaks off after its first byte as a failure', async () => {
      const alone = (): Promise<string | number> =>
        speak({ provider: { only: ['openai'] } }).then(
          ({ status: code }) => code,
          () => 'cut',
        );
      cheap.script({ kind: 'cut', share: 0.5 }, { kind: 'stall', share: 0.5 }, { kind: 'cut', share: 0.5 });
      expect([await alone(), await alone(), await alone()]).toEqual(['cut', 'cut', 'cut']);
      expect([await alone(), cheap.seen.length]).toEqual([503, 3]);
      // One complete response closes the breaker.
      while ((await alone()) !== 200) await sleep(20);
      expect(await alone()).toBe(200);
    });

    it('is not opened by callers who leave while they receive speech', async () => {
      for (let left = 0; left < 4; left++) {
        cheap.script({ kind: 'stall', share: 0.5 });
        const leaving = new AbortController();
        const answer = await fetch(`${service.origin}/api/v1/audio/speech`, {
          method: 'POST',
          signal: leaving.signal,
          headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: `${model}-speech`,
            input: 'Hello',
            voice: 'alloy',
            provider: { only: ['openai'] },
          }),
        });
        await answer.body!.getReader().read();
        leaving.abort();
        while (cheap.seen.at(-1)!.abortedAt === undefined) await sleep(5);
      }
      expect((await speak({ provider: { only: ['openai'] } })).status).toBe(200);
    });

    it('opens again if the call that tests the endpoint fails', async () => {
      const alone = (): Promise<ApiAnswer> => draw({ provider: { only: ['openai'] } });
      await openBreaker(alone);
      cheap.script(status(503));
      while ((await alone()).status !== 529) await sleep(20);
      expect((await alone()).json.error.message).toContain('healthy');
      while ((await alone()).status !== 200) await sleep(20);
    });

    it.each([400, 401, 429])('is not opened by %i', async (code) => {
      const alone = (): Promise<ApiAnswer> => draw({ provider: { only: ['openai'] } });
      cheap.script(...Array.from({ length: 5 }, () => status(code)));
      for (let failures = 0; failures < 5; failures++) await alone();
      expect((await alone()).status).toBe(200);
      expect(cheap.seen.length).toBe(6);
    });
  });
});
