import { body, DEEP, MB, type HostileResponse } from './hostile-responses.js';
import { bytes, call, end, FAILED, role, SURVIVED, WHOLE } from '../vendors/odd-chat-streams.js';
import {
  chatChunk,
  eventBytes,
  finishChunk,
  goodCompletion,
  goodEvents,
  usageChunk,
  type ChatScript,
} from '../vendors/scripted-chat-vendor.js';

const completion = (more: object, message?: unknown): object => ({ ...(goodCompletion(message) as object), ...more });
const message = (name: string, value: unknown): HostileResponse => body(`the message ${name}`, completion({}, value));
const USAGES: readonly unknown[] = [
  null,
  7,
  'much',
  [],
  {},
  { prompt_tokens: -1, completion_tokens: 1 },
  { prompt_tokens: 1e308, completion_tokens: 1e308 },

  { prompt_tokens: 0.5, completion_tokens: '7' },
  { prompt_tokens: null, completion_tokens: null, total_tokens: null },

  { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 100 } },
  { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: null, completion_tokens_details: 'x' },
  { prompt_tokens: 1, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 1e15 } },
  { prompt_tokens: 2 ** 53, completion_tokens: 2 ** 60, cost: 'NaN' },
];

/** Complete responses of `/chat/completions`. */
export const COMPLETIONS: readonly HostileResponse[] = [
  ...USAGES.map((usage) => body(`the usage ${JSON.stringify(usage).slice(0, 60)}`, completion({ usage }))),
  ...[
    null,
    7,
    'x',
    {},
    [],
    [null],
    [7],
    [[]],
    [{}],
    [{ index: 0 }],
    [{ message: {} }],
    [{ index: 'x', message: { content: 'a' } }],
  ].map((choices) => body(`the choices ${JSON.stringify(choices)}`, completion({ choices }))),
  ...[
    null,
    7,
    'x',
    [],
    {},
    { content: null },
    { content: 7 },
    { content: [{ type: 'text', text: 'a' }] },
    { content: '' },
  ].map((value) => message(JSON.stringify(value), value)),
  ...[null, 7, {}, [null], [{}], [{ id: 7 }], [{ function: null }], [{ function: { name: 7, arguments: {} } }]].map(
    (calls) =>
      message(`with the calls ${JSON.stringify(calls)}`, { role: 'assistant', content: null, tool_calls: calls }),
  ),
  message('with arguments of 1 MB', {
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: `{"a":"${'x"\\'.repeat(MB / 4)}"}` } }],
  }),
  message('with a text of 8 MB', { content: 'é"\\\n'.repeat(2 * MB) }),
  message('with half of a surrogate pair', { content: '\ud800', reasoning: '\udc00' }),
  message('with a member __proto__', JSON.parse('{"content":"a","__proto__":{"b":1},"constructor":{}}')),
  body('an id of 1 MB', completion({ id: 'x'.repeat(MB) })),
  body(
    'ids of other types',
    completion({ id: 7, model: {}, created: 'x', object: null, service_tier: [], provider: 1 }),
  ),
  body('an error', { error: { message: 'inside', code: 429 } }),
  body('an error together with choices', completion({ error: { message: 'inside', type: 'x' } })),
  ...['oops', 7, true, [], {}, { message: {} }, { code: 'x'.repeat(MB) }].map((error) =>
    body(`the error ${JSON.stringify(error).slice(0, 30)}`, { error }),
  ),
  body(
    'a choice with an error',
    completion({ choices: [{ index: 0, error: { message: 'x' }, message: { content: 'a' } }] }),
  ),
  body(
    '2,000 choices',
    completion({
      choices: Array.from({ length: 2_000 }, (_, index) => ({
        index,
        message: { content: 'a' },
        finish_reason: 'stop',
      })),
    }),
  ),
  body(
    'the same choice twice',
    completion({ choices: [0, 0].map((index) => ({ index, message: { content: 'a' }, finish_reason: 'stop' })) }),
  ),
  body(
    'a deeply nested member',
    `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  ),
  body(
    'a deeply nested member of a message',
    `{"choices":[{"message":{"content":"a","x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}},"finish_reason":"stop"}]}`,
  ),
  ...['error', 'nonsense', '', null, 7, {}, 'length', 'content_filter', 'tool_calls'].map((finish) =>
    body(
      `the finish ${JSON.stringify(finish)}`,
      completion({ choices: [{ index: 0, message: { content: 'a' }, finish_reason: finish }] }),
    ),
  ),
  { name: 'a stream instead of a body', script: { events: goodEvents() } },
];

const text = (content: unknown): object => chatChunk({ content });
const events = (name: string, list: readonly unknown[], more: Partial<ChatScript> = {}): HostileResponse => ({
  name,
  script: { bytes: eventBytes(list), ...more },
});

/** Streams of `/chat/completions`. */
export const STREAMS: readonly HostileResponse[] = [
  ...SURVIVED.map(([name, script, text = WHOLE]): HostileResponse => ({ name, script, text })),
  ...FAILED.map(([name, script]): HostileResponse => ({ name, script, fails: true })),
  ...USAGES.map((usage) =>
    events(`the usage ${JSON.stringify(usage).slice(0, 60)}`, [
      role,
      text('a'),
      finishChunk('stop'),
      usageChunk(usage),
      '[DONE]',
    ]),
  ),
  events('a deeply nested chunk', [
    role,
    `{"choices":[{"index":0,"delta":{"content":"a"}}],"x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
    ...end,
  ]),
  events('100,000 tiny chunks', [role, ...Array.from({ length: 100_000 }, () => text('x')), ...end], {
    splitBytes: 60_000,
  }),
  {
    name: '100,000 comments',
    script: bytes(Buffer.concat([Buffer.from(': waiting\n\n'.repeat(100_000)), eventBytes([role, text('a'), ...end])])),
    text: 'a',
  },
  events('a line of 20 MB', [role, text('x'.repeat(20 * MB)), ...end]),
  events('chunks of null', ['null', role, text('a'), 'null', ...end]),
  events(
    'arguments in 10,000 pieces of 100',
    [
      role,
      call({ id: 'c', function: { name: 'f', arguments: '' } }),
      ...Array.from({ length: 10_000 }, () => call({ function: { arguments: '"\\x'.repeat(25) } })),
      ...end,
    ],
    { splitBytes: 60_000 },
  ),
  events('1,000 calls', [
    role,
    ...Array.from({ length: 1_000 }, (_, index) =>
      chatChunk({ tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } }] }),
    ),
    ...end,
  ]),
  events('a call with a huge index', [
    role,
    chatChunk({ tool_calls: [{ index: 2 ** 53, id: 'c', function: { name: 'f', arguments: '{}' } }] }),
    ...end,
  ]),
  events('a choice with a huge index', [
    role,
    chatChunk(null, { choices: [{ index: 2 ** 40, delta: { content: 'a' } }] }),
    ...end,
  ]),
  events('2,000 choices', [
    ...Array.from({ length: 2_000 }, (_, index) => chatChunk(null, { choices: [{ index, delta: { content: 'a' } }] })),
    ...end,
  ]),
  ...[
    null,
    7,
    'x',
    {},
    [null],
    [{}],
    [{ index: 'x', id: 7 }],
    [{ function: 'x' }],
    [{ function: { arguments: { a: 1 } } }],
  ].map((calls) =>
    events(`calls ${JSON.stringify(calls)}`, [role, chatChunk({ tool_calls: calls }), text('a'), ...end]),
  ),
  ...[7, {}, [], true, '\ud800', '\0', '\r\n\r\ndata: [DONE]\r\n\r\n', '\u2028'].map((content) =>
    events(`content ${JSON.stringify(content)}`, [role, text(content), text('b'), ...end]),
  ),
  { name: 'bare CR', script: bytes(Buffer.from(eventBytes(goodEvents()).toString().replaceAll('\n', '\r'))) },
  { name: 'a body instead of a stream', script: { body: goodCompletion() }, text: 'Hello, world! "quoted" \né😀' },
  {
    name: 'a body with the content type of a stream',
    script: { body: goodCompletion(), headers: { 'content-type': 'text/event-stream' } },
    fails: true,
  },
  {
    name: 'bytes that are not UTF-8',
    script: bytes(
      Buffer.concat([
        eventBytes([role]),
        Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"\xc3(', 'latin1'),
        Buffer.from('"}}]}\n\n'),
        eventBytes(end),
      ]),
    ),
  },
];
