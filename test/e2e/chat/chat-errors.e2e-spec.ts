import type { ChatScript } from '../../support/vendors/scripted-chat-vendor.js';
import { aTextEndpoint, startTextStage, streamedChunks, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({ env: { UPSTREAM_TIMEOUT_MS: '400', CHAT_BODY_LIMIT_BYTES: '100000' } });
  stage.teach('rules/two', [aTextEndpoint('openai'), aTextEndpoint('deepinfra')]);
  stage.teach('rules/picture', [aTextEndpoint('openai', { capability: 'image' })]);
  stage.teach('rules/no-credential', [aTextEndpoint('groq'), aTextEndpoint('x-ai-like')]);
});
afterAll(() => stage.stop());
afterEach(() => Object.values(stage.vendors).forEach((vendor) => vendor.clear()));

const fails = (status: number, error: unknown = { message: 'words of the vendor' }, headers = {}): ChatScript => ({
  status,
  headers,
  body: { error },
});
const coded = (code: string): ChatScript => fails(400, { message: 'words', code });

/** The vendor's response, our status, the published type, and additional members of the metadata. */
const VENDOR_FAULTS: readonly (readonly [script: ChatScript, status: number, type: string, more?: object])[] = [
  [fails(400), 400, 'invalid_request'],
  [fails(422), 400, 'invalid_request'],
  [coded('context_length_exceeded'), 400, 'context_length_exceeded', { provider_code: 'context_length_exceeded' }],
  [fails(400, { message: "This model's maximum context length is 8 tokens" }), 400, 'context_length_exceeded'],
  [fails(400, { message: 'max_tokens is too large: 9' }), 400, 'max_tokens_exceeded'],
  [coded('string_above_max_length'), 400, 'string_too_long', { provider_code: 'string_above_max_length' }],
  [coded('invalid_prompt'), 400, 'invalid_prompt', { provider_code: 'invalid_prompt' }],
  [coded('content_policy_violation'), 400, 'content_policy_violation', { provider_code: 'content_policy_violation' }],
  [coded('invalid_image'), 400, 'invalid_image', { provider_code: 'invalid_image' }],
  [coded('image_too_large'), 400, 'image_too_large', { provider_code: 'image_too_large' }],
  [coded('invalid_image_format'), 400, 'unsupported_image_format', { provider_code: 'invalid_image_format' }],
  [coded('invalid_image_url'), 400, 'image_download_failed', { provider_code: 'invalid_image_url' }],
  [fails(401, { message: 'x', code: 'invalid_api_key' }), 502, 'provider_unavailable'],
  [fails(402), 502, 'provider_unavailable'],
  [fails(403), 502, 'provider_unavailable'],
  [fails(404, { message: 'x', code: 'model_not_found' }), 502, 'provider_unavailable'],
  [fails(413), 413, 'payload_too_large'],
  [fails(429), 429, 'rate_limit_exceeded'],
  [fails(500, { message: 'x', type: 'server_error' }), 502, 'provider_unavailable', { provider_code: 'server_error' }],
  [fails(502), 502, 'provider_unavailable'],
  [fails(503), 529, 'provider_overloaded'],
  [fails(529), 529, 'provider_overloaded'],
  [fails(504), 524, 'timeout'],
  [fails(524), 524, 'timeout'],
  [{ body: {}, holdAfter: 0, released: new Promise(() => undefined) }, 524, 'timeout'],
  [{ body: 'x', resetAfter: 0 }, 502, 'provider_unavailable'],
  [{ body: '' }, 502, 'provider_unavailable'],
  [{ body: '{' }, 502, 'provider_unavailable'],
  [{ body: { choices: [] } }, 502, 'provider_unavailable'],
  [{ body: { choices: [{ index: 0, finish_reason: 'error', message: {} }] } }, 502, 'provider_unavailable'],
  [{ body: { error: { message: 'x', code: 429 } } }, 429, 'rate_limit_exceeded'],
];

