import { GatewayError } from '../../src/kernel/errors/errors.js';
import { EventLines } from '../../src/providers/wire/event-lines.js';
import { MessagesRelay } from '../../src/formats/messages/relay.js';

const HEAD = { id: 'gen-1', model: 'author/model', provider: 'Vendor', created: 7 };
const COST = { input_tokens: 10, output_tokens: 8, cost: 0.25 };
const relayOf = (): MessagesRelay =>
  new MessagesRelay(HEAD, (error) => new GatewayError('provider_overloaded', str(error)));
const str = (value: unknown): string => JSON.stringify(value);

type Event = Readonly<Record<string, unknown>>;
const START: Event = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'vendor-model',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, cache_read_input_tokens: 3, output_tokens: 1, service_tier: 'standard' },
    container: { id: 'c' },
  },
};
const text = (words: string, index = 1): Event => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'text_delta', text: words },
});
const EVENTS: readonly Event[] = [
  START,
  { type: 'ping' },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm\n"é' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig==' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  ...['Hel', 'lo "you" \\ \n', '😀', 'bye'].map((words) => text(words)),
  { type: 'content_block_stop', index: 1 },
  { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a"' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: ':1}' } },
  { type: 'content_block_stop', index: 2 },
  { type: 'content_block_start', index: 3, content_block: { type: 'x_new', y: [1.0] } },
  { type: 'content_block_stop', index: 3 },
  { type: 'x_new_event', z: true },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null, container: { id: 'c' } },
    usage: { output_tokens: 8 },
    context_management: { applied_edits: [] },
  },
  { type: 'message_stop' },
];
const NESTED = '['.repeat(20_000) + ']'.repeat(20_000);
const RECEIVED = 'Hm\n"éHello "you" \\ \n😀byef{"a":1}';

const named = (events: readonly Event[]): Buffer =>
  Buffer.from(events.map((event) => `event: ${String(event['type'])}\ndata: ${str(event)}\n\n`).join(''));

/** The events of a stream. Each must have its name on a separate line. */
function read(stream: Buffer): Event[] {
  return stream
    .toString()
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [, name, json] = /^event: ([a-z_]+)\ndata: (.*)$/.exec(event)!;
      const parsed = JSON.parse(json!) as Event;
      expect(parsed['type']).toBe(name);
      return parsed;
    });
}

interface Relayed {
  readonly relay: MessagesRelay;
  readonly bytes: Buffer;
}

function relayed(bytes: Buffer, cuts: readonly number[] = []): Relayed {
  const relay = relayOf();
  const lines = new EventLines();
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    pieces.push(relay.push(lines.push(Buffer.from(bytes.subarray(from, to)))));
    from = to;
  }
  pieces.push(relay.end());
  return { relay, bytes: Buffer.concat(pieces) };
}

const ended = ({ relay, bytes }: Relayed): Event[] => read(Buffer.concat([bytes, relay.closing(COST)]));

