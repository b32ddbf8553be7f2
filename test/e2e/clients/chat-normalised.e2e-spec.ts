import { CHAT_CLIENTS } from '../../support/calls/chat-clients/all-clients.js';
import type { ChatClient, ClientReply } from '../../support/calls/chat-clients/chat-client.js';
import { startClientsStage, type ClientsStage } from '../../support/calls/chat-clients/clients-stage.js';
import {
  chatChunk,
  CHAT_TEXT,
  CHAT_USAGE,
  finishChunk,
  goodCompletion,
  goodEvents,
  usageChunk,
} from '../../support/vendors/scripted-chat-vendor.js';

type Members = Readonly<Record<string, unknown>>;
type Change = (chunk: Members) => Members;

const WHOLE = CHAT_TEXT.join('');
const without = (name: string, members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([each]) => each !== name));
/** Whether a chunk is the usage chunk. */
const isUsage = ({ usage }: Members): boolean => usage !== null;

/** The successful stream with a change to every chunk. */
const changed = (change: Change): unknown[] =>
  goodEvents().map((event) => (typeof event === 'string' ? event : change(event as Members)));
const inChoices = (change: Change): unknown[] =>
  changed((chunk) => ({ ...chunk, choices: (chunk['choices'] as Members[]).map(change) }));
const inDeltas = (members: Members): unknown[] =>
  inChoices((choice) => ({ ...choice, delta: { ...(choice['delta'] as Members), ...members } }));
const withUsage = (usage: Members): unknown[] =>
  changed((chunk) => (isUsage(chunk) ? { ...chunk, usage: { ...CHAT_USAGE, ...usage } } : chunk));
const inserted = (...chunks: unknown[]): unknown[] => goodEvents().toSpliced(2, 0, ...chunks);

/** Streams of vendors with members that some client refuses. */
const CHUNKS: Readonly<Record<string, unknown[]>> = {
  'usage null': changed((chunk) => ({ ...chunk, usage: isUsage(chunk) ? CHAT_USAGE : null })),
  'system_fingerprint null': changed((chunk) => ({ ...chunk, system_fingerprint: null })),
  'no finish_reason': inChoices((choice) => (choice['finish_reason'] ? choice : without('finish_reason', choice))),
  'a delta that is null': inserted(chatChunk(null)),
  'no delta': inserted(chatChunk(null, { choices: [{ index: 0, finish_reason: null }] })),
  'no choices': inserted(without('choices', chatChunk(null))),
  'choices null': inserted({ ...chatChunk(null), choices: null }),
  'choices null next to the usage': changed((chunk) => (isUsage(chunk) ? { ...chunk, choices: null } : chunk)),
  'an empty role': inDeltas({ role: '' }),
  'a role that is null': inDeltas({ role: null }),
  'tool_calls null': inDeltas({ tool_calls: null }),
  'members of a delta that are null': inDeltas({
    audio: null,
    images: null,
    reasoning_details: null,
    annotations: null,
  }),
  'created with a fraction': changed((chunk) => ({ ...chunk, created: 1_790_000_000.25 })),
  'created as text': changed((chunk) => ({ ...chunk, created: '1790000000' })),
  'no created, id, model or object': changed(({ choices, usage }) => ({ choices, usage })),
  'no index': inChoices((choice) => without('index', choice)),
  'cached_tokens null': withUsage({ prompt_tokens_details: { cached_tokens: null, audio_tokens: null } }),
  'reasoning_tokens null': withUsage({ completion_tokens_details: { reasoning_tokens: null } }),
  'details null': withUsage({ prompt_tokens_details: null, completion_tokens_details: null }),
  'cost null': withUsage({ cost: null, cost_details: null }),
  'cost_details without prices': withUsage({ cost: 1, cost_details: { upstream_inference_cost: 1 } }),
  'logprobs without content': inChoices((choice) => ({ ...choice, logprobs: { tokens: ['a'], token_logprobs: [-1] } })),
  'logprobs without bytes': inChoices((choice) => ({
    ...choice,
    logprobs: { content: [{ token: 'a', logprob: -1 }] },
  })),
};

/** The base of the buffered responses in BODIES. */
const completion = goodCompletion({ role: 'assistant', content: WHOLE }) as Members;
const bodyWith = (members: Members): unknown => ({ ...completion, ...members });
const choiceWith = (members: Members): unknown =>
  bodyWith({
    choices: [{ index: 0, message: { role: 'assistant', content: WHOLE }, finish_reason: 'stop', ...members }],
  });
const messageWith = (members: Members): unknown =>
  choiceWith({ message: { role: 'assistant', content: WHOLE, ...members } });
const bodyWithUsage = (usage: Members): unknown => bodyWith({ usage: { ...CHAT_USAGE, ...usage } });

