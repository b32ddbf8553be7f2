import { messageEvents, streamedMessageText } from '../../support/calls/message-events.js';
import { CHAT_TEXT, CHAT_USAGE, goodCompletion } from '../../support/vendors/scripted-chat-vendor.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage()));
afterAll(() => stage.stop());
beforeEach(() => stage.anthropic.clear());

const ELIZA = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'I am unhappy.' }] };
const CLAUDE = TEXT_VENDORS.anthropic;
const SIGNED = { text: 'Hm', signature: 'c2lnbmVk' };
const CALL = { id: 'toolu_1', name: 'look', input: { at: ['x'] } };
const TOOLS = [{ name: 'look', description: 'D', input_schema: { type: 'object', properties: {} } }];

describe('POST /messages', () => {
  it.each([ELIZA, { ...ELIZA, max_tokens: undefined }])('returns a message and its cost for %j', async (body) => {
    const { status, json, headers } = await stage.messages(body);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: headers.get('x-generation-id'),
      type: 'message',
      role: 'assistant',
      model: 'builtin/eliza',
      provider: expect.any(String),
      content: [{ type: 'text', text: expect.stringMatching(/unhappy/) }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: expect.objectContaining({
        input_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
        cost: 0,
        is_byok: false,
        cost_details: expect.objectContaining({ upstream_inference_cost: null }),
      }),
    });
  });

  it('streams the same content in named events that end with message_stop', async () => {
    const whole = await stage.messages(ELIZA);
    const { status, headers, text } = await stage.messages({ ...ELIZA, stream: true });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(streamedMessageText(text)).not.toBe('');
    const events = messageEvents(text);
    expect(events[0]).toMatchObject({ type: 'message_start', message: { id: headers.get('x-generation-id') } });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { cost: 0 } });
    expect(Object.keys(events.at(-2).usage).toSorted()).toEqual(Object.keys(whole.json.usage).toSorted());
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
  });

  it.each([false, true])(
    'keeps thinking, signatures, calls and the counts of caches (streamed: %s)',
    async (stream) => {
      stage.claude({ reasoning: SIGNED, text: ['Hel', 'lo'], call: CALL, finish: 'tool_use' }, stream);
      const { text, json } = await stage.messages({ stream, tools: TOOLS, thinking: { type: 'adaptive' } });
      const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } =
        CLAUDE.usage as Record<string, number>;
      const usage = { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens };
      if (!stream) {
        expect(json).toMatchObject({
          content: [
            { type: 'thinking', thinking: 'Hm', signature: SIGNED.signature },
            { type: 'text', text: 'Hello' },
            { type: 'tool_use', ...CALL },
          ],
          stop_reason: 'tool_use',
          usage,
        });
        return;
      }
      const events = messageEvents(text);
      expect(events.flatMap(({ content_block: block }) => (block ? [block.type] : []))).toEqual([
        'thinking',
        'text',
        'tool_use',
      ]);
      expect(events.flatMap(({ delta }) => (delta?.signature ? [delta.signature] : []))).toEqual([SIGNED.signature]);
      expect(events.map(({ delta }) => delta?.partial_json ?? '').join('')).toBe(JSON.stringify(CALL.input));
      expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage });
    },
  );

  it('sends thinking and its signature back to the vendor', async () => {
    stage.claude();
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: SIGNED.signature },
      { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' },
      { type: 'text', text: 'Hello' },
    ];
    const messages = [...HELLO, { role: 'assistant', content }, { role: 'user', content: 'and?' }];
    expect((await stage.messages({ messages })).status).toBe(200);
    expect(stage.anthropic.seen.at(-1)!.json.messages[1].content).toEqual(content);
  });

  it('removes the members of this service from the request, and hashes the end user', async () => {
    stage.claude();
    const own = {
      provider: { order: ['anthropic'] },
      plugins: [],
      session_id: 's',
      trace: { trace_id: 't' },
      user: 'user-1',
      fallbacks: [{ model: 'builtin/eliza' }],
    };
    expect((await stage.messages(own)).status).toBe(200);
    const { json } = stage.anthropic.seen.at(-1)!;
    for (const name of Object.keys(own)) expect(json).not.toHaveProperty(name);
    expect(json.metadata).toEqual({ user_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
    stage.claude();
    await stage.messages({ metadata: { user_id: 'user-1' } });
    expect(stage.anthropic.seen.at(-1)!.json.metadata).toEqual(json.metadata);
  });

  it.each([{ models: ['builtin/eliza'] }, { fallbacks: [{ model: 'builtin/eliza' }] }])(
    'falls back with %j',
    async (members) => {
      stage.anthropic.reply((response) => void response.writeHead(500).end());
      const { json } = await stage.messages(members);
      expect(json).toMatchObject({ type: 'message', model: 'builtin/eliza' });
    },
  );

  it('records the call like every other call of text', async () => {
    const { headers } = await stage.messages({ ...ELIZA, session_id: 'claude-1' });
    const { json } = await stage.service.standard.get(`/generation?id=${headers.get('x-generation-id')}`);
    expect(json.data).toMatchObject({
      model: 'builtin/eliza',
      api_type: 'completions',
      session_id: 'claude-1',
      finish_reason: 'stop',
      streamed: false,
    });
  });
});

