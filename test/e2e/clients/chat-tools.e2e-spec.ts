import { CHAT_CLIENTS } from '../../support/calls/chat-clients/all-clients.js';
import type { ChatClient, OfferedTool } from '../../support/calls/chat-clients/chat-client.js';
import { MESSAGES_CLIENTS } from '../../support/calls/chat-clients/messages-clients.js';
import { startClientsStage, type ClientsStage } from '../../support/calls/chat-clients/clients-stage.js';
import {
  chatChunk,
  CHAT_TEXT,
  finishChunk,
  goodCompletion,
  usageChunk,
  type ChatScript,
} from '../../support/vendors/scripted-chat-vendor.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

const WEATHER: OfferedTool = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};
const CITY = { city: 'Kyiv "é😀"' };
const WAYS = ['complete', 'stream'] as const;
type Way = (typeof WAYS)[number];

/** A tool call: in pieces as OpenAI streams it, or as in a buffered response. */
function calling(way: Way): ChatScript {
  const args = JSON.stringify(CITY);
  const piece = (fields: object): object => chatChunk({ tool_calls: [{ index: 0, ...fields }] });
  const begun = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } };
  if (way === 'stream')
    return {
      events: [
        chatChunk({ role: 'assistant', content: null }),
        piece(begun),
        ...[args.slice(0, 5), args.slice(5)].map((part) => piece({ function: { arguments: part } })),
        finishChunk('tool_calls'),
        usageChunk(),
        '[DONE]',
      ],
    };
  const message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ ...begun, function: { name: 'weather', arguments: args } }],
  };
  return { body: goodCompletion(message) };
}

let stage: ClientsStage;
beforeAll(async () => (stage = await startClientsStage()));
afterAll(() => stage.stop());

describe.each(Object.entries({ ...CHAT_CLIENTS, ...MESSAGES_CLIENTS }))('%s', (_, clientOf) => {
  let client: ChatClient;
  beforeAll(() => (client = clientOf(stage.access)));

  describe.each(WAYS)('%s', (way) => {
    it('receives tool calls of the built-in model, and returns their results', async () => {
      const request = {
        model: 'builtin/eliza',
        messages: [client.user(`/call weather ${JSON.stringify(CITY)}`)],
        tools: [WEATHER],
      };
      const called = await client[way](request);
      expect(called).toMatchObject({
        calls: [{ id: expect.any(String), name: 'weather', arguments: CITY }],
        finish: 'tool_calls',
      });
      const result = client.toolResult(called.calls[0]!, 'Sunny, 21 degrees');
      const told = await client[way]({ ...request, messages: [...request.messages, ...called.messages, result] });
      expect(told).toMatchObject({ text: expect.stringContaining('Sunny, 21 degrees'), finish: 'stop', calls: [] });
    });

    it('receives tool calls of a vendor, and returns their results', async () => {
      stage.vendor.script(calling(way));
      const request = { model: 'openai/gpt-4o-mini', messages: [client.user('Weather?')], tools: [WEATHER] };
      const called = await client[way](request);
      expect(called).toMatchObject({
        calls: [{ id: 'call_1', name: 'weather', arguments: CITY }],
        finish: 'tool_calls',
      });
      const result = client.toolResult(called.calls[0]!, 'Sunny');
      const told = await client[way]({ ...request, messages: [...request.messages, ...called.messages, result] });
      expect(told.text).toBe(CHAT_TEXT.join(''));
      const { tools, messages } = stage.vendor.seen.at(-1)!.json;
      expect(tools).toMatchObject([
        { type: 'function', function: { name: 'weather', parameters: WEATHER.parameters } },
      ]);
      const [asked, call, answered] = messages;
      expect(asked).toEqual({ role: 'user', content: 'Weather?' });
      expect(call).toMatchObject({ role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function' }] });
      expect(JSON.parse(call.tool_calls[0].function.arguments as string)).toEqual(CITY);
      expect(answered).toMatchObject({ role: 'tool', tool_call_id: 'call_1', content: 'Sunny' });
    });

    it('receives reasoning of a vendor behind a package, and returns it signed if the client can', async () => {
      const { anthropic } = TEXT_VENDORS;
      const reasoning = { text: 'They want the weather', signature: 'c2lnbmF0dXJl/+==' };
      const turn = {
        reasoning,
        text: ['Let me ', 'look'],
        call: { id: 'toolu_1', name: 'weather', input: CITY },
        finish: 'tool_use',
        usage: anthropic.usage,
      };
      stage.anthropic.turn(anthropic, turn, way === 'stream');
      const request = {
        model: 'anthropic/claude-sonnet-4-5',
        messages: [client.user('Weather?')],
        tools: [WEATHER],
        maxTokens: 4_000,
        effort: 'low' as const,
      };
      const called = await client[way](request);
      expect(called).toMatchObject({
        text: 'Let me look',
        reasoning: reasoning.text,
        calls: [{ id: 'toolu_1', name: 'weather', arguments: CITY }],
        finish: 'tool_calls',
      });
      stage.anthropic.turn(
        anthropic,
        { text: ['Sunny'], finish: 'end_turn', usage: anthropic.usage },
        way === 'stream',
      );
      const result = client.toolResult(called.calls[0]!, 'Sunny');
      const told = await client[way]({ ...request, messages: [...request.messages, ...called.messages, result] });
      expect(told.text).toBe('Sunny');
      const [, spoken, answered] = stage.anthropic.seen.at(-1)!.json.messages;
      expect(spoken).toEqual({
        role: 'assistant',
        content: [
          ...(client.returnsReasoning
            ? [{ type: 'thinking', thinking: reasoning.text, signature: reasoning.signature }]
            : []),
          { type: 'text', text: 'Let me look' },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: CITY },
        ],
      });
      expect(answered.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_1' }]);
    });
  });
});
