import { startTextStage, streamedChunks, streamedText, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage()));
afterAll(() => stage.stop());

/** The request that the vendor received for these members. The vendor responds with "Hi". */
// oxlint-disable-next-line typescript/no-explicit-any
async function receivedFor(body: object): Promise<any> {
  stage.claude();
  const { status, text } = await stage.chat({ model: 'rules/anthropic', max_tokens: 100, ...body });
  if (status !== 200) throw new Error(text);
  return stage.anthropic.seen.at(-1)!.json;
}
const picked = (json: Record<string, unknown>, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, json[name]]));
const asks = (...messages: object[]): object => ({ messages });
const FUNCTION = { name: 'f', description: 'D', parameters: { type: 'object', properties: { a: { type: 'number' } } } };
const TOOLS = [{ type: 'function', function: FUNCTION }];
const PIXEL = 'iVBORw0KGgo=';

describe('a chat for a vendor of another format', () => {
  it.each<[string, object, object]>([
    ['the bound', { max_tokens: 5, max_completion_tokens: 6 }, { max_tokens: 6 }],
    ['temperature', { temperature: 0.5 }, { temperature: 0.5 }],
    ['top_p', { top_p: 0.5 }, { top_p: 0.5 }],
    ['top_k', { top_k: 5 }, { top_k: 5 }],
    ['stop', { stop: 'x' }, { stop_sequences: ['x'] }],
    ['stops', { stop: ['x', 'y'] }, { stop_sequences: ['x', 'y'] }],
    ['a stream', { stream: false }, { stream: undefined }],
    ['tool_choice auto', { tools: TOOLS, tool_choice: 'auto' }, { tool_choice: { type: 'auto' } }],
    ['tool_choice required', { tools: TOOLS, tool_choice: 'required' }, { tool_choice: { type: 'any' } }],
    [
      'tool_choice of one function',
      { tools: TOOLS, tool_choice: { type: 'function', function: { name: 'f' } } },
      { tool_choice: { type: 'tool', name: 'f' } },
    ],
    [
      'parallel_tool_calls',
      { tools: TOOLS, parallel_tool_calls: false },
      { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    ],
    [
      'members that the vendor lacks, by omitting them',
      { seed: 1, frequency_penalty: 1, presence_penalty: 1, logit_bias: {}, logprobs: true, min_p: 0.1, x_unknown: 1 },
      {
        seed: undefined,
        frequency_penalty: undefined,
        logit_bias: undefined,
        logprobs: undefined,
        x_unknown: undefined,
      },
    ],
    [
      "the gateway's own members, by omitting them",
      { models: ['rules/openai'], provider: {}, session_id: 's', trace: { trace_id: 't' }, usage: { include: true } },
      { models: undefined, provider: undefined, session_id: undefined, trace: undefined, usage: undefined },
    ],
  ])('translates %s', async (_, body, expected) => {
    expect(picked(await receivedFor(body), Object.keys(expected))).toEqual(expected);
  });

  it('translates the definitions of tools', async () => {
    const { tools } = await receivedFor({ tools: TOOLS });
    expect(tools).toEqual([{ name: 'f', description: 'D', input_schema: FUNCTION.parameters }]);
  });

  it('sends a hash of the end user', async () => {
    const { metadata } = await receivedFor({ user: 'somebody' });
    expect(metadata).toEqual({ user_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  it('translates messages of every role, tool calls and their results', async () => {
    const { system, messages } = await receivedFor(
      asks(
        { role: 'system', content: 'S' },
        { role: 'developer', content: [{ type: 'text', text: 'D' }] },
        { role: 'user', content: [{ type: 'text', text: 'U' }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'R' },
      ),
    );
    expect(system.map(({ text }: { text: string }) => text)).toEqual(['S', 'D']);
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'U' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: expect.anything() }] },
    ]);
  });

  it('translates pictures and files', async () => {
    const data = `data:image/png;base64,${PIXEL}`;
    const { messages } = await receivedFor(
      asks({
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: data } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
        ],
      }),
    );
    expect(messages[0].content).toMatchObject([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' } },
    ]);
  });

  it('keeps a message of the assistant at the end of the conversation', async () => {
    const { messages } = await receivedFor(
      asks({ role: 'user', content: 'Count' }, { role: 'assistant', content: 'One, two,' }),
    );
    expect(messages.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'One, two,' }] });
  });

  it('converts cache_control of the request to one breakpoint, and keeps cache_control of parts', async () => {
    const cache_control = { type: 'ephemeral' };
    const whole = await receivedFor({ cache_control, ...asks({ role: 'user', content: 'x' }) });
    expect(JSON.stringify(whole).match(/cache_control/g)).toHaveLength(1);
    const part = { type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } };
    const own = await receivedFor(asks({ role: 'user', content: [part, { type: 'text', text: 'y' }] }));
    expect(own.messages[0].content[0].cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
  });

  it('returns reasoning with its signature to the caller, and later to the vendor, unchanged', async () => {
    stage.claude({ reasoning: { text: 'Hm', signature: 'sig' }, text: ['Hi'] });
    const { json } = await stage.chat({
      model: 'rules/anthropic',
      max_tokens: 2_000,
      reasoning: { max_tokens: 1_024 },
    });
    const { message } = json.choices[0];
    expect(message.reasoning_details).toEqual([
      { type: 'reasoning.text', text: 'Hm', signature: 'sig', format: 'anthropic-claude-v1', index: 0 },
    ]);
    const { messages } = await receivedFor({
      max_tokens: 2_000,
      reasoning: { max_tokens: 1_024 },
      ...asks({ role: 'user', content: 'a' }, message, { role: 'user', content: 'b' }),
    });
    expect(messages[1].content[0]).toEqual({ type: 'thinking', thinking: 'Hm', signature: 'sig' });
  });

  it('sends a requested schema to the vendor, and returns the JSON as text', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    };
    stage.claude({ text: ['{"a":1}'] });
    const answer = await stage.chat({
      model: 'rules/anthropic',
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
    });
    expect(JSON.stringify(stage.anthropic.seen.at(-1)!.json)).toContain(JSON.stringify(schema.properties));
    expect(answer.json.choices[0].message.content).toBe('{"a":1}');
  });

  it('returns tool calls, finish reason and usage, buffered and streamed', async () => {
    const call = { id: 'c1', name: 'f', input: { a: 1 } };
    stage.claude({ text: ['Now'], call, finish: 'tool_use' });
    const { json } = await stage.chat({ model: 'rules/anthropic', tools: TOOLS });
    expect(json).toMatchObject({ object: 'chat.completion', model: 'rules/anthropic', provider: 'anthropic' });
    expect(json.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      native_finish_reason: 'tool_use',
      message: { content: 'Now', tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }] },
    });
    expect(json.usage).toMatchObject({
      prompt_tokens: 360,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 300, cache_write_tokens: 50 },
    });

    stage.claude({ text: ['No', 'w'], call, finish: 'tool_use' }, true);
    const answer = await stage.chat({ model: 'rules/anthropic', tools: TOOLS, stream: true });
    const chunks = streamedChunks(answer);
    expect(streamedText(answer)).toBe('Now');
    expect(chunks[0].choices[0].delta.role).toBe('assistant');
    expect(chunks.at(-2).choices[0]).toMatchObject({ finish_reason: 'tool_calls', native_finish_reason: 'tool_use' });
    expect([chunks.at(-1).choices, chunks.at(-1).usage]).toEqual([[], json.usage]);
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
  ])('returns the finish reason %s as %s', async (finish, expected) => {
    stage.claude({ finish });
    const { json } = await stage.chat({ model: 'rules/anthropic' });
    expect(json.choices[0]).toMatchObject({ finish_reason: expected, native_finish_reason: finish });
  });

  it.each<[string, object, string]>([
    ['another kind of tool', { tools: [{ type: 'custom', custom: { name: 'c' } }] }, 'tools[0]'],
    ['an unknown part', asks({ role: 'user', content: [{ type: 'new_part' }] }), 'messages[0].content[0].type'],
    [
      'audio without a format',
      asks({ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA' } }] }),
      'format',
    ],
    ['a grammar', { response_format: { type: 'grammar', grammar: 'x' } }, 'response_format.type'],
  ])('is refused if the format cannot carry %s', async (_, body, word) => {
    const calls = stage.anthropic.seen.length;
    const { status, json } = await stage.chat({ model: 'rules/anthropic', ...body });
    expect([status, json.error.metadata.error_type]).toEqual([400, 'invalid_request']);
    expect(json.error.message).toContain(word);
    expect(stage.anthropic.seen.length).toBe(calls);
  });
});
