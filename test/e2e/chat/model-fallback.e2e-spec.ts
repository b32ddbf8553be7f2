import {
  HELLO,
  aTextEndpoint,
  startTextStage,
  streamedChunks,
  streamedText,
  type TextStage,
} from '../../support/calls/text-stage.js';
import { CHAT_TEXT, type ChatScript } from '../../support/vendors/scripted-chat-vendor.js';

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({ env: { UPSTREAM_TIMEOUT_MS: '400' } });
  stage.teach('rules/two', [aTextEndpoint('openai'), aTextEndpoint('siliconflow')]);
  stage.teach('rules/dear', [aTextEndpoint('deepinfra', { tokenPrices: { prompt: '0.001', completion: '0.001' } })]);
});
afterAll(() => stage.stop());
afterEach(() => Object.values(stage.vendors).forEach((vendor) => vendor.clear()));

const fails = (status: number, error: object = { message: 'scripted' }, headers = {}): ChatScript => ({
  status,
  headers,
  body: { error },
});
const TEXT = CHAT_TEXT.join('');
const ERROR_EVENT: ChatScript = { events: [{ error: { message: 'scripted', code: 500 } }] };

/** Faults of the first model's vendor, and the expected code and status of the attempt. */
const FAILURES: readonly (readonly [name: string, script: ChatScript, code: string, status: number])[] = [
  [
    'a context that is too long',
    fails(400, { message: 'x', code: 'context_length_exceeded' }),
    'context_length_exceeded',
    400,
  ],
  ['moderation', fails(400, { message: 'x', code: 'content_policy_violation' }), 'content_policy_violation', 400],
  ['a member that the vendor refuses', fails(422), 'invalid_request', 422],
  ['a request that is too large', fails(413), 'payload_too_large', 413],
  ['a credential that the vendor refuses', fails(401), 'provider_failed', 401],
  ['an account without credits', fails(402), 'provider_failed', 402],
  ['a rate limit', fails(429), 'rate_limited', 429],
  ['an internal error', fails(500), 'provider_failed', 500],
  ['an overload', fails(503), 'provider_overloaded', 503],
  ['silence', { events: ['x'], stallAfter: 0 }, 'provider_timeout', 524],
  ['an error in a 200', { body: { error: { message: 'x', code: 500 } } }, 'provider_failed', 500],
  ['a response without choices', { body: {} }, 'provider_failed', 502],
];

describe('the list `models` of a chat', () => {
  it.each(FAILURES)('moves to the next model after %s', async (_, script, code, status) => {
    stage.vendors.openai.script(script);
    const answer = await stage.chat({ models: ['rules/deepinfra'] });
    expect([answer.status, answer.json.model, answer.json.provider]).toEqual([200, 'rules/deepinfra', 'deepinfra']);
    const { data } = (await stage.service.standard.get(`/generation?id=${answer.json.id}`)).json;
    expect(data.provider_responses).toMatchObject([{ status }, { status: 200 }]);

    stage.vendors.openai.script(script);
    stage.vendors.deepinfra.script(fails(500));
    const failed = await stage.chat({ models: ['rules/deepinfra'] });
    expect([failed.status, failed.json.error.metadata]).toEqual([
      502,
      {
        error_type: 'provider_unavailable',
        provider_name: 'deepinfra',
        previous_errors: [{ provider: 'openai', code, status }],
      },
    ]);
  });

  it.each([
    ['an error event', ERROR_EVENT],
    ['an empty stream', { bytes: Buffer.alloc(0) }],
    ['comments and the end', { bytes: Buffer.from(': x\n\ndata: [DONE]\n\n') }],
    ['a status', fails(500)],
  ] satisfies [string, ChatScript][])('moves to the next model if a stream begins with %s', async (_, script) => {
    stage.vendors.openai.script(script);
    const answer = await stage.chat({ models: ['rules/deepinfra'], stream: true });
    expect(answer.status).toBe(200);
    expect(new Set(streamedChunks(answer).map(({ model }) => model))).toEqual(new Set(['rules/deepinfra']));
    expect(streamedText(answer)).toBe(TEXT);
  });

  it('tries all endpoints of a model before the next model, unless a vendor refuses the request', async () => {
    const provider = { order: ['openai', 'siliconflow'] };
    const calls = (): number => stage.vendors.siliconflow.seen.length;
    const before = calls();
    stage.vendors.openai.script(fails(500), fails(400));
    expect((await stage.chat({ model: 'rules/two', models: ['rules/deepinfra'], provider })).json.provider).toBe(
      'siliconflow',
    );
    expect(calls() - before).toBe(1);
    expect((await stage.chat({ model: 'rules/two', models: ['rules/deepinfra'], provider })).json.provider).toBe(
      'deepinfra',
    );
    expect(calls() - before).toBe(1);
  });

  it('skips models that are not known, cannot be called or are excluded by preferences', async () => {
    const models = ['no/such', 'rules/openai', 'rules/deepinfra'];
    const answer = await stage.chat({ model: undefined, models, provider: { ignore: ['openai'] } });
    expect([answer.status, answer.json.model]).toEqual([200, 'rules/deepinfra']);
  });

  it('fails with the error of the first model if none can be called', async () => {
    const { status, json } = await stage.chat({ model: 'no/such', models: ['no/more'] });
    expect([status, json.error.message]).toEqual([404, expect.stringContaining('"no/such"')]);
  });

  it('causes no second attempt if it repeats the model of the request', async () => {
    stage.vendors.openai.script(fails(400));
    const { status } = await stage.chat({ models: ['rules/openai'] });
    expect(status).toBe(400);
  });

  it('is refused with the affordable tokens of the next model if its price is too high', async () => {
    stage.vendors.openai.script(fails(500));
    const { json } = await stage.service.management.post('/keys', { json: { name: 'small', limit: 0.05 } });
    const answer = await stage.chat({ models: ['rules/dear'], max_tokens: 100 }, { key: json.key });
    expect([answer.status, answer.json.error.metadata]).toEqual([
      402,
      {
        error_type: 'payment_required',
        limit_source: 'key_limit',
        requested_tokens: 100,
        affordable_tokens: 0,
        previous_errors: [{ provider: 'openai', code: 'provider_failed', status: 500 }],
      },
    ]);
  });

  it('compares the endpoints of all models if provider.sort.partition is none', async () => {
    const models = ['rules/openai', 'rules/dear', 'rules/two'];
    stage.vendors.openai.script(fails(500), fails(500));
    stage.vendors.siliconflow.script(fails(500));
    const body = { model: 'rules/dear', models, max_tokens: 1_000 };
    const answer = await stage.chat({ ...body, provider: { sort: { by: 'price', partition: 'none' } } });
    expect(answer.json.model).toBe('rules/dear');
    const generation = await stage.service.standard.get(`/generation?id=${answer.json.id}`);
    expect(generation.json.data.provider_responses).toMatchObject([500, 500, 500, 200].map((status) => ({ status })));
    expect((await stage.chat({ ...body, provider: { sort: 'price' } })).json.model).toBe('rules/dear');
  });

  it('moves to the next model if the format of a vendor cannot carry the request', async () => {
    const tools = [{ type: 'custom', custom: { name: 'c' } }];
    const answer = await stage.chat({ model: 'rules/anthropic', models: ['rules/openai'], tools });
    expect([answer.status, answer.json.model]).toEqual([200, 'rules/openai']);
    const refused = await stage.chat({ model: 'rules/anthropic', tools, messages: HELLO });
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining('tools[0]')]);
  });
});
