import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage()));
afterAll(() => stage.stop());

const text = (length: number): string => 'x'.repeat(length);
const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 120);
const pairs = (count: number, name = (n: number): string => `k${n}`): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), 'v']));
const tool = (fields: object): object => ({ type: 'function', function: fields });
const asks = (message: object): object => ({ messages: [message] });
const asksWith = (part: object): object => asks({ role: 'user', content: [part] });

/** The member, the accepted values at its bounds, and the refused values. */
const EDGES: readonly (readonly [member: string, accepted: readonly unknown[], refused: readonly unknown[]])[] = [
  ['temperature', [0, 2, null], [-0.001, 2.001, '1', true, []]],
  ['top_p', [0, 1, null], [-0.001, 1.001, '1', {}]],
  ['top_k', [0, 1, null], [-1, 1.5, '1']],
  ['min_p', [0, 1, null], [-0.001, 1.001, false]],
  ['top_a', [0, 1, null], [-0.001, 1.001, 'x']],
  ['frequency_penalty', [-2, 2, null], [-2.001, 2.001, '0']],
  ['presence_penalty', [-2, 2, null], [-2.001, 2.001, '0']],
  ['repetition_penalty', [0, 2, null], [-0.001, 2.001, '0']],
  ['seed', [-5, 0, 9_007_199_254_740_991, null], [0.5, '1']],
  ['stop', ['x', [], ['a', 'b', 'c', 'd'], null], [['a', 'b', 'c', 'd', 'e'], 7, [7], {}]],
  ['logit_bias', [{}, { 5: -100, 6: 100 }, null], [[], 'x', { 5: 'x' }]],
  ['logprobs', [true, false, null], ['true', 1]],
  ['top_logprobs', [0, 20, null], [-1, 21, 0.5, '1']],
  ['n', [1, 2, null], [0, 129, 1.5, '1']],
  ['parallel_tool_calls', [true, null], ['true', 0]],
  ['max_tokens', [1, null], [0, -1, 1.5, '1']],
  ['max_completion_tokens', [1, null], [0, -1, 1.5, '1']],
  ['stream', [true, false, null], ['true', 1]],
  ['models', [[], ['rules/deepinfra'], null], ['x', [7], [''], {}]],
  ['user', ['x', text(256)], ['', text(257), 7]],
  ['session_id', ['x', text(256), null], [text(257), 7]],
  ['prompt_cache_key', ['x', null], [7]],
  ['service_tier', ['auto', 'default', 'flex', 'priority', 'fast', 'scale', null], ['dear', 7]],
  ['modalities', [['text'], null], [['smell'], 'text', [7]]],
  [
    'metadata',
    [pairs(16), { [text(64)]: text(512) }, null],
    [pairs(17), { [text(65)]: 'v' }, { k: text(513) }, { k: 7 }],
  ],
  ['metadata', [{}], ['x', []]],
  ['tools', [[], [tool({ name: text(64) })], null], ['x', [7], [{}], [tool({ name: text(65) })], [tool({ name: '' })]]],
  ['tools', [[tool({ name: 'f', parameters: {} })]], [[tool({ name: 'f', parameters: 'x' })], [{ type: 'function' }]]],
  [
    'tool_choice',
    ['none', 'auto', 'required', null],
    ['all', 7, { type: 'function' }, { type: 'function', function: {} }],
  ],
  ['response_format', [{ type: 'text' }, { type: 'json_object' }, null], ['text', [], {}, { type: 7 }]],
  [
    'response_format',
    [{ type: 'json_schema', json_schema: { name: 'x' } }],
    [{ type: 'json_schema' }, { type: 'json_schema', json_schema: { schema: {} } }],
  ],
  ['reasoning', [{}, { effort: 'none' }, { max_tokens: 1 }, null], ['high', { effort: 'extreme' }, { max_tokens: 0 }]],
  ['reasoning', [{ enabled: true }, { exclude: true }, { summary: 'auto' }], [{ enabled: 1 }, { exclude: 'x' }]],
  ['reasoning_effort', ['max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none', null], ['extreme', 7]],
  ['include_reasoning', [true, false, null], ['x']],
  ['plugins', [[], [{ id: 'web', enabled: false }], null], ['x', [7], [{}]]],
  ['stream_options', [{}, null], ['x']],
  ['trace', [{}, null], ['x', []]],
  ['cache_control', [{ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }, null], ['x', { type: 'forever' }]],
  ['audio', [{ voice: 'alloy', format: 'wav' }, null], ['x', []]],
];

