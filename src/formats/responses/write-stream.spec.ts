import type { Delta } from '../conversation.js';
import { eventsIn } from '../../../test/support/vendors/responses-vendor.js';
import { RESPONSES_FORMAT } from './format.js';
import { readResponsesRequest } from './read-request.js';

const HEAD = { id: 'gen-1', model: 'author/model', provider: 'Vendor', created: 1_700_000_000 };
const REQUEST = { input: 'hi', temperature: 0.5, tools: [{ type: 'function', name: 'weather', parameters: {} }] };
const USAGE = { input_tokens: 1 };
const STOP: Delta = { type: 'finish', reason: 'stop', native: 'end_turn' };
const SIGNED: Delta[] = [
  { type: 'reasoning', text: 'Let me', detail: { type: 'reasoning.text', text: 'Let me', format: 'f', index: 0 } },
  { type: 'reasoning', text: ' see', detail: { type: 'reasoning.text', text: ' see', format: 'f', index: 0 } },
  { type: 'reasoning', detail: { type: 'reasoning.text', signature: 'c2ln', format: 'f', index: 0 } },
  { type: 'reasoning', detail: { type: 'reasoning.encrypted', data: 'ZGF0YQ', format: 'f', index: 1 } },
];
const CALLS: Delta[] = [
  { type: 'tool_call', index: 0, id: 'call_a', name: 'weather', arguments: '' },
  { type: 'tool_call', index: 1, id: 'call_b', name: 'time', arguments: '{' },
  { type: 'tool_call', index: 0, arguments: '{"city":' },
  { type: 'tool_call', index: 1, arguments: '}' },
  { type: 'tool_call', index: 0, arguments: '"Kyiv"}' },
];

function written(deltas: readonly Delta[], options = {}) {
  const writer = RESPONSES_FORMAT.streamWriter(HEAD, {
    excludesReasoning: false,
    choices: 1,
    request: REQUEST,
    ...options,
  });
  const text = deltas.map((delta) => writer.write([delta])).join('');
  const events = eventsIn(text + Buffer.from(writer.closing(USAGE, 'default')).toString());
  return { events, writer, types: events.map(({ type }) => type), last: events.at(-1) };
}

