import type { Conversation, Delta } from '../../../src/formats/conversation.js';
import type { ConversationCall } from '../../../src/providers/ports/text-adapter.port.js';
import type { ConversationResponse } from '../../../src/formats/vendor-text.js';
import { chatCall, startChatStage, type ChatStage } from '../../support/vendors/chat-through-vendor.js';
import { eventually } from '../../support/eventually.js';
import { aConversation, deltasOf } from '../../support/vendors/scripted-text-vendor.js';
import type { VendorTurn } from '../../support/vendors/text-vendor-formats.js';
import { WIRE_FORMATS } from '../../support/vendors/wire-formats.js';

let stage: ChatStage;
beforeAll(async () => (stage = await startChatStage(2_000)));
afterAll(() => stage.close());

/** A model for each format, which is served in that format only. */
const MODELS = {
  chat: { provider: 'openrouter', upstreamModel: 'vendor-model' },
  responses: { provider: 'openai', upstreamModel: 'gpt-5-codex' },
} as const;
type Format = keyof typeof MODELS;
const FORMATS = Object.keys(MODELS) as Format[];

const callTo = (format: Format, streamed: boolean, conversation: Partial<Conversation> = {}): ConversationCall => {
  const { request: _, ...call } = chatCall({});
  return { ...call, ...MODELS[format], streamed, conversation: aConversation(conversation), maxOutputTokens: 64 };
};
function scripted(format: Format, turn: Partial<VendorTurn>, streamed: boolean): void {
  const { json, events, stop, usage } = WIRE_FORMATS[format];
  const whole = { finish: stop, usage, ...turn };
  stage.vendor.script(streamed ? { bytes: Buffer.concat(events(whole)), splitBytes: 50 } : { body: json(whole) });
}
async function converse(format: Format, turn: Partial<VendorTurn>, streamed: boolean): Promise<ConversationResponse> {
  scripted(format, turn, streamed);
  return stage.text.converse(callTo(format, streamed));
}

/** Joins the pieces of each text, thought and argument of a call. */
function joined(deltas: readonly Delta[]): Delta[] {
  const whole: Delta[] = [];
  for (const delta of deltas) {
    const last = whole.at(-1);
    if (delta.type === 'text' && last?.type === 'text')
      whole[whole.length - 1] = { ...last, text: last.text + delta.text };
    else if (delta.type === 'tool_call' && last?.type === 'tool_call' && last.index === delta.index)
      whole[whole.length - 1] = { ...last, arguments: last.arguments + delta.arguments };
    else whole.push(delta);
  }
  return whole;
}

const TURN: Partial<VendorTurn> = {
  reasoning: { text: 'hm', signature: 'sealed' },
  text: ['Hel', 'lo'],
  citation: { url: 'https://e.com', title: 'E' },
  call: { id: 'call_1', name: 'f', input: { x: 'é😀' } },
};