const BODIES: Readonly<Record<string, unknown>> = {
  'no object': without('object', completion),
  'no system_fingerprint, created, id or model': { choices: completion['choices'], usage: CHAT_USAGE },
  'created with a fraction': bodyWith({ created: 1_790_000_000.25 }),
  'system_fingerprint null': bodyWith({ system_fingerprint: null }),
  'no index': choiceWith({ index: undefined }),
  'no finish_reason': choiceWith({ finish_reason: null }),
  'no role': messageWith({ role: undefined }),
  'an empty role': messageWith({ role: '' }),
  'tool_calls null': messageWith({ tool_calls: null }),
  'members of a message that are null': messageWith({
    audio: null,
    refusal: null,
    images: null,
    reasoning: null,
    reasoning_details: null,
    annotations: null,
    function_call: null,
  }),
  'logprobs without content': choiceWith({ logprobs: { tokens: ['a'], token_logprobs: [-1] } }),
  'logprobs without bytes': choiceWith({ logprobs: { content: [{ token: 'a', logprob: -1 }] } }),
  'cached_tokens null': bodyWithUsage({ prompt_tokens_details: { cached_tokens: null } }),
  'reasoning_tokens null': bodyWithUsage({ completion_tokens_details: { reasoning_tokens: null } }),
  'details null': bodyWithUsage({ prompt_tokens_details: null, completion_tokens_details: null }),
  'cost null': bodyWithUsage({ cost: null, cost_details: null }),
  'cost_details without prices': bodyWithUsage({ cost: 1, cost_details: { upstream_inference_cost: 1 } }),
};

/** A stream of two tool calls. `begin`: members of the first piece of a call; `rest`: members of each later piece. */
function calling(begin: (index: number) => Members, rest: (index: number) => Members): unknown[] {
  const piece = (call: Members): Members => chatChunk({ tool_calls: [call] });
  const calls = ['first', 'second'].map((name, index) => [
    piece({ ...begin(index), id: `call_${index}`, type: 'function', function: { name, arguments: '' } }),
    ...['{"a":', '1}'].map((part) => {
      const { function: called, ...more } = rest(index);
      return piece({ ...more, function: { ...(called as Members | undefined), arguments: part } });
    }),
  ]);
  return [chatChunk({ role: 'assistant', content: null }), ...calls.flat(), finishChunk('tool_calls'), usageChunk()];
}
const TOOL_CHUNKS: Readonly<Record<string, unknown[]>> = {
  'no members but those that are needed': calling(
    (index) => ({ index }),
    (index) => ({ index }),
  ),
  'null members in later pieces': calling(
    (index) => ({ index }),
    (index) => ({ index, id: null, type: null, function: { name: null } }),
  ),
  'empty members in later pieces': calling(
    (index) => ({ index }),
    (index) => ({ index, id: '', type: '', function: { name: '' } }),
  ),
  'all members in later pieces': calling(
    (index) => ({ index }),
    (index) => ({ index, id: `call_${index}`, type: 'function' }),
  ),
  'no index': calling(
    () => ({}),
    () => ({}),
  ),
};

let stage: ClientsStage;
beforeAll(async () => (stage = await startClientsStage()));
afterAll(() => stage.stop());

describe.each(Object.entries(CHAT_CLIENTS))('%s', (name, clientOf) => {
  let client: ChatClient;
  beforeAll(() => (client = clientOf(stage.access)));

  const ask = (way: 'complete' | 'stream'): Promise<ClientReply> =>
    client[way]({ model: 'openai/gpt-4o-mini', messages: [client.user('Hello')] });
  const usage = { prompt: 11, completion: 7, cached: 0, reasoning: 0, cost: 0.000_005_85 };
  const streamedUsage = name === '@langchain/openrouter' ? undefined : usage;

  it.each(Object.entries(CHUNKS))('reads a stream of a vendor that sends %s', async (_, events) => {
    stage.vendor.script({ events });
    const reply = await ask('stream');
    expect(reply).toMatchObject({ text: WHOLE, finish: 'stop', calls: [], reasoning: '' });
    expect(reply.usage).toEqual(streamedUsage);
  });

  it.each(Object.entries(BODIES))('reads a response of a vendor that sends %s', async (_, body) => {
    stage.vendor.script({ body });
    expect(await ask('complete')).toMatchObject({ text: WHOLE, finish: 'stop', calls: [], reasoning: '', usage });
  });

  it.each(Object.entries(TOOL_CHUNKS))('reads streamed tool calls of a vendor that sends %s', async (_, events) => {
    stage.vendor.script({ events });
    expect(await ask('stream')).toMatchObject({
      calls: [
        { id: 'call_0', name: 'first', arguments: { a: 1 } },
        { id: 'call_1', name: 'second', arguments: { a: 1 } },
      ],
      finish: 'tool_calls',
    });
  });

  it('reads a response of a vendor that sends usage null', async () => {
    stage.vendor.script({ body: bodyWith({ usage: null }) });
    const reply = await ask('complete');
    expect(reply.text).toBe(WHOLE);
    // The service counts the tokens itself.
    expect(reply.usage).toMatchObject({ prompt: expect.any(Number), completion: expect.any(Number) });
    expect(reply.usage!.completion).toBeGreaterThan(0);
  });
});