describe('the stream of /responses', () => {
  it('has the events of a text in the order of the format, numbered from 0', () => {
    const { events, types, last } = written([{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo "é"\n' }, STOP]);
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events[5]).toMatchObject({ delta: 'lo "é"\n', output_index: 0, content_index: 0, logprobs: [] });
    expect(last.response).toMatchObject({
      id: 'gen-1',
      object: 'response',
      status: 'completed',
      temperature: 0.5,
      top_p: null,
      tools: REQUEST.tools,
      service_tier: 'default',
      usage: USAGE,
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello "é"\n' }] }],
    });
  });

  it('contains in its last event all items of the earlier events', () => {
    const { events, last } = written([...SIGNED, { type: 'text', text: 'Hi' }, ...CALLS, STOP]);
    const added = events.filter(({ type }) => type === 'response.output_item.added');
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(added.map(({ output_index: index }) => index)).toEqual([0, 1, 2, 3]);
    expect(done.toSorted((a, b) => a.output_index - b.output_index).map(({ item }) => item)).toEqual(
      last.response.output,
    );
    expect(added.map(({ item }) => item.id)).toEqual(last.response.output.map(({ id }: { id: string }) => id));
  });

  it('joins the alternating pieces of two tool calls', () => {
    const { events, last } = written([...CALLS, { ...STOP, reason: 'tool_calls' }]);
    expect(last.response.output).toMatchObject([
      { type: 'function_call', call_id: 'call_a', name: 'weather', arguments: '{"city":"Kyiv"}' },
      { type: 'function_call', call_id: 'call_b', name: 'time', arguments: '{}' },
    ]);
    const pieces = events.filter(({ type, output_index: at }) => /arguments.delta$/.test(type) && at === 0);
    expect(pieces.map(({ delta }) => delta)).toEqual(['{"city":', '"Kyiv"}']);
  });

  it.each([
    ['entries that another format signed', SIGNED],
    [
      'an entry that a vendor of this format encrypted',
      [
        {
          type: 'reasoning',
          text: 'Short',
          detail: { type: 'reasoning.summary', summary: 'Short', format: 'openai-responses-v1', index: 0 },
        },
        {
          type: 'reasoning',
          detail: { type: 'reasoning.encrypted', data: 'gAAA', format: 'openai-responses-v1', index: 1 },
        },
      ],
    ],
    [
      'an unsigned text',
      [{ type: 'reasoning', text: 'Well', detail: { type: 'reasoning.text', text: 'Well', format: 'unknown' } }],
    ],
  ] as [string, Delta[]][])('has reasoning that is read unchanged when the client sends it back: %s', (_, deltas) => {
    const { last } = written([...deltas, { type: 'text', text: 'Hi' }, STOP]);
    const [{ parts }] = readResponsesRequest({ input: last.response.output }).messages as never as [
      { parts: object[] },
    ];
    const withoutIds = (entry: object): object => ({ ...entry, index: undefined, id: undefined });
    const details = (parts[0] as { details: object[] }).details.map(withoutIds);
    const expected = deltas.flatMap((delta) => (delta.type === 'reasoning' && delta.detail ? [delta.detail] : []));
    expect(details).toEqual(
      deltas === SIGNED
        ? [
            { type: 'reasoning.text', text: 'Let me see', signature: 'c2ln', format: 'f' },
            { type: 'reasoning.encrypted', data: 'ZGF0YQ', format: 'f' },
          ]
        : expected.map(withoutIds),
    );
  });

  it('omits excluded reasoning, and counts it', () => {
    const { types, writer } = written([...SIGNED, { type: 'text', text: 'Hi' }, STOP], { excludesReasoning: true });
    expect(types.join()).not.toContain('reasoning');
    expect(writer.text().join('')).toBe('Let me seeHi');
  });

  it('has refusals, citations and pictures', () => {
    const citation = {
      type: 'url_citation',
      url_citation: { url: 'https://a.test', title: 'A', start_index: 0, end_index: 2 },
    };
    const { types, last } = written([
      { type: 'text', text: 'Hi' },
      { type: 'annotation', annotation: citation },
      { type: 'refusal', text: 'No' },
      { type: 'image', dataUrl: 'data:image/png;base64,iVBORw0KGgo=' },
      STOP,
    ]);
    expect(types).toEqual(expect.arrayContaining(['response.output_text.annotation.added', 'response.refusal.done']));
    const { type, ...flat } = { type: 'url_citation', ...citation.url_citation };
    expect(last.response.output).toMatchObject([
      {
        content: [
          { text: 'Hi', annotations: [{ type, ...flat }] },
          { type: 'refusal', refusal: 'No' },
        ],
      },
      { type: 'image_generation_call', result: 'iVBORw0KGgo=' },
    ]);
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ] as const)('ends with response.incomplete for the finish reason %s', (reason, why) => {
    const { last } = written([
      { type: 'text', text: 'Hi' },
      { type: 'finish', reason, native: 'x' },
    ]);
    expect(last).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: why } },
    });
  });

  const TEXT: Delta = { type: 'text', text: 'Hi' };
  it.each<[string, Delta[], (string | undefined)[], object]>([
    ['a text', [...SIGNED, TEXT], [undefined, 'incomplete'], {}],
    ['reasoning', SIGNED, ['incomplete'], {}],
    ['a call', [TEXT, CALLS[0]!, CALLS[2]!], ['completed', 'incomplete'], {}],
    ['the last of two calls', [CALLS[1]!, CALLS[3]!, CALLS[0]!, CALLS[2]!], ['completed', 'incomplete'], {}],
    ['no item if reasoning is excluded', [TEXT, ...SIGNED], ['completed'], { excludesReasoning: true }],
    [
      'no item after a picture',
      [TEXT, { type: 'image', dataUrl: 'data:image/png;base64,iVBORw0KGgo=' }],
      ['completed', 'completed'],
      {},
    ],
  ])('marks the item in which the response ends early as incomplete: %s', (_, deltas, statuses, options) => {
    for (const reason of ['length', 'content_filter'] as const) {
      const cut: Delta[] = [...deltas, { type: 'finish', reason, native: 'x' }];
      const { events, last } = written(cut, options);
      const done = events.filter(({ type }) => type === 'response.output_item.done');
      expect(done.toSorted((a, b) => a.output_index - b.output_index).map(({ item }) => item)).toEqual(
        last.response.output,
      );
      expect(last.response.output.map(({ status }: { status?: string }) => status)).toEqual(statuses);
      const writer = RESPONSES_FORMAT.completionWriter(HEAD, { excludesReasoning: false, choices: 1, ...options });
      writer.add(cut);
      expect(JSON.parse(writer.body(USAGE)).output).toEqual(last.response.output);
    }
  });

  it('has the same output as the complete response', () => {
    const deltas = [...SIGNED, { type: 'text', text: 'Hi' } as Delta, ...CALLS, STOP];
    const writer = RESPONSES_FORMAT.completionWriter(HEAD, { excludesReasoning: false, choices: 1, request: REQUEST });
    writer.add(deltas);
    const { output, status, usage } = JSON.parse(writer.body(USAGE));
    expect({ output, status, usage }).toEqual({
      output: written(deltas).last.response.output,
      status: 'completed',
      usage: USAGE,
    });
  });
});