describe.each(FORMATS)('a vendor that supports only the format %s', (format) => {
  it.each([true, false])('returns a complete response to clients of other formats, streamed: %s', async (streamed) => {
    const finish = format === 'chat' ? 'tool_calls' : 'completed';
    const response = await converse(format, { ...TURN, finish }, streamed);
    const detail = { format: 'unknown', index: 0, type: 'reasoning.text', text: 'hm' };
    const summary = { format: 'openai-responses-v1', index: 0, type: 'reasoning.summary', summary: 'hm' };
    const sealed = {
      format: 'openai-responses-v1',
      index: 1,
      type: 'reasoning.encrypted',
      data: 'sealed',
      id: 'rs_1',
    };
    const citation = { url: 'https://e.com', title: 'E', start_index: 0, end_index: 2 };
    const deltas = joined(await deltasOf(response));
    const expected = [
      { type: 'reasoning', text: 'hm', detail: format === 'chat' ? detail : summary },
      ...(format === 'chat' ? [] : [{ type: 'reasoning', detail: sealed }]),
      { type: 'text', text: 'Hello' },
      { type: 'annotation', annotation: { type: 'url_citation', url_citation: citation } },
      { type: 'tool_call', index: 0, id: 'call_1', name: 'f', arguments: '{"x":"é😀"}' },
      { type: 'finish', reason: 'tool_calls', native: finish },
    ];
    // A complete message may contain the parts of a turn in another order.
    expect(deltas).toHaveLength(expected.length);
    for (const delta of expected) expect(deltas).toContainEqual(delta);
    expect(deltas.at(-1)!.type).toBe('finish');
    expect(response.usageFormat).toBe(format);
    expect(response.usage()).toEqual(WIRE_FORMATS[format].usage);
    expect(response.upstreamId()).toBe(format === 'chat' ? 'chatcmpl-1' : 'resp_1');
    expect(response.serviceTier!()).toBe('default');
  });

  it.each([true, false])('returns a refusal to clients of other formats, streamed: %s', async (streamed) => {
    const deltas = await deltasOf(await converse(format, { refusal: 'no' }, streamed));
    expect(deltas[0]).toEqual({ type: 'refusal', text: 'no' });
  });

  it('may send a complete response instead of a stream', async () => {
    scripted(format, { text: ['Hello'] }, false);
    const deltas = await deltasOf(await stage.text.converse(callTo(format, true)));
    expect(deltas).toContainEqual({ type: 'text', text: 'Hello' });
  });

  it('receives the upstream name and the output limit that the gateway has chosen', async () => {
    scripted(format, { text: ['Hello'] }, true);
    await deltasOf(await stage.text.converse({ ...callTo(format, true), endUser: 'hash' }));
    const bound = format === 'chat' ? { max_tokens: 64, user: 'hash' } : { max_output_tokens: 64, store: false };
    expect(stage.vendor.seen.at(-1)!.json).toMatchObject({
      model: MODELS[format].upstreamModel,
      stream: true,
      ...bound,
    });
    expect(stage.vendor.seen.at(-1)!.path).toBe(format === 'chat' ? '/v1/chat/completions' : '/v1/responses');
  });

  it('fails if its stream breaks off early, but the events before the break are returned', async () => {
    const { events, stop, usage } = WIRE_FORMATS[format];
    const all = events({ text: ['Hel', 'lo'], finish: stop, usage });
    stage.vendor.script({ bytes: Buffer.concat(all.slice(0, -3)) });
    const { deltas } = await stage.text.converse(callTo(format, true));
    const text: Delta[] = [];
    const failure = (async () => {
      for (let step = await deltas.next(); !step.done; step = await deltas.next()) text.push(...step.value);
    })();
    await expect(failure).rejects.toMatchObject({ kind: 'provider_failed' });
    expect(joined(text)).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it('does not fail if its connection breaks after the end of the stream', async () => {
    const { events, stop, usage } = WIRE_FORMATS[format];
    const all = events({ text: ['Hello'], finish: stop, usage });
    const sent = format === 'chat' ? all.slice(0, -1) : all;
    stage.vendor.script({ events: [...sent.map(dataOf), '[DONE]'], resetAfter: sent.length, pauseMs: 5 });
    const deltas = await deltasOf(await stage.text.converse(callTo(format, true)));
    expect(deltas.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
  });

  it('is disconnected at once if the reader leaves', async () => {
    const { events, stop, usage } = WIRE_FORMATS[format];
    const all = events({ text: ['a', 'b', 'c'], finish: stop, usage });
    stage.vendor.script({ events: all.map(dataOf), pauseMs: 40 });
    const { deltas } = await stage.text.converse(callTo(format, true));
    expect((await deltas.next()).done).toBe(false);
    await deltas.return!();
    expect((await deltas.next()).done).toBe(true);
    await eventually(async () => expect(stage.vendor.seen.at(-1)!.aborted).toBe(true));
  });

  it('fails with the kind of the error that it reports in mid-stream', async () => {
    const error = { type: 'error', error: { type: 'server_error', code: 'rate_limit_exceeded', message: 'slow down' } };
    stage.vendor.script({ events: [error] });
    await expect(deltasOf(await stage.text.converse(callTo(format, true)))).rejects.toMatchObject({
      kind: 'rate_limited',
    });
  });
});

describe('a vendor response of unusual size', () => {
  const depth = 20_000;
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const parts = Array.from({ length: 70_000 }, () => ({ type: 'x' }));

  it.each<[Format, string]>([
    ['chat', `{"choices":[{"index":0,"delta":{"annotations":[{"type":"x","x":${deep}}]}}]}`],
    ['chat', `{"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"name":"f","arguments":${deep}}}]}}]}`],
    ['responses', `{"type":"response.output_text.annotation.added","annotation":{"type":"x","x":${deep}}}`],
  ])('in the format %s is a failure of the vendor if the response is nested too deeply', async (format, event) => {
    stage.vendor.script({ events: [event] });
    await expect(deltasOf(await stage.text.converse(callTo(format, true)))).rejects.toMatchObject({
      kind: 'provider_failed',
      message: expect.stringMatching(/nested too deeply/),
    });
  });

  it.each<[Format, object]>([
    ['chat', { choices: [{ index: 0, delta: { annotations: parts }, finish_reason: 'stop' }], usage: {} }],
    ['responses', { type: 'response.completed', response: { status: 'completed', usage: {}, output: parts } }],
  ])('in the format %s is read to the end if the response is a long list', async (format, event) => {
    stage.vendor.script({ events: [event, '[DONE]'] });
    const { deltas } = await stage.text.converse(callTo(format, true));
    const kinds: string[] = [];
    for (let step = await deltas.next(); !step.done; step = await deltas.next())
      for (const delta of step.value) kinds.push(delta.type);
    expect(kinds.at(-1)).toBe('finish');
  });
});

const dataOf = (event: Buffer): string => /^data: (.*)$/m.exec(event.toString())![1]!;
