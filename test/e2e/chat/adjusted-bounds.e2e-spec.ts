import { createHash } from 'node:crypto';
import { KeyDirectory } from '../../../src/auth/key-directory.js';
import { CredentialDirectory } from '../../../src/secrets/credential-directory.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { readBooks } from '../../support/money/count-the-money.js';
import { goodResponsesScript } from '../../support/vendors/responses-vendor.js';
import { goodEvents } from '../../support/vendors/scripted-chat-vendor.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const KEY_HASH = createHash('sha256').update(TEST_API_KEY).digest('hex');
const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

let stage: TextStage;
/** The maximum output of every model of the stage, in tokens. */
const CEILING = 4_000;
beforeAll(async () => {
  stage = await startTextStage();
  stage.teach('rules/long', [aTextEndpoint('openai', { maxCompletionTokens: 64_000 })]);
  stage.teach('rules/small', [aTextEndpoint('openai', { maxCompletionTokens: 2_047 })]);
  stage.teach('rules/least', [aTextEndpoint('openai', { maxCompletionTokens: 2_048 })]);
  stage.teach('rules/two', [aTextEndpoint('openai', { maxCompletionTokens: 10 }), aTextEndpoint('deepinfra')]);
});
afterAll(() => stage.stop());
beforeEach(() => stage.vendors.openai.clear());

const adjustedIn = ({ headers }: ApiAnswer): string | null => headers.get('x-gatehouse-adjusted');
// oxlint-disable-next-line typescript/no-explicit-any
const sentTo = (vendor: 'openai' | 'deepinfra' = 'openai'): any => stage.vendors[vendor].seen.at(-1)!.json;
const respond = (body: object): Promise<ApiAnswer> =>
  stage.service.standard.post('/responses', { json: { model: 'rules/openai', input: 'Hello', ...body } });
const complete = (body: object): Promise<ApiAnswer> =>
  stage.service.standard.post('/completions', { json: { model: 'builtin/eliza', prompt: 'Hello', ...body } });

