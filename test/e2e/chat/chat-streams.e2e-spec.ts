import {
  chatChunk,
  CHAT_TEXT,
  finishChunk,
  goodCompletion,
  goodEvents,
  usageChunk,
  type ChatScript,
} from '../../support/vendors/scripted-chat-vendor.js';
import { settledSpend } from '../../support/money/account-totals.js';
import { startTextStage, streamedChunks, streamedText, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage({ env: { UPSTREAM_TIMEOUT_MS: '500' } })));
afterAll(() => stage.stop());

const STREAM = { stream: true };
const ROLE = chatChunk({ role: 'assistant', content: '' });
const END = [usageChunk(), '[DONE]'];
const textChunk = (content: string): object => chatChunk({ content });
async function chunksFor(events: readonly unknown[], body: object = {}): Promise<ReturnType<typeof streamedChunks>> {
  stage.vendors.openai.script({ events });
  const answer = await stage.chat({ ...STREAM, ...body });
  if (answer.status !== 200) throw new Error(answer.text);
  return streamedChunks(answer);
}

describe('a stream', () => {
  it('has a role chunk, deltas, one finish, one usage without choices, and [DONE], in this order', async () => {
    const answer = await stage.chat(STREAM);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const chunks = streamedChunks(answer);
    const kinds = chunks.map(({ choices: [choice], usage }) =>
      usage ? 'usage' : choice.finish_reason ? 'finish' : choice.delta.role ? 'role' : 'delta',
    );
    expect(kinds).toEqual(['role', ...CHAT_TEXT.map(() => 'delta'), 'finish', 'usage']);
    expect(chunks.at(-1).choices).toEqual([]);
    expect(streamedText(answer)).toBe(CHAT_TEXT.join(''));
    const id = answer.headers.get('x-generation-id');
    expect(id).toMatch(/^gen-/);
    for (const chunk of chunks)
      expect(chunk).toMatchObject({
        id,
        object: 'chat.completion.chunk',
        created: 1_790_000_000,
        model: 'rules/openai',
        provider: 'openai',
      });
  });

  it('reports the billed usage, for any value of usage and stream_options', async () => {
    for (const more of [{}, { usage: { include: false } }, { stream_options: { include_usage: false } }]) {
      const chunks = await chunksFor(goodEvents(), more);
      expect(chunks.filter(({ usage }) => usage !== undefined)).toHaveLength(1);
      expect(chunks.at(-1).usage).toEqual({
        prompt_tokens: 11,
        completion_tokens: 7,
        total_tokens: 18,
        prompt_tokens_details: expect.any(Object),
        completion_tokens_details: expect.any(Object),
        cost: 0.000025,
        is_byok: false,
        cost_details: {
          upstream_inference_cost: null,
          upstream_inference_prompt_cost: 0.000011,
          upstream_inference_completions_cost: 0.000014,
        },
      });
    }
  });

  it('has every choice of n, with its own role and finish', async () => {
    const of = (index: number, delta: object, finish: string | null = null): object =>
      chatChunk(null, { choices: [{ index, delta, finish_reason: finish }] });
    const events = [of(1, { content: 'b' }), of(0, { content: 'a' }), of(0, {}, 'stop'), of(1, {}, 'length'), ...END];
    const chunks = await chunksFor(events, { n: 2 });
    const choices = chunks.flatMap(({ choices: own }) => own);
    expect(choices.filter(({ delta }) => delta.role).map(({ index }) => index)).toEqual([1, 0]);
    expect(choices.filter(({ finish_reason: f }) => f).map((c) => [c.index, c.finish_reason])).toEqual([
      [0, 'stop'],
      [1, 'length'],
    ]);
  });

  it('keeps log probabilities, and members that the vendor adds', async () => {
    const logprobs = { content: [{ token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [] }] };
    const choice = { index: 0, delta: { content: 'a' }, logprobs, finish_reason: null };
    const chunks = await chunksFor([ROLE, chatChunk(null, { choices: [choice], new: 1 }), finishChunk('stop'), ...END]);
    const [told] = chunks.filter(({ new: added }) => added === 1);
    expect(told.choices[0].logprobs).toEqual(logprobs);
  });

  it('has tool calls piece by piece, and their finish', async () => {
    const call = (piece: object): object => chatChunk({ tool_calls: [{ index: 0, ...piece }] });
    const events = [
      ROLE,
      call({ id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }),
      call({ function: { arguments: '{"a"' } }),
      call({ id: null, type: null, function: { name: null, arguments: ':1}' } }),
      finishChunk('stop'),
      ...END,
    ];
    const chunks = await chunksFor(events, { tools: [{ type: 'function', function: { name: 'f' } }] });
    expect(chunks.flatMap(({ choices: [choice] }) => choice?.delta.tool_calls ?? [])).toEqual([
      { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{"a"' } },
      { index: 0, function: { arguments: ':1}' } },
    ]);
    expect(chunks.at(-2).choices[0].finish_reason).toBe('tool_calls');
  });

  it('is made from a buffered response if the vendor sends no stream', async () => {
    stage.vendors.openai.script({ body: goodCompletion() });
    const answer = await stage.chat(STREAM);
    expect(streamedText(answer)).toBe(CHAT_TEXT.join(''));
    expect(streamedChunks(answer).at(-1).usage.completion_tokens).toBe(7);
  });
});

/** The vendor's finish reason, and the finish reason for clients. */
const WORDS: readonly (readonly [native: string, finish: string | undefined])[] = [
  ...['stop', 'end_turn', 'stop_sequence', 'eos', 'COMPLETE', 'STOP'].map((word) => [word, 'stop'] as const),
  ...['length', 'max_tokens', 'MAX_TOKENS', 'model_context_window_exceeded'].map((word) => [word, 'length'] as const),
  ...['tool_calls', 'tool_use', 'function_call', 'TOOL_CALL'].map((word) => [word, 'tool_calls'] as const),
  ...['content_filter', 'refusal', 'SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'].map(
    (word) => [word, 'content_filter'] as const,
  ),
  ['guardrail_intervened', 'content_filter'],
  ...['error', 'network_error', 'insufficient_system_resource', 'OTHER', 'constructor', 'x'].map(
    (word) => [word, undefined] as const,
  ),
];

describe('the native finish reason', () => {
  it.each(WORDS)('%s is returned as %s', async (native, finish) => {
    stage.vendors.openai.script({ events: [ROLE, textChunk('a'), finishChunk(native), ...END] });
    const last = streamedChunks(await stage.chat(STREAM)).findLast(({ choices }) => choices.length > 0);
    expect(last.choices[0].finish_reason).toBe(finish ?? 'error');
    expect(last.error?.code).toBe(finish ? undefined : 502);
    if (finish) expect(last.choices[0].native_finish_reason).toBe(native);

    const choices = [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: native }];
    stage.vendors.openai.script({ body: { ...(goodCompletion() as object), choices } });
    const { status, json } = await stage.chat({});
    expect(status).toBe(finish ? 200 : 502);
    if (finish) expect(json.choices[0]).toMatchObject({ finish_reason: finish, native_finish_reason: native });
    else expect(json.error.metadata.error_type).toBe('provider_unavailable');
  });
});

/** The fault after the first text, and the error at the end of the stream. */
const FAILURES: readonly (readonly [name: string, script: ChatScript, error: object])[] = [
  ['ends without a finish', { events: [ROLE, textChunk('a')] }, { code: 502, type: 'provider_unavailable' }],
  ['ends with [DONE] alone', { events: [ROLE, textChunk('a'), '[DONE]'] }, { code: 502, type: 'provider_unavailable' }],
  [
    'is reset',
    { events: [ROLE, textChunk('a'), textChunk('b')], resetAfter: 2, pauseMs: 20 },
    { code: 502, type: 'provider_unavailable' },
  ],
  ['stalls', { events: [ROLE, textChunk('a'), textChunk('b')], stallAfter: 2 }, { code: 524, type: 'timeout' }],
  [
    'has an error with a code',
    { events: [ROLE, textChunk('a'), { error: { message: 'x', type: 'overloaded_error' } }] },
    { code: 529, type: 'provider_overloaded', provider_code: 'overloaded_error' },
  ],
  [
    'reports that the context is too long',
    { events: [ROLE, textChunk('a'), { error: { message: 'x', code: 'context_length_exceeded' } }] },
    { code: 400, type: 'context_length_exceeded', provider_code: 'context_length_exceeded' },
  ],
  [
    'reports a rate limit',
    { events: [ROLE, textChunk('a'), { error: { message: 'x', code: 429 } }] },
    { code: 429, type: 'rate_limit_exceeded' },
  ],
  [
    'has an event that is not JSON',
    { events: [ROLE, textChunk('a'), '{', ...END] },
    { code: 502, type: 'provider_unavailable' },
  ],
];

describe('a stream of a vendor that', () => {
  it.each(FAILURES)('%s leads to one error chunk and [DONE], and is not billed', async (_, script, error) => {
    const before = await settledSpend(stage.service.sql);
    stage.vendors.openai.script(script);
    const calls = stage.vendors.openai.seen.length;
    const answer = await stage.chat({ ...STREAM, models: ['rules/deepinfra'] });
    const chunks = streamedChunks(answer);
    const { code, type, ...rest } = error as { code: number; type: string };
    expect(chunks.at(-1)).toEqual({
      id: answer.headers.get('x-generation-id'),
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: 'rules/openai',
      provider: 'openai',
      error: { code, message: expect.any(String), metadata: { error_type: type, ...rest } },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: null }],
    });
    expect(chunks.filter((chunk) => chunk.error || chunk.usage)).toHaveLength(1);
    expect(streamedText(answer)).toBe('a');
    expect(stage.vendors.openai.seen.length - calls).toBe(1);
    expect(await settledSpend(stage.service.sql)).toEqual(before);
  });
});