describe('the relay of a stream of messages', () => {
  it('relays every event with its name, and with our id, model and cost', () => {
    const whole = relayed(named(EVENTS));
    const events = ended(whole);
    expect(whole.relay.failure).toBeUndefined();
    expect(events).toEqual([
      {
        type: 'message_start',
        message: { ...(START['message'] as object), id: 'gen-1', model: 'author/model', provider: 'Vendor' },
      },
      ...EVENTS.slice(1, -2),
      {
        ...EVENTS.at(-2),
        usage: { ...COST, cache_read_input_tokens: 3, service_tier: 'standard' },
      },
      { type: 'message_stop' },
    ]);
  });

  it('does not change the bytes of the events that it relays', () => {
    const odd = '{ "delta": {"text":"a","type":"text_delta"}, "x": 1.0e+2, "index":0,"type":"content_block_delta" }';
    const { bytes } = relayed(Buffer.concat([named([START]), Buffer.from(`data: ${odd}\n\ndata: ${odd}\n\n`)]));
    expect(bytes.toString().split(`event: content_block_delta\ndata: ${odd}\n\n`)).toHaveLength(3);
  });

  it('sends the same bytes however the stream is split', () => {
    const bytes = named(EVENTS);
    const expected = relayed(bytes).bytes;
    for (let at = 1; at < bytes.length; at++) expect(relayed(bytes, [at]).bytes.equals(expected)).toBe(true);
    const everywhere = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
    expect(relayed(bytes, everywhere).bytes.equals(expected)).toBe(true);
  });

  it('reads the generated content, the stop reason, the ids and the usage', () => {
    const { relay } = relayed(named(EVENTS));
    expect(relay).toMatchObject({
      finished: true,
      sawOutput: true,
      isDone: true,
      finishReason: 'tool_calls',
      nativeFinishReason: 'tool_use',
      upstreamId: 'msg_1',
      serviceTier: 'standard',
      usage: { input_tokens: 10, cache_read_input_tokens: 3, output_tokens: 8 },
    });
    expect(relay.text()).toEqual([RECEIVED]);
  });

  it.each([
    ['of another index', text('x', 2)],
    ['of another type', { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: {} } }],
    ['with more members', { ...text('x'), more: 'text' }],
  ])('does not apply the template of an earlier event to an event %s', (_, odd) => {
    const { bytes } = relayed(named([START, text('a'), text('b'), odd, text('c')]));
    expect(read(bytes).slice(1)).toEqual([text('a'), text('b'), odd, text('c')]);
  });

  it.each([
    ['end_turn', 'tool_calls'],
    ['max_tokens', 'length'],
    ['x_new_reason', 'stop'],
  ])('maps the stop reason %s of a message with a tool call to %s', (native, reason) => {
    const events = EVENTS.map((event) =>
      event['type'] === 'message_delta' ? { ...event, delta: { stop_reason: native } } : event,
    );
    const { relay } = relayed(named(events));
    expect(relay).toMatchObject({ failure: undefined, finishReason: reason, nativeFinishReason: native });
  });

  it('bills the fast tier if the vendor used it', () => {
    const usage = { input_tokens: 1, service_tier: 'standard', speed: 'fast' };
    expect(relayed(named([{ type: 'message_start', message: { usage } }])).relay.serviceTier).toBe('fast');
  });

  it.each<[string, readonly Event[]]>([
    ['an error', [START, text('a'), { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }]],
    ['an error without a type', [START, { error: { message: 'busy' } }]],
  ])('fails after %s, and sends no later event of the vendor', (_, events) => {
    const { relay, bytes } = relayed(named([...events, text('z')]));
    expect(relay.failure).toMatchObject({ kind: 'provider_overloaded', message: expect.stringContaining('busy') });
    expect(bytes.toString()).not.toContain('"z"');
    expect(read(Buffer.from(relay.failing(relay.failure)))).toEqual([
      expect.objectContaining({ error: expect.objectContaining({ type: 'overloaded_error' }), request_id: 'gen-1' }),
    ]);
  });

  it.each([
    ['not JSON', 'data: {"type":\n\n'],
    ['not an object', 'data: [1]\n\n'],
    ['nested too deeply to be printed again', `data: {"type":"message_start","message":{"x":${NESTED}}}\n\n`],
  ])('fails after an event that is %s', (_, bytes) => {
    const { relay } = relayed(Buffer.from(bytes));
    expect(relay.failure).toMatchObject({ kind: 'provider_failed', message: expect.stringMatching(/holds an event/) });
  });

  it('fails if the stream ends before its stop reason', () => {
    expect(relayed(named(EVENTS.slice(0, -2))).relay.failure?.message).toMatch(/before it was complete/);
    expect(relayed(named(EVENTS.slice(0, -1))).relay.failure).toBeUndefined();
  });

  it('adds a missing message_start, and ignores the end mark of other formats', () => {
    const bytes = Buffer.concat([named([text('a', 0), EVENTS.at(-2)!]), Buffer.from('data: [DONE]\n\n')]);
    const events = ended(relayed(bytes));
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_delta',
      'message_delta',
      'message_stop',
    ]);
    expect(events[0]).toMatchObject({ message: { id: 'gen-1', content: [], usage: { input_tokens: 0 } } });
  });

  it('writes no additional lines for events whose JSON contains line breaks', () => {
    const forged = 'data: {"type":"x\\ny",\ndata: "a":1}\n\ndata: {"type":"ping",\ndata: "a":"event: error"}\n\n';
    const { bytes } = relayed(Buffer.from(forged));
    expect(bytes.toString()).toBe('event: ping\ndata: {"type":"ping", "a":"event: error"}\n\n');
  });

  it('turns a complete response into a stream', () => {
    const message = {
      ...(START['message'] as object),
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'sig' },
        { type: 'text', text: 'Hello', citations: [{ type: 'c' }] },
        { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
        { type: 'redacted_thinking', data: 'd' },
      ],
      stop_reason: 'end_turn',
    };
    const relay = relayOf();
    const events = ended({ relay, bytes: Buffer.from(relay.pushWhole(Buffer.from(str(message)))) });
    expect(relay.failure).toBeUndefined();
    expect(events.map(({ type }) => type).filter((type) => type === 'content_block_start')).toHaveLength(4);
    expect(events.flatMap((event) => (event['delta'] ? [event['delta']] : []))).toEqual([
      { type: 'thinking_delta', thinking: 'Hm' },
      { type: 'signature_delta', signature: 'sig' },
      { type: 'text_delta', text: 'Hello' },
      { type: 'citations_delta', citation: { type: 'c' } },
      { type: 'input_json_delta', partial_json: '{"a":1}' },
      { stop_reason: 'end_turn', stop_sequence: null },
    ]);
  });

  it.each(['', '{', '[]', '{"content":1}'])('fails if the vendor sends %j instead of a stream', (body) => {
    const relay = relayOf();
    relay.pushWhole(Buffer.from(body));
    expect(relay.failure?.kind).toBe('provider_failed');
  });
});