describe("a vendor's failure", () => {
  const rows = VENDOR_FAULTS.map(([script, ...rest]) => [JSON.stringify(script).slice(0, 100), script, rest] as const);
  it.each(rows)('is returned with its published type: %s', async (_, script, [status, type, more = {}]) => {
    for (const stream of [false, true]) {
      stage.vendors.openai.script(script);
      const answer = await stage.chat({ stream });
      expect([answer.status, answer.json.error]).toEqual([
        status,
        {
          code: status,
          message: expect.any(String),
          metadata: { error_type: type, provider_name: 'openai', ...more },
        },
      ]);
      expect(answer.headers.get('x-generation-id')).toMatch(/^gen-/);
      if (status !== 400) expect(answer.json.error.message).not.toContain('words of the vendor');
    }
  });

  it('is returned with the message of the vendor, without credentials, if the request is at fault', async () => {
    stage.vendors.openai.script(fails(400, { message: 'no: credential-of-openai, sk-abcdef0123456789' }));
    expect((await stage.chat({})).json.error.message).toBe('no: [redacted], [redacted]');
  });

  it('is returned with the earlier attempts', async () => {
    stage.vendors.openai.script(fails(500));
    stage.vendors.deepinfra.script(fails(503, { message: 'x', code: 'busy' }));
    const { status, json } = await stage.chat({ model: 'rules/two', provider: { order: ['openai', 'deepinfra'] } });
    expect([status, json.error.metadata]).toEqual([
      529,
      {
        error_type: 'provider_overloaded',
        provider_name: 'deepinfra',
        provider_code: 'busy',
        previous_errors: [{ provider: 'openai', code: 'provider_failed', status: 500 }],
      },
    ]);
  });

  it.each([
    ['3', '7', '3'],
    ['7', '3', '3'],
    [undefined, '5', '5'],
    ['5', undefined, '5'],
    [undefined, undefined, null],
    ['Wed, 21 Oct 2099 07:28:00 GMT', '60', '60'],
  ])('with status 429 is returned with the shortest Retry-After: %s and %s give %s', async (first, second, least) => {
    // Each case has its own upstream model, because a credential rests for a model after a 429.
    const upstreamModel = `limited ${first} ${second}`;
    stage.teach('rules/limited', [
      aTextEndpoint('openai', { upstreamModel }),
      aTextEndpoint('deepinfra', { upstreamModel }),
    ]);
    const limited = (after?: string): ChatScript => fails(429, undefined, after ? { 'retry-after': after } : {});
    stage.vendors.openai.script(limited(first));
    stage.vendors.deepinfra.script(limited(second));
    const answer = await stage.chat({ model: 'rules/limited', provider: { order: ['openai', 'deepinfra'] } });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, least]);
  });

  it('leads to a 503 for the next call if no endpoint is healthy', async () => {
    const fragile = await startTextStage({ env: { BREAKER_FAILURES: '1' } });
    try {
      fragile.vendors.openai.script(fails(500));
      expect((await fragile.chat({})).status).toBe(502);
      const { status, json } = await fragile.chat({});
      expect([status, json.error.metadata]).toEqual([
        503,
        { error_type: 'provider_unavailable', provider_name: 'openai' },
      ]);
      const fallen = await fragile.chat({ models: ['rules/deepinfra'] });
      expect([fallen.status, fallen.json.model]).toEqual([200, 'rules/deepinfra']);
    } finally {
      await fragile.stop();
    }
  });
});

describe('a chat is refused with 404', () => {
  const availability = (code: string): object => ({
    error_type: 'not_found',
    availability: { code, retryable: false },
  });
  it.each<[string, object, string, readonly string[]]>([
    ['for an unknown model', { model: 'no/such' }, 'model_not_found', ['"no/such"']],
    ['for a model of another kind', { model: 'rules/picture' }, 'wrong_endpoint', ['"rules/picture"']],
    [
      'if no credential is configured, with the names of the environment variables',
      { model: 'rules/no-credential' },
      'no_endpoints',
      ['GROQ_API_KEY', 'groq', 'POST /byok', 'x-ai-like'],
    ],
    ['if preferences leave no endpoint', { provider: { only: ['nobody'] } }, 'constraint_filtered', ['preferences']],
    [
      'for a kind of media that no endpoint takes',
      { messages: [{ role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://a.example/v' } }] }] },
      'constraint_filtered',
      ['video'],
    ],
  ])('%s', async (_, body, code, words) => {
    for (const stream of [false, true]) {
      const { status, json } = await stage.chat({ ...body, stream });
      expect([status, json.error.metadata]).toEqual([404, availability(code)]);
      for (const word of words) expect(json.error.message).toContain(word);
    }
  });
});

describe('a chat is refused', () => {
  it('with 413 if its body is too large', async () => {
    const { status, json } = await stage.chat({ x: 'x'.repeat(100_000) });
    expect([status, json.error.metadata]).toEqual([413, { error_type: 'payload_too_large' }]);
  });

  it('with 500 and no message of the vendor if the service itself fails', async () => {
    const broken = aTextEndpoint('openai', { tokenPrices: { prompt: 'not a price', completion: '1' } });
    stage.teach('rules/broken', [broken]);
    const { status, json } = await stage.chat({ model: 'rules/broken' });
    expect([status, json.error]).toEqual([
      500,
      { code: 500, message: expect.stringMatching(/^Internal error\./), metadata: { error_type: 'server' } },
    ]);
  });

  it('with a status if its stream fails before the first text', async () => {
    stage.vendors.openai.script({ events: [{ error: { message: 'x', code: 'context_length_exceeded' } }] });
    const answer = await stage.chat({ stream: true });
    expect([answer.status, answer.json.error.metadata.error_type]).toEqual([400, 'context_length_exceeded']);
    expect(() => streamedChunks(answer)).toThrow('does not end');
  });
});
