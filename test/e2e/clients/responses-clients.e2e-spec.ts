import type { ChatClient, OfferedTool } from '../../support/calls/chat-clients/chat-client.js';
import { RESPONSES_CLIENTS } from '../../support/calls/responses-clients/all-responses-clients.js';
import {
  callItem,
  goodResponsesScript,
  messageItem,
  reasoningItem,
  responsesScript,
  RESPONSES_USAGE,
} from '../../support/vendors/responses-vendor.js';
import { CHAT_TEXT } from '../../support/vendors/scripted-chat-vendor.js';
import { PIXEL } from '../../support/vendors/scripted-vendor.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

const WAYS = ['complete', 'stream'] as const;
const WHOLE = CHAT_TEXT.join('');
const CITY = { city: 'Kyiv "é😀"' };
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

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage({ env: { WIRE_DIALECT: 'openrouter' } })));
afterAll(() => stage.stop());

describe.each(Object.entries(RESPONSES_CLIENTS))('%s', (_, clientOf) => {
  let client: ChatClient;
  beforeAll(() => (client = clientOf({ baseUrl: `${stage.service.origin}/api/v1`, apiKey: TEST_API_KEY })));
  const seen = () => stage.vendors.openai.seen.at(-1)!;

  describe.each(WAYS)('%s', (way) => {
    it('converses with the built-in model', async () => {
      const reply = await client[way]({ model: 'builtin/eliza', messages: [client.user('Hello')] });
      expect(reply).toMatchObject({ text: 'Hello. What would you like to talk about today?', finish: 'stop' });
      expect(reply.pieces.join('')).toBe(way === 'stream' ? reply.text : '');
    });

    it('converses with a vendor of the same format, piece by piece if streamed', async () => {
      stage.vendors.openai.script(goodResponsesScript(way === 'stream'));
      const reply = await client[way]({ model: 'rules/openai', messages: [client.user('Hello')] });
      expect(reply).toMatchObject({ text: WHOLE, finish: 'stop', calls: [] });
      expect(reply.pieces).toEqual(way === 'stream' ? CHAT_TEXT : []);
      expect(reply.usage).toEqual({ prompt: 11, completion: 7, cached: 4, reasoning: 2, cost: 0.000_025 });
      expect(seen().path).toBe('/v1/responses');
    });

    it.each(['rules/deepinfra', 'rules/anthropic'])('converses with %s, which has another format', async (model) => {
      stage.claude({ text: CHAT_TEXT }, way === 'stream');
      const reply = await client[way]({ model, messages: [client.user('Hello')] });
      if (model === 'rules/deepinfra') stage.anthropic.clear();
      expect(reply).toMatchObject({ text: WHOLE, finish: 'stop', usage: { prompt: expect.any(Number) } });
      expect(reply.pieces.join('')).toBe(way === 'stream' ? WHOLE : '');
    });

    it('receives tool calls of the built-in model, and returns their results', async () => {
      const messages = [client.user(`/call weather ${JSON.stringify(CITY)}`)];
      const request = { model: 'builtin/eliza', messages, tools: [WEATHER] };
      const called = await client[way](request);
      expect(called).toMatchObject({ calls: [{ name: 'weather', arguments: CITY }], finish: 'tool_calls' });
      const result = client.toolResult(called.calls[0]!, 'Sunny, 21 degrees');
      const told = await client[way]({ ...request, messages: [...messages, ...called.messages, result] });
      expect(told).toMatchObject({ text: expect.stringContaining('Sunny, 21 degrees'), finish: 'stop', calls: [] });
    });

    it('returns tool calls, results and reasoning to a vendor of the same format', async () => {
      const items = [reasoningItem('Look it up'), callItem('weather', CITY)];
      stage.vendors.openai.script(responsesScript(items, way === 'stream'));
      const request = { model: 'rules/openai', messages: [client.user('Weather?')], tools: [WEATHER] };
      const called = await client[way](request);
      expect(called).toMatchObject({
        reasoning: 'Look it up',
        calls: [{ id: 'call_1', name: 'weather', arguments: CITY }],
        finish: 'tool_calls',
      });
      const result = client.toolResult(called.calls[0]!, 'Sunny');
      await client[way]({ ...request, messages: [...request.messages, ...called.messages, result] });
      const { tools, input, store } = seen().json;
      expect(store).toBe(false);
      expect(tools).toMatchObject([{ type: 'function', name: 'weather', parameters: WEATHER.parameters }]);
      expect(input.slice(1)).toMatchObject([
        { type: 'reasoning', encrypted_content: 'gAAAA-sealed' },
        { type: 'function_call', call_id: 'call_1', name: 'weather' },
        { type: 'function_call_output', call_id: 'call_1' },
      ]);
    });

    it('returns reasoning with its signature to a vendor of another format', async () => {
      const reasoning = { text: 'They want the weather', signature: 'c2lnbmF0dXJl/+==' };
      const call = { id: 'toolu_1', name: 'weather', input: CITY };
      stage.claude({ reasoning, text: ['Let me ', 'look'], call, finish: 'tool_use' }, way === 'stream');
      const request = {
        model: 'rules/anthropic',
        messages: [client.user('Weather?')],
        tools: [WEATHER],
        maxTokens: 4_000,
        effort: 'low' as const,
      };
      const called = await client[way](request);
      expect(called).toMatchObject({ text: 'Let me look', calls: [{ id: 'toolu_1', arguments: CITY }] });
      stage.claude({ text: ['Sunny'], usage: TEXT_VENDORS.anthropic.usage }, way === 'stream');
      const result = client.toolResult(called.calls[0]!, 'Sunny');
      const told = await client[way]({ ...request, messages: [...request.messages, ...called.messages, result] });
      expect(told.text).toBe('Sunny');
      const [, spoken, answered] = stage.anthropic.seen.at(-1)!.json.messages;
      expect(spoken.content).toEqual([
        { type: 'thinking', thinking: reasoning.text, signature: reasoning.signature },
        { type: 'text', text: 'Let me look' },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: CITY },
      ]);
      expect(answered.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_1' }]);
    });

    it('sends a picture, and parses the response to a request with a schema', async () => {
      const url = `data:image/png;base64,${PIXEL}`;
      const json = '{"city":"Kyiv"}';
      stage.vendors.openai.script(responsesScript([messageItem(json)], way === 'stream'));
      const messages = [client.user('Where?', url)];
      const reply = await client[way]({ model: 'rules/openai', messages, schema: WEATHER.parameters });
      expect(reply.object).toEqual({ city: 'Kyiv' });
      const { input, text } = seen().json;
      expect(input[0].content).toMatchObject([
        { type: 'input_text', text: 'Where?' },
        { type: 'input_image', image_url: url },
      ]);
      expect(text.format).toMatchObject({ type: 'json_schema', schema: WEATHER.parameters });
    });

    it('ends at a bound of output tokens', async () => {
      const more = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
      const script = responsesScript([messageItem('Hel')], way === 'stream', { more, last: 'response.incomplete' });
      stage.vendors.openai.script(script);
      const reply = await client[way]({ model: 'rules/openai', messages: [client.user('Hello')], maxTokens: 16 });
      expect(reply).toMatchObject({ text: 'Hel', finish: expect.stringMatching(/^(max_output_tokens|length)$/) });
      expect(seen().json.max_output_tokens).toBe(16);
      expect(reply.usage).toMatchObject({ completion: RESPONSES_USAGE.output_tokens });
    });
  });
});
