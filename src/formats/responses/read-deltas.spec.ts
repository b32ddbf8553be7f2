import { GatewayError } from '../../kernel/errors/errors.js';
import type { Delta } from '../conversation.js';
import { ResponsesDeltas } from './read-deltas.js';

const failure = (error: unknown): GatewayError => new GatewayError('provider_overloaded', JSON.stringify(error));
const aReader = (): ResponsesDeltas => new ResponsesDeltas({ choices: 1, reasoningFormat: 'r-v1', failure });
const bytesOf = (event: unknown): Buffer => Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
const response = (rest: object = {}): object => ({ id: 'resp_1', status: 'completed', usage: {}, output: [], ...rest });
const completed = { type: 'response.completed', response: response() };
const STOPPED: Delta = { type: 'finish', reason: 'stop', native: 'completed' };

const read = (events: readonly unknown[], reader = aReader()): Delta[] => [
  ...events.flatMap((event) => reader.push(bytesOf(event))),
  ...reader.end(),
];
const added = (item: object, place = 0): object => ({ type: 'response.output_item.added', output_index: place, item });
const done = (item: object, place = 0): object => ({ type: 'response.output_item.done', output_index: place, item });
const piece = (type: string, delta: string, place = 0, more: object = {}): object => ({
  type: `response.${type}.delta`,
  output_index: place,
  delta,
  ...more,
});

describe('the reader of a response of /responses', () => {
  it('returns each text once, whether the text is in delta events or only in the item', () => {
    const item = { type: 'message', content: [{ type: 'output_text', text: 'ab', annotations: [] }] };
    expect(read([piece('output_text', 'a'), piece('output_text', 'b'), done(item), completed])).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      STOPPED,
    ]);
    expect(read([added({ type: 'message' }), done(item), completed])).toEqual([{ type: 'text', text: 'ab' }, STOPPED]);
  });

  it('numbers tool calls in order of appearance, even with other items between them', () => {
    const call = (id: string, json = ''): object => ({
      type: 'function_call',
      call_id: id,
      name: 'f',
      arguments: json,
    });
    const events = [
      added(call('a'), 1),
      piece('function_call_arguments', '{"x":', 1),
      added(call('b'), 3),
      piece('function_call_arguments', '1}', 1),
      done(call('a', '{"x":1}'), 1),
      done(call('b', '{}'), 3),
      done(call('c', '{"z":1}'), 4),
      completed,
    ];
    expect(read(events)).toEqual([
      { type: 'tool_call', index: 0, id: 'a', name: 'f', arguments: '' },
      { type: 'tool_call', index: 0, arguments: '{"x":' },
      { type: 'tool_call', index: 1, id: 'b', name: 'f', arguments: '' },
      { type: 'tool_call', index: 0, arguments: '1}' },
      { type: 'tool_call', index: 1, arguments: '{}' },
      { type: 'tool_call', index: 2, id: 'c', name: 'f', arguments: '' },
      { type: 'tool_call', index: 2, arguments: '{"z":1}' },
      { type: 'finish', reason: 'tool_calls', native: 'completed' },
    ]);
  });

  it('keeps the id of a reasoning item, and separate entries for summaries, plain and encrypted reasoning', () => {
    const events = [
      piece('reasoning_summary_text', 'a', 0, { summary_index: 0 }),
      piece('reasoning_summary_text', 'b', 0, { summary_index: 1 }),
      piece('reasoning_text', 'c', 0, { content_index: 0 }),
      done({
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ text: 'a' }, { text: 'b' }, { text: 'late' }],
        encrypted_content: 'x',
      }),
      completed,
    ];
    const detail = (index: number, members: object): object => ({ ...members, format: 'r-v1', index });
    expect(read(events).slice(0, -1)).toEqual([
      { type: 'reasoning', text: 'a', detail: detail(0, { type: 'reasoning.summary', summary: 'a' }) },
      { type: 'reasoning', text: 'b', detail: detail(1, { type: 'reasoning.summary', summary: 'b' }) },
      { type: 'reasoning', text: 'c', detail: detail(2, { type: 'reasoning.text', text: 'c' }) },
      { type: 'reasoning', text: 'late', detail: detail(3, { type: 'reasoning.summary', summary: 'late' }) },
      { type: 'reasoning', detail: detail(4, { type: 'reasoning.encrypted', data: 'x', id: 'rs_1' }) },
    ]);
  });

  it('reads refusals, citations and pictures', () => {
    const annotation = { type: 'url_citation', url: 'https://e.com', start_index: 0, end_index: 1 };
    const message = { type: 'message', content: [{ type: 'output_text', text: 'a', annotations: [annotation] }] };
    const events = [
      piece('refusal', 'no'),
      done({ type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }),
      { type: 'response.output_text.annotation.added', output_index: 1, content_index: 0, annotation },
      done(message, 1),
      done({ type: 'image_generation_call', result: 'AAAA', output_format: 'webp' }, 2),
      completed,
    ];
    const citation = { url: 'https://e.com', title: 'https://e.com', start_index: 0, end_index: 1 };
    expect(read(events)).toEqual([
      { type: 'refusal', text: 'no' },
      { type: 'annotation', annotation: { type: 'url_citation', url_citation: citation } },
      { type: 'text', text: 'a' },
      { type: 'image', dataUrl: 'data:image/webp;base64,AAAA' },
      STOPPED,
    ]);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
  ])('converts the incomplete reason %s to the finish reason %s', (reason, finish) => {
    const incomplete = response({ status: 'incomplete', incomplete_details: { reason } });
    const events = [piece('output_text', 'a'), { type: 'response.incomplete', response: incomplete }];
    expect(read(events).at(-1)).toEqual({ type: 'finish', reason: finish, native: reason });
  });

  it('keeps the usage, the id and the tier of the last event', () => {
    const reader = aReader();
    reader.push(bytesOf({ type: 'response.created', response: response({ status: 'in_progress', usage: null }) }));
    expect([reader.upstreamId, reader.usage, reader.isDone]).toEqual(['resp_1', undefined, false]);
    const last = response({ usage: { input_tokens: 1 }, service_tier: 'flex' });
    reader.push(bytesOf({ type: 'response.completed', response: last }));
    expect(reader).toMatchObject({ usage: { input_tokens: 1 }, serviceTier: 'flex', isDone: true, isComplete: true });
  });

  it.each([
    ['an error event', [{ type: 'error', code: 'x', message: 'y' }], 'provider_overloaded'],
    [
      'a failed response',
      [{ type: 'response.failed', response: response({ error: { code: 'x' } }) }],
      'provider_overloaded',
    ],
    [
      'a failure without an error',
      [{ type: 'response.failed', response: response({ status: 'failed' }) }],
      'provider_failed',
    ],
    ['no end', [piece('output_text', 'a')], 'provider_failed'],
    ['nothing', [], 'provider_failed'],
    ['no JSON', ['{'], 'provider_failed'],
  ])('fails if a stream has %s', (_, events, kind) => {
    expect(() => read(events)).toThrow(expect.objectContaining({ kind }));
  });

  it('reads a complete response, and refuses a response that is not complete', () => {
    const output = [
      { type: 'web_search_call', id: 'ws_1' },
      { type: 'message', content: [{ type: 'output_text', text: 'a' }] },
    ];
    expect(aReader().whole(bytesOf(response({ output })))).toEqual([{ type: 'text', text: 'a' }, STOPPED]);
    expect(() => aReader().whole(bytesOf(response({ status: 'queued' })))).toThrow(/before it was complete/);
    expect(() => aReader().whole(bytesOf({ error: { message: 'x' } }))).toThrow(/message/);
  });
});
