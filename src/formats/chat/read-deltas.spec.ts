import { GatewayError } from '../../kernel/errors/errors.js';
import type { Delta } from '../conversation.js';
import { ChatDeltas } from './read-deltas.js';

const failure = (error: unknown): GatewayError => new GatewayError('provider_overloaded', JSON.stringify(error));
const deltasOf = (choices = 1): ChatDeltas => new ChatDeltas({ choices, reasoningFormat: 'unknown', failure });
const bytesOf = (event: unknown): Buffer => Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
const chunk = (delta: unknown, finish: string | null = null, index = 0): object => ({
  id: 'up-1',
  service_tier: 'flex',
  choices: [{ index, delta, finish_reason: finish }],
  usage: null,
});
const FINISH = chunk({}, 'stop');
const STOPPED: Delta = { type: 'finish', reason: 'stop', native: 'stop' };

const read = (events: readonly unknown[], reader = deltasOf()): Delta[] => [
  ...events.flatMap((event) => reader.push(bytesOf(event))),
  ...reader.end(),
];
const whole = (message: unknown, rest: object = {}, reader = deltasOf()): readonly Delta[] =>
  reader.whole(bytesOf({ id: 'up-1', choices: [{ index: 0, message, finish_reason: 'stop', ...rest }] }));

describe('the reader of a chat response', () => {
  it('reads text, refusal, pictures and annotations in the received order', () => {
    const annotation = { type: 'url_citation', url_citation: { url: 'https://e.com' } };
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const events = [
      chunk({ role: 'assistant', content: '', refusal: null }),
      chunk({ content: 'a' }),
      chunk({ refusal: 'no', images: [image] }),
      chunk({ annotations: [annotation] }),
      FINISH,
    ];
    expect(read(events)).toEqual([
      { type: 'text', text: 'a' },
      { type: 'refusal', text: 'no' },
      { type: 'image', dataUrl: 'data:image/png;base64,AAAA' },
      { type: 'annotation', annotation },
      STOPPED,
    ]);
  });

  it('numbers tool calls if their pieces have no index, and returns the name of each tool call once', () => {
    const called = (call: object): object => chunk({ tool_calls: [call] });
    const events = [
      called({ id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      called({ id: null, function: { name: null, arguments: '{"x":' } }),
      called({ function: { arguments: '1}' } }),
      called({ id: 'b', function: { name: 'g', arguments: { y: 2 } } }),
      chunk({}, 'stop'),
    ];
    expect(read(events)).toEqual([
      { type: 'tool_call', index: 0, id: 'a', name: 'f', arguments: '' },
      { type: 'tool_call', index: 0, arguments: '{"x":' },
      { type: 'tool_call', index: 0, arguments: '1}' },
      { type: 'tool_call', index: 1, id: 'b', name: 'g', arguments: '{"y":2}' },
      { type: 'finish', reason: 'tool_calls', native: 'stop' },
    ]);
  });

  it('gives a tool call an id if the vendor sends none', () => {
    const [call] = read([chunk({ tool_calls: [{ function: { name: 'f', arguments: '{}' } }] }), FINISH]);
    expect(call).toMatchObject({ type: 'tool_call', index: 0, name: 'f', id: expect.stringMatching(/^call_.+/) });
  });

  it.each(['reasoning', 'reasoning_content'])(
    'reads %s without details as an entry of the format unknown',
    (member) => {
      expect(read([chunk({ [member]: 'hm' }), FINISH])[0]).toEqual({
        type: 'reasoning',
        text: 'hm',
        detail: { type: 'reasoning.text', text: 'hm', format: 'unknown', index: 0 },
      });
    },
  );

  it('keeps signatures, ids, encrypted data and formats of reasoning, and drops entries of unknown types', () => {
    const details = [
      { type: 'reasoning.text', text: 'a', signature: 's', format: 'x-v1', index: 0 },
      { type: 'reasoning.summary', summary: 'b', format: 'x-v1', index: 1, id: null },
      { type: 'reasoning.encrypted', data: 'd', id: 'c1', format: 'x-v1', index: 2 },
      { type: 'reasoning.new', format: 'x-v1', index: 3 },
    ];
    expect(read([chunk({ reasoning: 'ab', reasoning_details: details }), FINISH])).toEqual([
      { type: 'reasoning', text: 'a', detail: details[0] },
      { type: 'reasoning', text: 'b', detail: { type: 'reasoning.summary', summary: 'b', format: 'x-v1', index: 1 } },
      { type: 'reasoning', detail: details[2] },
      STOPPED,
    ]);
  });

  it('keeps readable reasoning next to entries that cannot be read', () => {
    const detail = { type: 'reasoning.encrypted', data: 'd', format: 'x-v1', index: 0 };
    expect(read([chunk({ reasoning: 'hm', reasoning_details: [detail] }), FINISH]).slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'reasoning', detail },
    ]);
  });

  it('separates the choices, and waits until every choice is finished or [DONE] arrives', () => {
    const events = [chunk({ content: 'a' }), chunk({ content: 'b' }, null, 1), FINISH, chunk({}, 'length', 1)];
    expect(read(events, deltasOf(2))).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', choice: 1 },
      STOPPED,
      { type: 'finish', reason: 'length', native: 'length', choice: 1 },
    ]);
    expect(() => read([chunk({ content: 'a' }), FINISH], deltasOf(2))).toThrow(/before it was complete/);
    expect(read([chunk({ content: 'a' }), FINISH, '[DONE]'], deltasOf(2))).toHaveLength(2);
  });

  it('converts citations next to the choices to annotations, without repetitions', () => {
    const citation = { type: 'url_citation', url_citation: expect.objectContaining({ url: 'https://e.com' }) };
    const events = [chunk({ content: 'a' }), { ...FINISH, citations: ['https://e.com'] }];
    expect(read([...events, { choices: [], citations: ['https://e.com'] }])).toEqual([
      { type: 'text', text: 'a' },
      { type: 'annotation', annotation: citation },
      STOPPED,
    ]);
  });

  it('keeps the last report of usage, the id and the tier', () => {
    const reader = deltasOf();
    read([{ ...chunk({ content: 'a' }), usage: { prompt_tokens: 1 } }, FINISH], reader);
    expect(reader).toMatchObject({ usage: { prompt_tokens: 1 }, upstreamId: 'up-1', serviceTier: 'flex' });
    expect(reader.isComplete).toBe(true);
    reader.push(bytesOf({ choices: [], x_groq: { usage: { prompt_tokens: 2 } } }));
    expect(reader.usage).toEqual({ prompt_tokens: 2 });
  });

  it('is complete only after the finish reason and the usage', () => {
    const reader = deltasOf();
    reader.push(bytesOf({ ...chunk({ content: 'a' }), usage: {} }));
    expect(reader.isComplete).toBe(false);
    reader.push(bytesOf(FINISH));
    expect(reader.isComplete).toBe(true);
  });

  it.each([
    ['an error event', [chunk({ content: 'a' }), { error: { message: 'x' } }], 'provider_overloaded'],
    ['an error in a choice', [{ choices: [{ index: 0, error: { message: 'x' } }] }], 'provider_overloaded'],
    ['no finish', [chunk({ content: 'a' }), '[DONE]'], 'provider_failed'],
    ['nothing', [], 'provider_failed'],
    ['a finish that is an error', [chunk({ content: 'a' }), chunk({}, 'network_error')], 'provider_failed'],
    ['no JSON', ['{'], 'provider_failed'],
    ['no object', ['[1]'], 'provider_failed'],
  ])('fails if a stream has %s', (_, events, kind) => {
    expect(() => read(events)).toThrow(expect.objectContaining({ kind }));
  });

  it('reads a complete response, and derives the finish reason from its content if the vendor sends none', () => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    expect(whole({ role: 'assistant', content: 'a', tool_calls: [call] }, { finish_reason: null })).toEqual([
      { type: 'text', text: 'a' },
      { type: 'tool_call', index: 0, id: 'a', name: 'f', arguments: '{}' },
      { type: 'finish', reason: 'tool_calls', native: null },
    ]);
    for (const content of ['', null])
      expect(() => whole({ role: 'assistant', content }, { finish_reason: null })).toThrow(/before it was complete/);
    expect(() => deltasOf().whole(bytesOf({ id: 'up-1' }))).toThrow(/before it was complete/);
  });
});
