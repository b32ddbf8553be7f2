import type { Delta } from '../conversation.js';
import { MessageWriter } from './write-body.js';
import { MessagesStreamWriter } from './write-stream.js';
import { readConversation } from './read-request.js';

const HEAD = { id: 'gen-1', model: 'a/b', provider: 'Vendor', created: 7 };
const OPTIONS = { excludesReasoning: false, choices: 1 };
const USAGE = { input_tokens: 1, output_tokens: 2, cost: 0.5 };
const CLAUDE = 'anthropic-claude-v1';

const finish = (reason: Extract<Delta, { type: 'finish' }>['reason'], native: string | null = null): Delta => ({
  type: 'finish',
  reason,
  native,
});
const text = (words: string): Delta => ({ type: 'text', text: words });
const call = (index: number, json: string, id?: string, name?: string): Delta => ({
  type: 'tool_call',
  index,
  id,
  name,
  arguments: json,
});
const thought = (words: string, format: string, rest: object = {}): Delta => ({
  type: 'reasoning',
  text: words,
  detail: { type: 'reasoning.text', text: words, format, index: 0, ...rest },
});

// oxlint-disable-next-line typescript/no-explicit-any
function complete(deltas: readonly Delta[], options = OPTIONS): any {
  const writer = new MessageWriter(HEAD, options);
  for (const delta of deltas) writer.add([delta]);
  return JSON.parse(writer.body(USAGE));
}

/** Returns the events, and checks that the name of each event is its type. */
// oxlint-disable-next-line typescript/no-explicit-any
function streamed(deltas: readonly Delta[]): any[] {
  const writer = new MessagesStreamWriter(HEAD, OPTIONS);
  const bytes =
    deltas.map((delta) => writer.write([delta])).join('') + Buffer.from(writer.closing(USAGE, undefined)).toString();
  return bytes
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [, name, json] = /^event: (\w+)\ndata: (.*)$/.exec(event)!;
      const parsed = JSON.parse(json!);
      expect(parsed.type).toBe(name);
      return parsed;
    });
}

/** The content that a client would assemble. */
function joined(events: ReturnType<typeof streamed>): object[] {
  // oxlint-disable-next-line typescript/no-explicit-any
  const content: any[] = [];
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') {
      expect(index).toBe(content.length);
      content.push({ ...block, json: '' });
    }
    if (type !== 'content_block_delta') continue;
    expect(index).toBe(content.length - 1);
    const open = content[index];
    if (delta.type === 'text_delta') open.text += delta.text;
    if (delta.type === 'thinking_delta') open.thinking += delta.thinking;
    if (delta.type === 'signature_delta') open.signature = delta.signature;
    if (delta.type === 'input_json_delta') open.json += delta.partial_json;
  }
  return content.map(({ json, ...block }) => (json === '' ? block : { ...block, input: JSON.parse(json) }));
}

const CASES: readonly [string, readonly Delta[], readonly object[]][] = [
  ['text', [text('Hel'), text('lo'), finish('stop')], [{ type: 'text', text: 'Hello' }]],
  [
    'thinking with its signature',
    [thought('Hm', CLAUDE), thought('m', CLAUDE), thought('', CLAUDE, { signature: 's' }), text('a'), finish('stop')],
    [
      { type: 'thinking', thinking: 'Hmm', signature: 's' },
      { type: 'text', text: 'a' },
    ],
  ],
  [
    'thinking that cannot be read',
    [
      { type: 'reasoning', detail: { type: 'reasoning.encrypted', data: 'enc', format: CLAUDE, index: 0 } },
      text('a'),
      finish('stop'),
    ],
    [
      { type: 'redacted_thinking', data: 'enc' },
      { type: 'text', text: 'a' },
    ],
  ],
  [
    'two thoughts',
    [thought('a', CLAUDE, { signature: 's' }), thought('b', CLAUDE, { index: 1, signature: 't' }), finish('stop')],
    [
      { type: 'thinking', thinking: 'a', signature: 's' },
      { type: 'thinking', thinking: 'b', signature: 't' },
    ],
  ],
  [
    'two thoughts with only a signature between them',
    [thought('a', CLAUDE, { signature: 's' }), thought('b', CLAUDE), finish('stop')],
    [
      { type: 'thinking', thinking: 'a', signature: 's' },
      { type: 'thinking', thinking: 'b', signature: '' },
    ],
  ],
  [
    'tool calls, also with alternating pieces',
    [
      text('a'),
      call(0, '', 'c0', 'f'),
      call(0, '{"a":'),
      call(1, '{"b"', 'c1', 'g'),
      call(0, '1}'),
      call(1, ':2}'),
      call(2, '', 'c2', 'h'),
      finish('tool_calls'),
    ],
    [
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 'c0', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 'c1', name: 'g', input: { b: 2 } },
      { type: 'tool_use', id: 'c2', name: 'h', input: {} },
    ],
  ],
  ['a refusal', [{ type: 'refusal', text: 'No.' }, finish('content_filter')], [{ type: 'text', text: 'No.' }]],
];

