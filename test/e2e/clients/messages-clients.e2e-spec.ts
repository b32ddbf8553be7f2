import type { ChatClient } from '../../support/calls/chat-clients/chat-client.js';
import { startClientsStage, type ClientsStage } from '../../support/calls/chat-clients/clients-stage.js';
import { MESSAGES_CLIENTS } from '../../support/calls/chat-clients/messages-clients.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

const { anthropic } = TEXT_VENDORS;
const TEXT = ['Hello', ', ', '"world" \n', 'é😀'];

let stage: ClientsStage;
beforeAll(async () => (stage = await startClientsStage()));
afterAll(() => stage.stop());

describe.each(Object.entries(MESSAGES_CLIENTS))('%s', (_, clientOf) => {
  let client: ChatClient;
  beforeAll(() => (client = clientOf(stage.access)));

  it.each(['complete', 'stream'] as const)(
    'shows the text, usage and cost of a call to a vendor of the same format: %s',
    async (way) => {
      const turn = { text: TEXT, finish: 'end_turn', usage: anthropic.usage };
      stage.anthropic.turn(anthropic, turn, way === 'stream');
      const messages = [client.user('Hello')];
      const reply = await client[way]({ model: 'anthropic/claude-sonnet-4-5', messages });
      expect(reply).toMatchObject({ text: TEXT.join(''), finish: 'stop', calls: [], reasoning: '' });
      expect(reply.pieces).toEqual(way === 'stream' ? TEXT : []);
      // 10 × 3 + 300 × 0.3 + 20 × 3.75 + 30 × 6 + 7 × 15 USD per million.
      expect(reply.usage).toEqual({ prompt: 360, completion: 7, cached: 300, reasoning: 0, cost: 0.00048 });
    },
  );
});
