import { BoundedTexts } from './bounded-texts.js';
import { inputMessages, outputMessages } from './content-messages.js';

const read = (members: object, maxBytes = 10_000) => inputMessages({ ...members }, new BoundedTexts(maxBytes));
const text = (content: string) => ({ type: 'text', content });
const PICTURE = 'data:image/png;base64,iVBORw0KGgo';

describe('the messages of a request', () => {
  it('contain the texts, tool calls and tool results of a chat request, and only the type of each picture', () => {
    const messages = [
      { role: 'system', content: 'Be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: PICTURE } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ type: 'function', id: 'c', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'Found' },
    ];
    expect(read({ messages })).toEqual([
      { role: 'system', parts: [text('Be brief')] },
      { role: 'user', parts: [text('See'), { type: 'image_url' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'f', arguments: '{}' }] },
      { role: 'tool', parts: [text('Found')] },
    ]);
  });

  it('begin with the system prompt of a /messages request', () => {
    const content = [
      { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
      {
        type: 'tool_result',
        tool_use_id: 't',
        content: [
          { type: 'text', text: 'One' },
          { type: 'text', text: 'Two' },
        ],
      },
      { type: 'image', source: { type: 'base64', data: 'iVBORw0KGgo' } },
    ];
    expect(read({ system: [{ type: 'text', text: 'Be brief' }], messages: [{ role: 'user', content }] })).toEqual([
      { role: 'system', parts: [text('Be brief')] },
      {
        role: 'user',
        parts: [
          { type: 'tool_call', name: 'f', arguments: '{"a":1}' },
          { type: 'tool_call_response', response: 'One\nTwo' },
          { type: 'image' },
        ],
      },
    ]);
  });

  it('contain items of all kinds of a /responses request', () => {
    const input = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'Found' },
    ];
    expect(read({ instructions: 'Be brief', input })).toEqual([
      { role: 'system', parts: [text('Be brief')] },
      { role: 'user', parts: [text('Hi')] },
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'f', arguments: '{}' }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', response: 'Found' }] },
    ]);
  });

  it.each([
    ['a text', 'Once', [{ role: 'user', parts: [text('Once')] }]],
    [
      'texts',
      ['Once', 'Twice'],
      [
        { role: 'user', parts: [text('Once')] },
        { role: 'user', parts: [text('Twice')] },
      ],
    ],
    ['token ids', [1, 2], []],
    ['lists of token ids', [[1, 2], [3]], []],
    ['nothing', undefined, []],
    ['an unknown role', [{ role: 'a'.repeat(100_000), content: 'Hi' }], [{ role: 'user', parts: [text('Hi')] }]],
    ['invalid values', [null, 7, { content: { a: 1 } }, [null]], []],
  ])('are read from a prompt with %s', (_, prompt, expected) => {
    expect(read({ prompt })).toEqual(expected);
  });

  it('are truncated at the byte limit, between characters, and the rest is omitted', () => {
    const texts = new BoundedTexts(100);
    // Each text counts 32 bytes in addition to its own bytes.
    expect(inputMessages({ messages: ['ab', 'é'.repeat(40), 'left out'] }, texts)).toEqual([
      { role: 'user', parts: [text('ab')] },
      { role: 'user', parts: [text('é'.repeat(17))] },
    ]);
    expect(texts.isTruncated).toBe(true);
    const whole = new BoundedTexts(34);
    expect([inputMessages({ prompt: 'ab' }, whole), whole.isTruncated]).toEqual([
      [{ role: 'user', parts: [text('ab')] }],
      false,
    ]);
    const short = new BoundedTexts(34);
    expect([inputMessages({ prompt: 'abc' }, short), short.isTruncated]).toEqual([
      [{ role: 'user', parts: [text('ab')] }],
      true,
    ]);
  });

  it('are limited in number by the byte limit', () => {
    const texts = new BoundedTexts(65_536);
    const messages = Array.from({ length: 200_000 }, () => ({ role: 'user', content: 'a' }));
    expect(inputMessages({ messages }, texts).length).toBeLessThanOrEqual(65_536 / 32);
  });
});

describe('the messages of a response', () => {
  it('are its choices that have text', () => {
    expect(outputMessages(['One', '', 'Two'], 'stop', new BoundedTexts(1_000))).toEqual([
      { role: 'assistant', parts: [text('One')], finish_reason: 'stop' },
      { role: 'assistant', parts: [text('Two')], finish_reason: 'stop' },
    ]);
  });
});