describe('a message that is written', () => {
  it.each(CASES)('contains %s, complete and streamed', (_, deltas, content) => {
    expect(complete(deltas).content).toEqual(content);
    expect(joined(streamed(deltas))).toEqual(content);
  });

  it('begins with message_start, opens one block at a time and ends with the stop reason and the usage', () => {
    const events = streamed([
      thought('a', CLAUDE, { signature: 's' }),
      text('b'),
      call(0, '{}', 'c', 'f'),
      finish('stop'),
    ]);
    expect(events.map(({ type, index }) => [type, index])).toEqual([
      ['message_start', undefined],
      ...[0, 1, 2].flatMap((index) => [
        ['content_block_start', index],
        ...Array.from({ length: index === 0 ? 2 : 1 }, () => ['content_block_delta', index]),
        ['content_block_stop', index],
      ]),
      ['message_delta', undefined],
      ['message_stop', undefined],
    ]);
    expect(events[0].message).toMatchObject({ id: 'gen-1', model: 'a/b', role: 'assistant', content: [] });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE });
  });

  it.each<[Delta, string]>([
    [finish('stop', 'stop'), 'end_turn'],
    [finish('stop', 'stop_sequence'), 'stop_sequence'],
    [finish('stop', 'pause_turn'), 'pause_turn'],
    [finish('length', 'length'), 'max_tokens'],
    [finish('length', 'model_context_window_exceeded'), 'model_context_window_exceeded'],
    [finish('tool_calls', 'STOP'), 'tool_use'],
    [finish('tool_calls', 'end_turn'), 'tool_use'],
    [finish('content_filter', 'SAFETY'), 'refusal'],
  ])('converts the finish %j to the stop reason %s', (end, reason) => {
    expect(complete([text('a'), end]).stop_reason).toBe(reason);
  });

  it('omits reasoning if the request excludes it, and still counts it', () => {
    const writer = new MessageWriter(HEAD, { ...OPTIONS, excludesReasoning: true });
    writer.add([thought('Hm', CLAUDE, { signature: 's' }), text('a'), finish('stop')]);
    expect(JSON.parse(writer.body(USAGE)).content).toEqual([{ type: 'text', text: 'a' }]);
    expect(writer.text()).toEqual(['Hma']);
  });

  it.each(['gpt-4', '[1', '"a"', '[1]'])('keeps the arguments %j, which are not an object', (json) => {
    const [{ input }] = complete([call(0, json, 'c', 'f'), finish('tool_calls')]).content;
    const isJson = json !== 'gpt-4' && json !== '[1';
    expect(input).toEqual({ arguments: isJson ? JSON.parse(json) : json });
  });

  it('fails if a tool call continues after its end', () => {
    expect(() => complete([call(0, '{', 'c', 'f'), text('a'), call(0, '}')])).toThrow(/continued a tool call/);
  });
});

describe('the reasoning of a vendor of another format', () => {
  const details = [
    { type: 'reasoning.text', text: 'Hm', format: 'unknown', index: 0 },
    { type: 'reasoning.text', text: 'a', signature: 'sig', format: 'google-gemini-v1', index: 1 },
    { type: 'reasoning.summary', summary: 'b', id: 'rs_1', format: 'openai-responses-v1', index: 2 },
    { type: 'reasoning.encrypted', data: 'enc', id: 'rs_1', format: 'openai-responses-v1', index: 3 },
    { type: 'reasoning.text', text: 'c', signature: 'own', format: CLAUDE, index: 4 },
    { type: 'reasoning.encrypted', data: 'own', format: CLAUDE, index: 5 },
  ] as const;

  it('is read unchanged from the blocks that the client sends back', () => {
    const deltas: Delta[] = details.map((detail) => ({ type: 'reasoning', detail }));
    for (const content of [
      complete([...deltas, finish('stop')]).content,
      joined(streamed([...deltas, finish('stop')])),
    ]) {
      const { messages } = readConversation({ messages: [{ role: 'assistant', content }] });
      expect(messages).toEqual([{ role: 'assistant', parts: [{ type: 'reasoning', details }] }]);
    }
  });

  it('can be read by the client', () => {
    const { content } = complete([{ type: 'reasoning', detail: details[0] }, text('x'), finish('stop')]);
    expect(content[0]).toMatchObject({ type: 'thinking', thinking: 'Hm' });
  });

  it('is written after the end of an open tool call', () => {
    const mark: Delta = {
      type: 'reasoning',
      detail: { type: 'reasoning.encrypted', data: 'sig', id: 'c0', format: 'google-gemini-v1', index: 0 },
    };
    const deltas = [call(0, '', 'c0', 'f'), mark, call(0, '{"a":1}'), finish('tool_calls')];
    expect(joined(streamed(deltas)).map((block) => (block as { type: string }).type)).toEqual([
      'tool_use',
      'redacted_thinking',
    ]);
  });
});
