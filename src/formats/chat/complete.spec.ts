import { GatewayError } from '../../kernel/errors/errors.js';
import { CHAT_TEXT, CHAT_USAGE, goodCompletion } from '../../../test/support/vendors/scripted-chat-vendor.js';
import { TERMS } from '../../../test/support/calls/relayed-chat.js';
import { chatUsage, closing, failing } from './events.js';
import { completeChat } from './complete.js';
import { NO_USAGE } from '../usage.js';

const used = {
  ...NO_USAGE,
  prompt: 100,
  cacheRead: 40,
  cacheWrite5m: 3,
  cacheWrite1h: 2,
  completion: 50,
  reasoning: 20,
};
/** 100 prompt tokens at 1,000 nano-dollars each, and 50 completion tokens at 2,000 nano-dollars each. */
const price = {
  price: 200_000n,
  promptPrice: 100_000n,
  completionPrice: 100_000n,
  cacheDiscount: 0n,
  inconsistent: [],
};
const usage = chatUsage({ usage: used, price, isByok: false });
const completionOf = (body: unknown, terms = {}): ReturnType<typeof completeChat> =>
  completeChat(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), { ...TERMS, ...terms });
// oxlint-disable-next-line typescript/no-explicit-any
const bodyOf = (body: unknown, terms = {}): any => JSON.parse(completionOf(body, terms).body(usage));
const choosing = (choice: object, more = {}): object => ({
  choices: [{ index: 0, finish_reason: 'stop', ...choice }],
  ...more,
});

describe('chat completion', () => {
  it('fails before it is billed if it is nested too deeply', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(() => completionOf(`{"choices":[{"message":{"content":"a"}}],"x":${deep}}`)).toThrow('nested too deeply');
  });

  it('has our id, model, provider and usage, and returns the id, usage and finish reason of the vendor', () => {
    const completion = completionOf(goodCompletion());
    expect(completion).toMatchObject({
      usage: CHAT_USAGE,
      upstreamId: 'chatcmpl-1',
      serviceTier: undefined,
      finishReason: 'stop',
      nativeFinishReason: 'stop',
    });
    expect(completion.text()).toEqual([CHAT_TEXT.join('')]);
    expect(JSON.parse(completion.body(usage))).toEqual({
      id: TERMS.id,
      object: 'chat.completion',
      created: 1_790_000_000,
      model: TERMS.model,
      provider: TERMS.provider,
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          logprobs: null,
          native_finish_reason: 'stop',
          message: { role: 'assistant', content: CHAT_TEXT.join('') },
        },
      ],
      usage,
    });
  });

  it('adds the members object, created and index if they are missing, and removes members that are null', () => {
    const message = {
      role: null,
      content: null,
      tool_calls: null,
      audio: null,
      refusal: null,
      reasoning_content: 'hm',
    };
    expect(
      bodyOf({ choices: [{ finish_reason: 'stop', message }], usage: null, service_tier: null, error: null }),
    ).toEqual({
      id: TERMS.id,
      object: 'chat.completion',
      created: TERMS.created,
      model: TERMS.model,
      provider: TERMS.provider,
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          native_finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: null,
            reasoning: 'hm',
            reasoning_details: [{ type: 'reasoning.text', text: 'hm', format: 'unknown', index: 0 }],
          },
        },
      ],
      usage,
    });
  });

  it('normalises tool calls, and has the finish reason tool_calls if there are tool calls', () => {
    const tool_calls = [
      { function: { name: 'f', arguments: { a: 1 } } },
      { id: 'x', type: null, index: 1, function: { name: 'g' } },
    ];
    const [choice] = bodyOf(choosing({ message: { content: '', tool_calls } })).choices;
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', native_finish_reason: 'stop' });
    expect(choice.message.tool_calls).toEqual([
      { id: `call_${TERMS.id}_0_0`, type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
      { id: 'x', type: 'function', function: { name: 'g', arguments: '{}' } },
    ]);
  });

  it('omits excluded reasoning, and counts it', () => {
    const completion = completionOf(choosing({ message: { content: 'a', reasoning: 'r' } }), {
      excludesReasoning: true,
    });
    expect(completion.text()).toEqual(['a', 'r']);
    expect(completion.body(usage)).not.toMatch(/"reasoning"|reasoning_details/);
  });

  it('converts citations to annotations', () => {
    const body = bodyOf(choosing({ message: { content: 'a' } }, { citations: ['https://a.example'] }));
    expect(body.choices[0].message.annotations[0].url_citation.url).toBe('https://a.example');
    expect(body).not.toHaveProperty('citations');
  });

  it('has the finish reason stop if the body has content but no finish reason', () => {
    expect(completionOf({ choices: [{ message: { content: 'a' } }] }).finishReason).toBe('stop');
  });

  it.each([
    ['an error member', { ...(goodCompletion() as object), error: { message: 'x' } }],
    ['an error of a choice', choosing({ message: { content: 'a' }, error: { message: 'x' } })],
    ['a finish reason error', choosing({ finish_reason: 'error', message: { content: 'a' } })],
    ['no choices', { choices: [] }],
    ['choices of another type', { choices: {} }],
    ['nothing at all', {}],
    ['neither text nor finish reason', { choices: [{ message: { content: '' } }] }],
    ['no object', '[]'],
    ['no JSON', 'data: {"choices":[]}'],
    ['an empty body', ''],
  ])('fails if the vendor sends %s', (_, body) => {
    expect(() => completionOf(body)).toThrow(expect.objectContaining({ kind: 'provider_failed' }));
  });
});

describe('chat usage', () => {
  it('contains the charge to the credits, and the prices of the prompt and the completion', () => {
    expect(usage).toEqual({
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 5, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 0, image_tokens: 0 },
      cost: 0.0002,
      is_byok: false,
      cost_details: {
        upstream_inference_cost: null,
        upstream_inference_prompt_cost: 0.0001,
        upstream_inference_completions_cost: 0.0001,
      },
    });
  });

  it("has cost 0 on the caller's own credential, and contains the price", () => {
    expect(chatUsage({ usage: used, price, isByok: true })).toMatchObject({
      cost: 0,
      is_byok: true,
      cost_details: { upstream_inference_cost: 0.0002 },
    });
  });

  it('ends a stream in a chunk without choices, while a failed stream ends with an error chunk', () => {
    const chunk = (events: Uint8Array): unknown =>
      JSON.parse(
        Buffer.from(events)
          .toString()
          .replace(/^data: (.*)\n\ndata: \[DONE\]\n\n$/, '$1'),
      );
    expect(chunk(closing(TERMS, usage, undefined))).toMatchObject({
      id: TERMS.id,
      object: 'chat.completion.chunk',
      choices: [],
      usage,
    });
    expect(chunk(failing(TERMS, new GatewayError('provider_failed', 'x')))).toMatchObject({
      error: { code: 502, message: 'x', metadata: { error_type: 'provider_unavailable' } },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    });
  });
});
