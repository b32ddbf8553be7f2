import { GatewayError } from '../../kernel/errors/errors.js';
import {
  callItem,
  dataIn,
  eventsIn,
  messageItem,
  namedEventBytes,
  reasoningItem,
  RESPONSES_USAGE,
  vendorEvents,
  vendorResponse,
} from '../../../test/support/vendors/responses-vendor.js';
import { ResponsesRelay, type ResponsesRelayTerms } from './relay.js';

const TERMS: ResponsesRelayTerms = {
  head: { id: 'gen-1', model: 'author/model', provider: 'Vendor', created: 1_700_000_000 },
  request: { input: 'hi', instructions: 'Be brief', metadata: { a: 'b' } },
  excludesReasoning: false,
  failure: (error) => new GatewayError('rate_limited', `vendor: ${JSON.stringify(error)}`),
};
const USAGE = { input_tokens: 1, cost: 0.5 };
const PIECES = ['Hel', 'lo ', '"quoted" \\ \n', 'é😀', '\u2028', '', 'end'];
const TEXT = PIECES.join('');
const ITEMS = [reasoningItem('Think "hard"'), messageItem(TEXT), callItem('weather', { city: 'Kyiv' })];

interface Relayed {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly events: any[];
  readonly bytes: Buffer;
  readonly relay: ResponsesRelay;
}

/** Relays a vendor's bytes that arrive in these chunks. */
function relayed(chunks: readonly Buffer[], terms: Partial<ResponsesRelayTerms> = {}): Relayed {
  const relay = new ResponsesRelay({ ...TERMS, ...terms });
  const sent = dataIn(chunks).map((data) => relay.push(data));
  relay.end();
  const end = relay.failure ? relay.failing(relay.failure) : relay.closing(USAGE);
  const bytes = Buffer.concat([...sent, end]);
  return { events: eventsIn(bytes), bytes, relay };
}
const relayedEvents = (events: readonly object[], terms?: Partial<ResponsesRelayTerms>): Relayed =>
  relayed([namedEventBytes(events as Record<string, unknown>[])], terms);

