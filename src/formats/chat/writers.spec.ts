import type { Delta } from '../conversation.js';
import { ChatBodyWriter } from './write-body.js';
import { ChatStreamWriter } from './write-stream.js';

const head = { id: 'gen-1', model: 'a/b', provider: 'Vendor "X"', created: 7 };
const format = 'anthropic-claude-v1';
const DELTAS: Delta[] = [
  { type: 'reasoning', text: 'Hm', detail: { type: 'reasoning.text', text: 'Hm', format, index: 0 } },
  { type: 'reasoning', text: 'm.', detail: { type: 'reasoning.text', text: 'm.', format, index: 0 } },
  { type: 'reasoning', detail: { type: 'reasoning.text', signature: 'sig', format, index: 0 } },
  { type: 'reasoning', detail: { type: 'reasoning.encrypted', data: 'enc', format, index: 1 } },
  { type: 'text', text: 'Say "hi"\n' },
  { type: 'text', text: 'ö🌍' },
  { type: 'tool_call', index: 0, id: 'c1', name: 'f', arguments: '' },
  { type: 'tool_call', index: 0, arguments: '{"a":' },
  { type: 'tool_call', index: 1, id: 'c2', name: 'g', arguments: '{}' },
  { type: 'tool_call', index: 0, arguments: '1}' },
  { type: 'image', dataUrl: 'data:image/png;base64,AAAA' },
  { type: 'annotation', annotation: { type: 'url_citation' } },
  { type: 'refusal', text: 'No.' },
  { type: 'finish', reason: 'tool_calls', native: 'tool_use' },
];
const RECEIVED = 'Hmm.Say "hi"\nö🌍f{"a":g{}1}No.';

// oxlint-disable-next-line typescript/no-explicit-any
const chunksOf = (events: string): any[] =>
  events
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.replace(/^data: /, '')));

describe('the stream of chat chunks', () => {
  it('has the role in the first chunk, the finish reason in the last chunk, and the head in every chunk', () => {
    const writer = new ChatStreamWriter(head);
    expect(writer.finished).toBe(false);
    const chunks = chunksOf(writer.write(DELTAS.slice(0, 5)) + writer.write(DELTAS.slice(5)));
    const common = { ...head, object: 'chat.completion.chunk' };
    for (const chunk of chunks) expect(chunk).toMatchObject(common);
    expect(chunks[0].choices).toEqual([
      { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null, native_finish_reason: null },
    ]);
    expect(chunks.at(-1).choices).toEqual([
      { index: 0, delta: {}, finish_reason: 'tool_calls', native_finish_reason: 'tool_use' },
    ]);
    expect(chunks).toHaveLength(DELTAS.length + 1);
    expect(writer).toMatchObject({
      finished: true,
      sawOutput: true,
      finishReason: 'tool_calls',
      nativeFinishReason: 'tool_use',
    });
    expect(writer.text()).toEqual([RECEIVED]);
  });

  it('contains every kind of delta, without members that are null', () => {
    const events = new ChatStreamWriter(head).write(DELTAS);
    const deltas = chunksOf(events).map(({ choices }) => choices[0].delta);
    expect(deltas.slice(1, -1)).toEqual([
      { reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', format, index: 0 }] },
      { reasoning: 'm.', reasoning_details: [{ type: 'reasoning.text', text: 'm.', format, index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.text', signature: 'sig', format, index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'enc', format, index: 1 }] },
      { content: 'Say "hi"\n' },
      { content: 'ö🌍' },
      { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] },
      { tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'g', arguments: '{}' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
      { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
      { annotations: [{ type: 'url_citation' }] },
      { refusal: 'No.' },
    ]);
  });

  it('omits excluded reasoning, but counts it as output', () => {
    const writer = new ChatStreamWriter(head, { excludesReasoning: true });
    expect(writer.write(DELTAS.slice(0, 4))).toBe('');
    expect(writer.sawOutput).toBe(true);
    expect(writer.text()).toEqual(['Hmm.']);
  });

  it('is finished when every choice is finished', () => {
    const writer = new ChatStreamWriter(head);
    const events = writer.write([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', choice: 1 },
      { type: 'finish', reason: 'stop', native: 'stop', choice: 1 },
    ]);
    expect(writer.finished).toBe(false);
    expect(chunksOf(events).map(({ choices }) => choices[0].index)).toEqual([0, 0, 1, 1, 1]);
    writer.write([{ type: 'finish', reason: 'length', native: null }]);
    expect(writer.finished).toBe(true);
    expect(writer.text()).toEqual(['a', 'b']);
  });
});

describe('the buffered chat completion', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

  it('joins the deltas into one message', () => {
    const writer = new ChatBodyWriter(head);
    writer.add(DELTAS.slice(0, 3));
    writer.add(DELTAS.slice(3));
    expect(JSON.parse(writer.body(usage))).toEqual({
      ...head,
      object: 'chat.completion',
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          native_finish_reason: 'tool_use',
          message: {
            role: 'assistant',
            content: 'Say "hi"\nö🌍',
            refusal: 'No.',
            reasoning: 'Hmm.',
            reasoning_details: [
              { type: 'reasoning.text', text: 'Hmm.', signature: 'sig', format, index: 0 },
              { type: 'reasoning.encrypted', data: 'enc', format, index: 1 },
            ],
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
              { id: 'c2', type: 'function', function: { name: 'g', arguments: '{}' } },
            ],
            annotations: [{ type: 'url_citation' }],
            images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
          },
        },
      ],
      usage,
    });
    expect(writer.text()).toEqual([RECEIVED]);
  });

  it('omits excluded reasoning, and sorts the choices by index', () => {
    const writer = new ChatBodyWriter(head, { excludesReasoning: true });
    writer.add([{ type: 'text', text: 'b', choice: 1 }, ...DELTAS]);
    const { choices } = JSON.parse(writer.body(usage)) as { choices: { index: number; message: object }[] };
    expect(choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(choices[0]!.message).not.toHaveProperty('reasoning');
    expect(choices[0]!.message).not.toHaveProperty('reasoning_details');
  });

  it('has null content if there was no text', () => {
    const writer = new ChatBodyWriter(head);
    writer.add([{ type: 'finish', reason: 'stop', native: 'stop' }]);
    expect(JSON.parse(writer.body(usage))).toMatchObject({ choices: [{ message: { content: null, refusal: null } }] });
    expect(writer).toMatchObject({ finished: true, sawOutput: false });
  });
});