/** Messages. `refused`: the path in the error message; absent = the message is accepted. */
const MESSAGES: readonly (readonly [message: object, refused?: string])[] = [
  [{ messages: undefined }, 'messages'],
  [{ messages: [] }, 'messages'],
  [{ messages: 'Hello' }, 'messages'],
  [{ messages: [7] }, 'messages'],
  [asks({ content: 'x' }), 'messages[0].role'],
  [asks({ role: 'robot', content: 'x' }), 'messages[0].role'],
  [asks({ role: 'function', content: 'x' }), 'messages[0].role'],
  ...['system', 'developer', 'user', 'assistant'].map((role) => [asks({ role, content: 'x' })] as const),
  ...['system', 'developer', 'user'].map((role) => [asks({ role, content: null }), 'messages[0].content'] as const),
  [asks({ role: 'user' }), 'messages[0].content'],
  [asks({ role: 'user', content: 7 }), 'messages[0].content'],
  [asks({ role: 'assistant', content: null })],
  [asks({ role: 'assistant' })],
  [asks({ role: 'user', content: '', name: 'N' })],
  [asks({ role: 'tool', content: 'x' }), 'messages[0].tool_call_id'],
  [asks({ role: 'tool', content: 'x', tool_call_id: 'c' })],
  [asks({ role: 'tool', content: [{ type: 'text', text: 'x' }], tool_call_id: 'c' })],
  [asks({ role: 'tool', content: null, tool_call_id: 'c' }), 'messages[0].content'],
  [asks({ role: 'assistant', tool_calls: 'x' }), 'messages[0].tool_calls'],
  [asks({ role: 'assistant', tool_calls: [{ type: 'function' }] }), 'messages[0].tool_calls[0].id'],
  [
    asks({ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f' } }] }),
    'messages[0].tool_calls[0].function',
  ],
  [asks({ role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] })],
  [asksWith({ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '5m' } })],
  [asksWith({ text: 'x' }), 'messages[0].content[0].type'],
  [asksWith({ type: 'text' }), 'messages[0].content[0].text'],
  [asksWith({ type: 'image_url', image_url: { url: 'https://a.example/x.png', detail: 'high' } })],
  [asksWith({ type: 'image_url', image_url: 'https://a.example/x.png' }), 'messages[0].content[0].image_url'],
  [asksWith({ type: 'image_url', image_url: {} }), 'messages[0].content[0].image_url.url'],
  [asksWith({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } })],
  [asksWith({ type: 'input_audio', input_audio: { format: 'wav' } }), 'messages[0].content[0].input_audio.data'],
  [
    asksWith({ type: 'input_audio', input_audio: { data: 'https://a.example/x.wav', format: 'wav' } }),
    'messages[0].content[0].input_audio.data',
  ],
  [asksWith({ type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,QQ==' } })],
  [asksWith({ type: 'file', file: 'x' }), 'messages[0].content[0].file'],
  [asksWith({ type: 'video_url', video_url: {} }), 'messages[0].content[0].video_url.url'],
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty'].map((type) => [asksWith({ type })] as const),
];

describe('a member of a chat request', () => {
  const accepted = EDGES.flatMap(([name, values]) => values.map((value) => [name, shown(value), value] as const));
  it.each(accepted)('%s may be %s', async (name, _, value) => {
    const { status, text: body } = await stage.chat({ [name]: value });
    expect([status, body]).toEqual([200, expect.any(String)]);
  });

  const refused = EDGES.flatMap(([name, , values]) => values.map((value) => [name, shown(value), value] as const));
  it.each(refused)('%s must not be %s', async (name, _, value) => {
    const calls = stage.vendors.openai.seen.length;
    const { status, json } = await stage.chat({ [name]: value });
    expect([status, json.error?.metadata]).toEqual([400, { error_type: 'invalid_request' }]);
    expect(json.error.message).toContain(name);
    expect(stage.vendors.openai.seen.length).toBe(calls);
  });

  it('may have an unknown name and a value of any type', async () => {
    for (const value of [null, 7, 'x', [], {}]) expect((await stage.chat({ x_unknown: value })).status).toBe(200);
  });
});

describe('the messages of a chat request', () => {
  it.each(MESSAGES.map((row) => [shown(row[0]), row] as const))('are validated: %s', async (_, [body, path]) => {
    const { status, json } = await stage.chat(body);
    expect([status, json.error?.message ?? '']).toEqual([path ? 400 : 200, expect.stringContaining(path ?? '')]);
    if (path) expect(json.error.metadata).toEqual({ error_type: 'invalid_request' });
  });
});