describe('the relay of a stream of /responses', () => {
  const sent = vendorEvents(ITEMS, { pieces: PIECES });

  it('sends events without the response unchanged, but adds the function name to complete arguments', () => {
    const { events } = relayedEvents(sent);
    const held = (event: object): boolean => 'response' in event;
    expect(events.filter((event) => !held(event))).toEqual(
      sent
        .filter((event) => !held(event))
        .map((event) =>
          event['type'] === 'response.function_call_arguments.done' ? { ...event, name: 'weather' } : event,
        ),
    );
    expect(events.map(({ type }) => type)).toEqual(sent.map(({ type }) => type));
    expect(events.map(({ sequence_number: number }) => number)).toEqual(sent.map((_, index) => index));
  });

  it('replaces the id and the model of the response, and ends with the billed usage', () => {
    const { events, relay } = relayedEvents(sent);
    for (const { response } of events.filter((event) => 'response' in event))
      expect(response).toMatchObject({
        id: 'gen-1',
        model: 'author/model',
        provider: 'Vendor',
        created_at: 1_790_000_000,
        instructions: 'Be brief',
        metadata: { a: 'b' },
      });
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { status: 'completed', usage: USAGE, output: ITEMS, completed_at: 1_790_000_001 },
    });
    expect(relay).toMatchObject({
      usage: RESPONSES_USAGE,
      upstreamId: 'resp_vendor',
      serviceTier: 'default',
      finished: true,
      isDone: true,
      sawOutput: true,
      finishReason: 'tool_calls',
      nativeFinishReason: 'completed',
    });
    expect(relay.text().join('')).toBe(`Think "hard"${TEXT}{"city":"Kyiv"}`);
  });

  it('sends the same bytes wherever the stream is split', () => {
    const whole = namedEventBytes(sent);
    const { bytes } = relayed([whole]);
    for (let at = 1; at < whole.length; at += 7)
      expect(relayed([whole.subarray(0, at), whole.subarray(at)]).bytes.equals(bytes)).toBe(true);
    const single = [...whole.keys()].map((at) => whole.subarray(at, at + 1));
    expect(relayed(single).bytes.equals(bytes)).toBe(true);
  });

  it.each([
    ['a truncated delta', '{"type":"response.output_text.delta","sequence_number":9,"item_id":"msg_1","delta":"x'],
    ['a value that is not an object', '[1]'],
  ])('fails at %s', (_, data) => {
    const { relay, events } = relayed([namedEventBytes(sent.slice(0, 14)), Buffer.from(`data: ${data}\n\n`)]);
    expect(relay.failure).toMatchObject({ kind: 'provider_failed' });
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      sequence_number: 14,
      response: { id: 'gen-1', status: 'failed', error: { code: 'server_error' }, error_type: 'provider_unavailable' },
    });
  });

  it('reads a delta with a duplicate member as JSON.parse does: the last value counts', () => {
    const delta = vendorEvents([messageItem('a')], { pieces: ['one', 'two'] });
    const at = delta.findLastIndex(({ type }) => type === 'response.output_text.delta');
    const forged = JSON.stringify(delta[at]).replace('"two"', '"two","delta":"three"');
    const bytes = [namedEventBytes(delta.slice(0, at)), Buffer.from(`data: ${forged}\n\n`)];
    const { relay } = relayed([...bytes, namedEventBytes(delta.slice(at + 1))]);
    expect(relay.text()).toEqual(['onethree']);
  });

  it('adds sequence numbers if the vendor sends none, and the members that clients require', () => {
    const bare = vendorEvents([messageItem('Hi')]).map(
      ({ sequence_number: _number, logprobs: _logprobs, ...event }) => event,
    );
    const { events } = relayedEvents(bare);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(bare.map((_, index) => index));
    expect(events.find(({ type }) => type === 'response.output_text.delta')).toMatchObject({ logprobs: [] });
  });

  it('delays the first two events until a third follows, so that a failure can have an error status', () => {
    const relay = new ResponsesRelay(TERMS);
    const data = sent.map((event) => Buffer.from(JSON.stringify(event)));
    expect(relay.push(data.slice(0, 2))).toHaveLength(0);
    expect(eventsIn(relay.push(data.slice(2, 3))).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
    ]);
  });

  it.each([
    ['response.failed', { response: vendorResponse([], { status: 'failed', error: { code: 'x', message: 'y' } }) }],
    ['error', { code: 'x', message: 'y' }],
    ['error', { error: { code: 'x', message: 'y' } }],
  ])("fails with the vendor's message if the vendor sends the event %s", (type, members) => {
    const { relay, events } = relayedEvents([...sent.slice(0, 4), { type, sequence_number: 4, ...members }]);
    expect(relay.failure?.message).toContain('"code":"x","message":"y"');
    expect(events.at(-1)).toMatchObject({ response: { error: { code: 'rate_limit_exceeded' } } });
  });

  it('sends response.created before the failure of a stream that has sent nothing', () => {
    const { events } = relayedEvents([{ type: 'error', code: 'x', message: 'y' }]);
    expect(events).toMatchObject([
      { type: 'response.created', sequence_number: 0, response: { status: 'in_progress' } },
      { type: 'response.failed', sequence_number: 1 },
    ]);
  });

  it('fails if the stream ends without its last event', () => {
    const { relay } = relayedEvents(sent.slice(0, -1));
    expect(relay).toMatchObject({ failure: { kind: 'provider_failed', outage: true }, finished: false });
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['anything else', 'length'],
  ])('converts the incomplete reason %s to the finish reason %s', (reason, finish) => {
    const more = { status: 'incomplete', incomplete_details: { reason } };
    const { events, relay } = relayedEvents(vendorEvents(ITEMS, { more, last: 'response.incomplete' }));
    expect(relay).toMatchObject({ finishReason: finish, nativeFinishReason: reason, failure: undefined });
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: more });
  });

  it('drops events of types that clients do not know', () => {
    const odd = [...sent.slice(0, 3), { type: 'keepalive', sequence_number: 3 }, ...sent.slice(3)];
    expect(relayedEvents(odd).events.map(({ type }) => type)).toEqual(sent.map(({ type }) => type));
  });

  it('counts excluded reasoning, but does not send it', () => {
    const { events, relay } = relayedEvents(sent, { excludesReasoning: true });
    expect(JSON.stringify(events)).not.toMatch(/Think|rs_1|reasoning_summary/);
    expect(events.at(-1).response.output).toEqual(ITEMS.slice(1));
    expect(relay.text().join('')).toContain('Think "hard"');
  });

  it('converts a complete response to a stream', () => {
    const relay = new ResponsesRelay(TERMS);
    const bytes = relay.pushWhole(Buffer.from(JSON.stringify(vendorResponse(ITEMS))));
    const events = eventsIn(Buffer.concat([bytes, relay.closing(USAGE)]));
    const pieces = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta);
    expect(pieces).toEqual([TEXT]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({ response: { output: ITEMS, usage: USAGE } });
    expect(relay).toMatchObject({ finished: true, usage: RESPONSES_USAGE });
  });

  it('counts the search items if the vendor does not report the number of searches', () => {
    const items = [{ id: 'ws_1', type: 'web_search_call', status: 'completed' }, messageItem('Found')];
    expect(relayedEvents(vendorEvents(items)).relay.usage).toEqual({ ...RESPONSES_USAGE, num_search_queries: 1 });
  });

  it("uses the caller's names for functions in a namespace, in every event and in a complete response", () => {
    const toolNames = new Map([['mcp__docs__search', { namespace: 'mcp__docs', name: 'search' }]]);
    const items = [callItem('mcp__docs__search', { q: 'x' }), callItem('other', {}, 'call_2')];
    const terms = { toolNames, request: { ...TERMS.request, tools: [{ type: 'namespace' }] } };
    const { events, bytes } = relayedEvents(vendorEvents(items), terms);
    expect(bytes.toString()).not.toContain('mcp__docs__search');
    const { output, tools } = events.at(-1).response;
    expect([output[0], output[1], tools]).toMatchObject([
      { name: 'search', namespace: 'mcp__docs' },
      { name: 'other' },
      [{ type: 'namespace' }],
    ]);
    const relay = new ResponsesRelay({ ...TERMS, ...terms });
    expect(relay.pushWhole(Buffer.from(JSON.stringify(vendorResponse(items)))).toString()).not.toContain(
      'mcp__docs__s',
    );
  });

  it('skips an event whose type would break the framing of the stream', () => {
    const event = { type: 'response.odd\ndata: {}\n\nevent: response.odd', sequence_number: 0 };
    expect(new ResponsesRelay(TERMS).push([Buffer.from(JSON.stringify(event))])).toHaveLength(0);
  });

  it.each(['response.in_progress', 'response.completed'])('fails if the event %s is nested too deeply', (type) => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const relay = new ResponsesRelay(TERMS);
    relay.push([Buffer.from(`{"type":"${type}","response":{"status":"completed","output":[],"x":${deep}}}`)]);
    expect(relay.failure).toMatchObject({
      kind: 'provider_failed',
      message: expect.stringContaining('nested too deeply'),
    });
    expect(relay.finished).toBe(false);
  });

  it.each(['{"type":', '[]'])('fails if an event is not a JSON object: %s', (event) => {
    const relay = new ResponsesRelay(TERMS);
    relay.push([Buffer.from(event)]);
    expect(relay.failure?.message).toContain('not a JSON object');
  });

  it('fails if a complete response is nested too deeply', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const body = Buffer.from(`{"object":"response","status":"completed","output":[],"x":${deep}}`);
    expect(() => new ResponsesRelay(TERMS).pushWhole(body)).toThrow('nested too deeply');
  });
});