describe('a bound of output tokens above the ceiling of the model', () => {
  it.each(['max_tokens', 'max_completion_tokens'])(
    'is lowered to the ceiling, and reported, as %s of a chat',
    async (member) => {
      const answer = await stage.chat({ [member]: CEILING + 1 });
      expect([answer.status, adjustedIn(answer), sentTo().max_completion_tokens ?? sentTo().max_tokens]).toEqual([
        200,
        'max_tokens=4000',
        CEILING,
      ]);
    },
  );

  it('is also lowered in streams', async () => {
    const answer = await stage.chat({ max_tokens: 32_000, stream: true });
    expect([answer.status, adjustedIn(answer)]).toEqual([200, 'max_tokens=4000']);
  });

  it('is lowered as max_output_tokens of /responses', async () => {
    for (const stream of [false, true]) {
      stage.vendors.openai.script(goodResponsesScript(stream));
      const answer = await respond({ max_output_tokens: 32_000, stream });
      expect([answer.status, adjustedIn(answer), sentTo().max_output_tokens]).toEqual([
        200,
        'max_tokens=4000',
        CEILING,
      ]);
    }
  });

  it('is lowered as max_tokens of /messages', async () => {
    for (const stream of [false, true]) {
      stage.claude({}, stream);
      const answer = await stage.messages({ max_tokens: 32_000, stream });
      expect([answer.status, adjustedIn(answer), stage.anthropic.seen.at(-1)!.json.max_tokens]).toEqual([
        200,
        'max_tokens=4000',
        CEILING,
      ]);
    }
  });

  it('is lowered for a vendor of another format', async () => {
    expect(adjustedIn(await stage.messages({ model: 'rules/openai', max_tokens: 32_000 }))).toBe('max_tokens=4000');
    expect(sentTo().max_completion_tokens ?? sentTo().max_tokens).toBe(CEILING);
  });

  it('is lowered to 65,536 for the built-in model, also on /completions', async () => {
    expect(adjustedIn(await complete({ max_tokens: 65_537 }))).toBe('max_tokens=65536');
    expect(adjustedIn(await complete({ max_tokens: 65_536 }))).toBeNull();
    expect(adjustedIn(await stage.chat({ model: 'builtin/eliza', max_tokens: 32_000 }))).toBeNull();
  });

  it.each([CEILING, 1])('is lowered, but a bound of %d is sent unchanged', async (max_tokens) => {
    const answer = await stage.chat({ max_tokens });
    expect([adjustedIn(answer), sentTo().max_completion_tokens ?? sentTo().max_tokens]).toEqual([null, max_tokens]);
  });

  it('is reserved with its lowered value', async () => {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    stage.vendors.openai.script({ events: goodEvents(), holdAfter: 1, released });
    const calls = stage.vendors.openai.seen.length;
    const answer = stage.chat({ max_tokens: 7_000, stream: true });
    while (stage.vendors.openai.seen.length === calls) await new Promise(setImmediate);
    const [{ reserved }] = (await stage.service.sql.query<{ reserved: bigint }>(
      `select sum(account_amount) as reserved from reservation where state = 'reserved'`,
    )) as [{ reserved: bigint }];
    resolve();
    expect((await answer).status).toBe(200);
    expect(await readBooks(stage.service.sql)).toMatchObject({ openReservations: 0n });
    // 4,000 tokens at 2,000 nano-dollars, and the prompt.
    expect(Number(reserved)).toBeGreaterThan(8_000_000);
    expect(Number(reserved)).toBeLessThan(9_000_000);
  });

  it('is lowered to the ceiling of the model that served the call', async () => {
    stage.vendors.openai.script({ status: 500 });
    const answer = await stage.chat({ model: 'rules/long', models: ['rules/deepinfra'], max_tokens: 100_000 });
    expect([answer.json.model, adjustedIn(answer)]).toEqual(['rules/deepinfra', 'max_tokens=4000']);
    expect(adjustedIn(await stage.chat({ model: 'rules/long', max_tokens: 100_000 }))).toBe('max_tokens=64000');
  });

  it('is sent to an endpoint with a higher ceiling first', async () => {
    for (let call = 0; call < 3; call++) {
      const answer = await stage.chat({ model: 'rules/two', max_tokens: 11 });
      expect([answer.json.provider, adjustedIn(answer)]).toEqual(['deepinfra', null]);
    }
    const provider = { order: ['openai'] };
    expect(adjustedIn(await stage.chat({ model: 'rules/two', max_tokens: 11, provider }))).toBe('max_tokens=10');
  });

  it('is also reported with a response from the cache', async () => {
    const headers = { 'x-openrouter-cache': 'true' };
    const body = { max_tokens: 32_000, messages: [{ role: 'user', content: 'Kept' }] };
    for (const status of ['MISS', 'HIT']) {
      const answer = await stage.chat(body, { headers });
      expect([answer.headers.get('x-openrouter-cache-status'), adjustedIn(answer)]).toEqual([
        status,
        'max_tokens=4000',
      ]);
    }
  });
});

