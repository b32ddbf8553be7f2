import {
  aConversation,
  aTextCall,
  countsOf,
  deltasOf,
  startScriptedTextVendor,
} from '../../../../test/support/vendors/scripted-text-vendor.js';
import { TEXT_VENDORS, type TextVendorFormat } from '../../../../test/support/vendors/text-vendor-formats.js';
import type { Delta, Message, Tool } from '../../../formats/conversation.js';

const { anthropic, google } = TEXT_VENDORS;

const tool: Tool = {
  name: 'weather',
  description: 'Looks it up',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const call = { id: 'call_0001', name: 'weather', input: { city: 'Vienna' } };
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The token counts to which the sample usage of each format corresponds. */
const COUNTS = {
  anthropic: { prompt: 360, cacheRead: 300, cacheWrite5m: 20, cacheWrite1h: 30, completion: 7 },
  google: { prompt: 100, cacheRead: 40, completion: 7, reasoning: 2 },
  bedrock: { prompt: 360, cacheRead: 300, cacheWrite5m: 20, cacheWrite1h: 30, completion: 7 },
  mistral: { prompt: 100, cacheRead: 40, completion: 7 },
  cohere: { prompt: 100, completion: 7 },
} as const;
const FINISHES = {
  anthropic: { stop: 'end_turn', length: 'max_tokens', call: 'tool_use', filter: 'refusal' },
  google: { stop: 'STOP', length: 'MAX_TOKENS', call: 'STOP', filter: 'SAFETY' },
  bedrock: { stop: 'end_turn', length: 'max_tokens', call: 'tool_use', filter: 'guardrail_intervened' },
  mistral: { stop: 'stop', length: 'length', call: 'tool_calls', filter: undefined },
  cohere: { stop: 'COMPLETE', length: 'MAX_TOKENS', call: 'TOOL_CALL', filter: undefined },
} as const;
const NAMES = Object.keys(TEXT_VENDORS) as (keyof typeof TEXT_VENDORS)[];
const WAYS = NAMES.flatMap((name) => [[name, false] as const, [name, true] as const]);

const textOf = (deltas: readonly Delta[]): string =>
  deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
const reasoningOf = (deltas: readonly Delta[]): string =>
  deltas.map((delta) => (delta.type === 'reasoning' ? (delta.text ?? '') : '')).join('');
const argumentsOf = (deltas: readonly Delta[]): string =>
  deltas.map((delta) => (delta.type === 'tool_call' ? delta.arguments : '')).join('');
describe('text through the vendors’ packages', () => {
  let vendor: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  beforeAll(async () => {
    vendor = await startScriptedTextVendor();
  });
  afterAll(() => vendor.close());
  beforeEach(() => void (vendor.seen.length = 0));

  it.each(WAYS)('%s returns text, finish and usage (streamed: %s)', async (name, streamed) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    vendor.turn(
      format,
      { text: ['Good ', 'day, ', 'wörld 🌍'], finish: FINISHES[name].stop, usage: format.usage },
      streamed,
    );
    const response = await vendor.text.converse(aTextCall(format, aConversation(), { streamed }));
    const deltas = await deltasOf(response);
    expect(textOf(deltas)).toBe('Good day, wörld 🌍');
    if (streamed) expect(deltas.filter(({ type }) => type === 'text')).toHaveLength(3);
    expect(deltas.at(-1)).toEqual({ type: 'finish', reason: 'stop', native: FINISHES[name].stop });
    expect(countsOf(response)).toMatchObject(COUNTS[name]);
  });

  it.each(WAYS)('%s calls a tool and reads its result (streamed: %s)', async (name, streamed) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    const conversation = aConversation({ tools: [tool], toolChoice: 'required' });
    vendor.turn(format, { call, finish: FINISHES[name].call, usage: format.usage }, streamed);
    const deltas = await deltasOf(await vendor.text.converse(aTextCall(format, conversation, { streamed })));
    expect(deltas.find(({ type }) => type === 'tool_call')).toMatchObject({ index: 0, id: call.id, name: 'weather' });
    expect(JSON.parse(argumentsOf(deltas))).toEqual(call.input);
    expect(deltas.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });

    const messages: Message[] = [
      ...conversation.messages,
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: call.id, name: call.name, arguments: argumentsOf(deltas) }],
      },
      {
        role: 'tool',
        results: [{ callId: call.id, toolName: call.name, parts: [{ type: 'text', text: '21 degrees' }] }],
      },
    ];
    vendor.turn(format, { text: ['Warm'], finish: FINISHES[name].stop, usage: format.usage }, streamed);
    const next = aTextCall(format, aConversation({ messages, tools: [tool] }), { streamed });
    expect(textOf(await deltasOf(await vendor.text.converse(next)))).toBe('Warm');
    expect(JSON.stringify(vendor.seen[0]!.json)).toContain('"weather"');
    const sent = JSON.stringify(vendor.seen[1]!.json);
    expect(sent).toContain('21 degrees');
    expect(sent).toContain('Vienna');
  });

  it.each([
    ['anthropic', false],
    ['anthropic', true],
    ['bedrock', false],
    ['bedrock', true],
    ['google', false],
    ['google', true],
  ] as const)('%s receives the signature of its reasoning unchanged (streamed: %s)', async (name, streamed) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    const signature = 'c2lnbmF0dXJl+/=='.repeat(3);
    const reasoning = { text: 'They greet me.', signature };
    const { stop: finish } = FINISHES[name];
    const settings = { exclude: false, maxTokens: 2_000 };
    vendor.turn(format, { reasoning, text: ['Hi'], finish, usage: format.usage }, streamed);
    const conversation = aConversation({ reasoning: settings });
    const deltas = await deltasOf(await vendor.text.converse(aTextCall(format, conversation, { streamed })));
    expect(reasoningOf(deltas)).toBe(reasoning.text);

    const details = deltas.flatMap((delta) => (delta.type === 'reasoning' && delta.detail ? [delta.detail] : []));
    const echoed: Message = {
      role: 'assistant',
      parts: [
        { type: 'reasoning', details },
        { type: 'text', text: 'Hi' },
      ],
    };
    const again = { role: 'user', parts: [{ type: 'text', text: 'And now?' }] } as const;
    const messages = [...conversation.messages, echoed, again];
    vendor.turn(format, { text: ['Ok'], finish, usage: format.usage }, streamed);
    await deltasOf(await vendor.text.converse(aTextCall(format, { ...conversation, messages }, { streamed })));
    const [, { json }] = vendor.seen as [unknown, (typeof vendor.seen)[0]];
    const turn = (json.messages ?? json.contents)[1];
    expect((turn.content ?? turn.parts)[0]).toEqual(
      {
        anthropic: { type: 'thinking', thinking: reasoning.text, signature },
        bedrock: { reasoningContent: { reasoningText: reasoning } },
        google: { text: reasoning.text, thought: true, thoughtSignature: signature },
      }[name],
    );
  });

  it.each([false, true])('a signed tool call of google keeps its signature (streamed: %s)', async (streamed) => {
    const signed = { ...call, signature: 'dG9vbA==' };
    const conversation = aConversation({ tools: [tool] });
    vendor.turn(google, { call: signed, finish: 'STOP', usage: google.usage }, streamed);
    const deltas = await deltasOf(await vendor.text.converse(aTextCall(google, conversation, { streamed })));
    const details = deltas.flatMap((delta) => (delta.type === 'reasoning' && delta.detail ? [delta.detail] : []));
    expect(details).toEqual([
      { type: 'reasoning.encrypted', data: 'dG9vbA==', id: call.id, format: 'google-gemini-v1', index: 0 },
    ]);
    const messages: Message[] = [
      ...conversation.messages,
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', details },
          { type: 'tool_call', id: call.id, name: call.name, arguments: '{"city":"Vienna"}' },
        ],
      },
      { role: 'tool', results: [{ callId: call.id, toolName: call.name, parts: [{ type: 'text', text: '21' }] }] },
    ];
    vendor.turn(google, { text: ['Ok'], finish: 'STOP', usage: google.usage }, streamed);
    await deltasOf(await vendor.text.converse(aTextCall(google, { ...conversation, messages }, { streamed })));
    expect(vendor.seen[1]!.json.contents[1].parts).toEqual([
      { functionCall: { id: call.id, name: 'weather', args: call.input }, thoughtSignature: 'dG9vbA==' },
    ]);
  });

  it.each(NAMES)('%s receives a picture', async (name) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    const source = { base64: PIXEL, mediaType: 'image/png' };
    const messages: Message[] = [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'See' },
          { type: 'image', source },
        ],
      },
    ];
    vendor.turn(format, { text: ['Ok'], finish: FINISHES[name].stop, usage: format.usage }, false);
    await deltasOf(await vendor.text.converse(aTextCall(format, aConversation({ messages }))));
    expect(JSON.stringify(vendor.seen[0]!.json)).toContain(PIXEL);
  });

  it.each(NAMES)('%s: the finish reasons length and content_filter are distinguished', async (name) => {
    const format: TextVendorFormat = TEXT_VENDORS[name];
    for (const [reason, finish] of [
      ['length', FINISHES[name].length],
      ['content_filter', FINISHES[name].filter],
    ] as const) {
      if (finish === undefined) continue;
      vendor.turn(format, { text: ['x'], finish, usage: format.usage }, true);
      const deltas = await deltasOf(await vendor.text.converse(aTextCall(format, aConversation(), { streamed: true })));
      expect(deltas.at(-1)).toEqual({ type: 'finish', reason, native: finish });
    }
  });

  it('usage that a vendor reports during the stream is known before the end of the stream', async () => {
    const release = Promise.withResolvers<void>();
    vendor.reply(async (response) => {
      const events = anthropic.events({ text: ['one'], finish: 'end_turn', usage: anthropic.usage });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of events.slice(0, 4)) response.write(event);
      await release.promise;
      response.end();
    });
    const response = await vendor.text.converse(aTextCall(anthropic, aConversation(), { streamed: true }));
    await response.deltas.next();
    expect(response.usage()).toMatchObject({ input_tokens: 10, cache_read_input_tokens: 300 });
    expect(response.upstreamId()).toBe('msg_1');
    await response.deltas.return!();
    release.resolve();
  });

  it('events that arrive together are one batch, and a failure is thrown after the earlier events', async () => {
    const events = anthropic.events({ text: ['a', 'b', 'c'], finish: 'end_turn', usage: anthropic.usage });
    for (const [bytes, fails] of [
      [Buffer.concat(events), false],
      [Buffer.concat([...events.slice(0, 6), anthropic.errorEvent]), true],
    ] as const) {
      vendor.reply((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bytes);
      });
      const { deltas } = await vendor.text.converse(aTextCall(anthropic, aConversation(), { streamed: true }));
      const first = await deltas.next();
      expect(textOf(first.value!)).toBe('abc');
      if (fails) await expect(deltas.next()).rejects.toMatchObject({ kind: 'provider_overloaded' });
      else expect([first.value!.at(-1)?.type, (await deltas.next()).done]).toEqual(['finish', true]);
    }
  });
});
