import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenRouter } from '@langchain/openrouter';
import { CHAT_CLIENTS } from '../../support/calls/chat-clients/all-clients.js';
import type { ChatClient } from '../../support/calls/chat-clients/chat-client.js';
import { MESSAGES_CLIENTS } from '../../support/calls/chat-clients/messages-clients.js';
import { startClientsStage, type ClientsStage } from '../../support/calls/chat-clients/clients-stage.js';
import {
  chatChunk,
  CHAT_TEXT,
  goodCompletion,
  goodEvents,
  usageChunk,
} from '../../support/vendors/scripted-chat-vendor.js';
import { PIXEL } from '../../support/vendors/scripted-vendor.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

const VENDOR_MODEL = 'openai/gpt-4o-mini';
const WHOLE = CHAT_TEXT.join('');
const PLACE = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
  additionalProperties: false,
};
const WAYS = ['complete', 'stream'] as const;

let stage: ClientsStage;
beforeAll(async () => (stage = await startClientsStage()));
afterAll(() => stage.stop());

describe.each(Object.entries({ ...CHAT_CLIENTS, ...MESSAGES_CLIENTS }))('%s', (name, clientOf) => {
  let client: ChatClient;
  beforeAll(() => (client = clientOf(stage.access)));
  const ask = (text: string, image?: string) => ({ model: VENDOR_MODEL, messages: [client.user(text, image)] });

  describe.each(WAYS)('%s', (way) => {
    it('chats with the built-in model', async () => {
      const reply = await client[way]({ ...ask('Hello'), model: 'builtin/eliza' });
      expect(reply).toMatchObject({ text: 'Hello. What would you like to talk about today?', finish: 'stop' });
      expect(reply.pieces.join('')).toBe(way === 'stream' ? reply.text : '');
    });

    it('chats with a vendor, piece by piece if streamed', async () => {
      const reply = await client[way](ask('Hello'));
      expect(reply).toMatchObject({ text: WHOLE, finish: 'stop', calls: [], reasoning: '' });
      expect(reply.pieces).toEqual(way === 'stream' ? CHAT_TEXT : []);
      expect(stage.vendor.seen.at(-1)!.json).toMatchObject({
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: 'Hello' }],
        ...(way === 'stream' ? { stream: true } : {}),
      });
    });

    it('parses the JSON of a response to a request with a schema', async () => {
      const json = '{"city":"Kyiv","people":3000000}';
      stage.vendor.script(
        way === 'stream' ? { events: goodEvents([json]) } : { body: goodCompletion({ content: json }) },
      );
      const reply = await client[way]({ ...ask('Where?'), schema: PLACE });
      expect(reply.object).toEqual({ city: 'Kyiv', people: 3_000_000 });
      expect(stage.vendor.seen.at(-1)!.json.response_format).toMatchObject({
        type: 'json_schema',
        json_schema: { schema: PLACE },
      });
      const { object } = await client[way]({ ...ask('Where?'), model: 'builtin/eliza', schema: PLACE });
      expect(object).toEqual({ city: expect.any(String), people: expect.any(Number) });
    });

    it('sends a picture', async () => {
      const url = `data:image/png;base64,${PIXEL}`;
      await client[way](ask('What is this?', url));
      expect(stage.vendor.seen.at(-1)!.json.messages).toMatchObject([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ]);
    });

    it('sends a picture to a vendor behind a package', async () => {
      const { anthropic } = TEXT_VENDORS;
      const turn = { text: ['A pixel'], finish: 'end_turn', usage: anthropic.usage };
      stage.anthropic.turn(anthropic, turn, way === 'stream');
      const request = {
        ...ask('What is this?', `data:image/png;base64,${PIXEL}`),
        model: 'anthropic/claude-sonnet-4-5',
      };
      expect(await client[way](request)).toMatchObject({ text: 'A pixel', finish: 'stop' });
      const [{ content }] = stage.anthropic.seen.at(-1)!.json.messages;
      expect(content).toMatchObject([
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
      ]);
    });

    it('shows the reasoning of a vendor', async () => {
      const reasoning_content = 'First,  think.\n';
      stage.vendor.script(
        way === 'stream'
          ? { events: [chatChunk({ role: 'assistant', reasoning_content }), ...goodEvents()] }
          : { body: goodCompletion({ role: 'assistant', content: WHOLE, reasoning_content }) },
      );
      expect(await client[way](ask('Hello'))).toMatchObject({ text: WHOLE, reasoning: reasoning_content });
    });

    it('shows the usage and the cost', async () => {
      const usage = {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 5 },
      };
      stage.vendor.script(
        way === 'stream'
          ? { events: [...goodEvents().slice(0, -2), usageChunk(usage), '[DONE]'] }
          : { body: { ...(goodCompletion() as object), usage } },
      );
      const reply = await client[way](ask('Hello'));
      // 60 × 0.15 + 40 × 0.075 + 20 × 0.6 USD per million.
      const shown = { prompt: 100, completion: 20, cached: 40, reasoning: 5, cost: 0.000024 };
      // This client skips chunks without choices.
      expect(reply.usage).toEqual(name === '@langchain/openrouter' && way === 'stream' ? undefined : shown);
    });
  });
});

describe('@langchain/openrouter', () => {
  it('shows the usage of a stream in its events', async () => {
    const model = new ChatOpenRouter({
      model: VENDOR_MODEL,
      apiKey: stage.access.apiKey,
      baseURL: stage.access.baseUrl,
    });
    const events = [];
    for await (const event of model.streamEvents([new HumanMessage('Hello')])) events.push(event);
    expect(events).toContainEqual({
      event: 'usage',
      usage: expect.objectContaining({ input_tokens: 11, output_tokens: 7, total_tokens: 18 }),
    });
  });
});