describe('a budget of thinking above the ceiling of the model', () => {
  const think = async (budget_tokens: number, max_tokens: number, model?: string): Promise<unknown> => {
    stage.claude();
    const thinking = { type: 'enabled', budget_tokens, display: 'summarized' };
    const answer = await stage.messages({ thinking, max_tokens, ...(model === undefined ? {} : { model }) });
    const { json } = stage.anthropic.seen.at(-1)!;
    stage.anthropic.clear();
    return [answer.status, adjustedIn(answer), json.max_tokens, json.thinking];
  };
  const thinking = (budget_tokens: number): object => ({ type: 'enabled', budget_tokens, display: 'summarized' });

  it('is lowered with the bound, to 1,024 tokens below the lowered bound', async () => {
    expect(await think(31_999, 32_000)).toEqual([200, 'max_tokens=4000', CEILING, thinking(2_976)]);
    // With the lowered bound, the caller's budget would leave only one token for the response.
    expect(await think(3_999, 32_000)).toEqual([200, 'max_tokens=4000', CEILING, thinking(2_976)]);
  });

  it('is unchanged if it leaves 1,024 tokens for the response, or if the bound is unchanged', async () => {
    expect(await think(2_976, 32_000)).toEqual([200, 'max_tokens=4000', CEILING, thinking(2_976)]);
    expect(await think(3_999, CEILING)).toEqual([200, null, CEILING, thinking(3_999)]);
  });

  it('is lowered in a chat without a bound, and reported', async () => {
    stage.teach('rules/thinker', [aTextEndpoint('openrouter')]);
    const answer = await stage.chat({ model: 'rules/thinker', reasoning: { max_tokens: 4_001, exclude: true } });
    expect([answer.status, adjustedIn(answer)]).toEqual([200, 'thinking_budget=2976']);
    expect(stage.vendors.openrouter.seen.at(-1)!.json.reasoning).toEqual({ max_tokens: 2_976, exclude: true });
  });

  it('is lowered for a vendor of another format', async () => {
    stage.claude();
    const answer = await stage.chat({ model: 'rules/anthropic', max_tokens: 9_000, reasoning: { max_tokens: 8_000 } });
    expect([answer.status, adjustedIn(answer)]).toEqual([200, 'max_tokens=4000']);
    const { max_tokens: bound, thinking: sent } = stage.anthropic.seen.at(-1)!.json;
    expect([bound, sent.budget_tokens]).toEqual([CEILING, 2_976]);
  });

  it('is refused if it would be lowered below 1,024 tokens', async () => {
    for (const [model, status] of [
      ['rules/small', 400],
      ['rules/least', 200],
    ] as const) {
      const answer = await stage.chat({ model, max_tokens: 9_000, reasoning: { max_tokens: 8_000 } });
      expect(answer.status).toBe(status);
      if (status === 400)
        expect(answer.json.error).toMatchObject({
          message: expect.stringMatching(/reasoning.max_tokens is 8000: rules.small generates at most 2047 tokens/),
          metadata: { error_type: 'invalid_request' },
        });
    }
  });
});

describe("on the caller's own credential", () => {
  let id: string;
  const forCall = async (): Promise<number> => {
    const directory = stage.service.app.get(CredentialDirectory, { strict: false });
    const { principal } = (await stage.service.app.get(KeyDirectory, { strict: false }).find(KEY_HASH))!;
    return (await directory.forCall(principal, 'siliconflow', 'rules/siliconflow')).length;
  };
  beforeAll(async () => {
    const key = 'sk-own-credential-0123456789-AbCd';
    const { json } = await stage.service.management.post('/byok', { json: { provider: 'siliconflow', key } });
    ({ id } = json.data);
    while ((await forCall()) === 0) await new Promise(setImmediate);
  });
  afterAll(() => stage.service.management.delete(`/byok/${id}`));
  const sent = (): number | undefined => {
    const { max_completion_tokens: bound, max_tokens: other } = stage.vendors.siliconflow.seen.at(-1)!.json;
    return bound ?? other;
  };

  it.each([
    ['that was read on an unknown day', {}, null, 9_000],
    ['that was read 32 days ago', { readOn: daysAgo(32) }, null, 9_000],
    ['that was read 29 days ago', { readOn: daysAgo(29) }, 'max_tokens=4000', 4_000],
  ])('a bound is lowered only if its ceiling is recent: a ceiling %s', async (_, facts, said, bound) => {
    stage.teach('rules/siliconflow', [aTextEndpoint('siliconflow', facts)]);
    const answer = await stage.chat({ model: 'rules/siliconflow', max_tokens: 9_000 });
    expect([answer.status, answer.json.usage.is_byok, adjustedIn(answer), sent()]).toEqual([200, true, said, bound]);
  });

  it("a bound is lowered when the call falls back to the platform's credential", async () => {
    stage.teach('rules/siliconflow', [aTextEndpoint('siliconflow')]);
    stage.vendors.siliconflow.script({ status: 401, body: { error: { message: 'no' } } });
    const answer = await stage.chat({ model: 'rules/siliconflow', max_tokens: 9_000 });
    expect([answer.json.usage.is_byok, adjustedIn(answer), sent()]).toEqual([false, 'max_tokens=4000', 4_000]);
  });
});