describe('a request of /messages for a vendor of the format', () => {
  it('is sent unchanged, with the version of the format and the betas', async () => {
    stage.claude();
    const body = {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'x_new', y: 1 },
            { type: 'text', text: 'Hi', citations: null },
          ],
        },
      ],
      x_unknown: { a: [1.5] },
      context_management: { edits: [] },
    };
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-2026,b-2026' };
    expect((await stage.messages(body, { headers })).status).toBe(200);
    const { json, headers: sent } = stage.anthropic.seen.at(-1)!;
    expect(json).toMatchObject({ ...body, max_tokens: 100 });
    expect(sent).toMatchObject({ ...headers, 'x-api-key': CLAUDE.credential });
    expect(JSON.stringify(sent)).not.toContain(TEST_API_KEY);
  });

  it("omits another format's reasoning, which the vendor could not verify", async () => {
    stage.vendors.openai.script({
      body: goodCompletion({ role: 'assistant', content: 'Hello', reasoning_content: 'Hm' }),
    });
    const { json: first } = await stage.messages({ model: 'rules/openai' });
    expect(first.content).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'Hello' },
    ]);
    stage.claude();
    const messages = [...HELLO, { role: 'assistant', content: first.content }, { role: 'user', content: 'and?' }];
    expect((await stage.messages({ messages })).status).toBe(200);
    expect(stage.anthropic.seen.at(-1)!.json.messages[1].content).toEqual([{ type: 'text', text: 'Hello' }]);
  });
});

describe('a request of /messages for a vendor of the chat format', () => {
  it.each([false, true])('is converted, and so is the response (streamed: %s)', async (stream) => {
    const { text, json } = await stage.messages({ model: 'rules/openai', system: 'Be kind', tools: TOOLS, stream });
    expect(stage.vendors.openai.seen.at(-1)!.json).toMatchObject({
      messages: [{ role: 'system', content: 'Be kind' }, ...HELLO],
      tools: [{ type: 'function', function: { name: 'look', parameters: TOOLS[0]!.input_schema } }],
    });
    expect(stream ? streamedMessageText(text) : json.content[0].text).toBe(CHAT_TEXT.join(''));
    const usage = { input_tokens: CHAT_USAGE.prompt_tokens, output_tokens: CHAT_USAGE.completion_tokens };
    expect(stream ? messageEvents(text).at(-2).usage : json.usage).toMatchObject(usage);
  });
});

describe('the key of /messages', () => {
  const keyed = (headers: object): ReturnType<TextStage['messages']> => stage.messages(ELIZA, { key: null, headers });

  it.each([
    { 'x-api-key': TEST_API_KEY },
    { authorization: `Bearer ${TEST_API_KEY}` },
    { authorization: `Bearer ${TEST_API_KEY}`, 'x-api-key': '' },
    { authorization: `Bearer ${TEST_API_KEY}`, 'x-api-key': 'sk-of-another-service' },
    { authorization: '', 'x-api-key': TEST_API_KEY },
  ])('is read from %j', async (headers) => {
    expect((await keyed(headers)).status).toBe(200);
  });

  it.each([
    {},
    { 'x-api-key': '' },
    { 'x-api-key': 'sk-unknown' },
    { 'x-api-key': `${TEST_API_KEY} x` },
    { authorization: 'Bearer sk-unknown', 'x-api-key': TEST_API_KEY },
  ])('is not accepted from %j', async (headers) => {
    const { status, json } = await keyed(headers);
    expect(status).toBe(401);
    expect(json).toMatchObject({ type: 'error', error: { type: 'authentication_error' }, request_id: null });
  });

  it('is read from x-api-key on paths of /messages only', async () => {
    const headers = { 'x-api-key': TEST_API_KEY };
    expect((await stage.chat({ model: 'builtin/eliza' }, { key: null, headers })).status).toBe(401);
    const counted = await stage.service.standard.post('/messages/count_tokens', { json: ELIZA, key: null, headers });
    expect(counted.status).toBe(200);
  });
});
