import {
  aPricedEndpoint,
  callStream,
  chunksRead,
  PRICES,
  startChatMoneyStage,
  type ChatMoneyStage,
} from '../../support/money/chat-money-stage.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { streamEvents } from '../../support/vendors/scripted-chat-vendor.js';
import { teach } from '../../support/catalogue/test-catalogue.js';

const TIERED = 'acme/tiered';

let stage: ChatMoneyStage;
beforeAll(async () => {
  stage = await startChatMoneyStage();
  const tiers = [{ minPromptTokens: 201, prompt: '0.000006', completion: '0.00003' }];
  teach(stage.service, {
    [TIERED]: [aPricedEndpoint('openai', { tokenPrices: { ...PRICES, tiers } })],
  });
});
afterAll(async () => {
  expectBalanced(await readBooks(stage.service.sql));
  await stage.stop();
});

const priceOf = async (usage: object, body: object = {}): Promise<bigint> => {
  stage.vendor.script({ events: streamEvents(1, usage) });
  const caller = await callStream(stage.service, {
    model: TIERED,
    messages: [{ role: 'user', content: 'word '.repeat(50) }],
    ...body,
  });
  const last = chunksRead(await caller.readAll()).at(-1);
  const { cost } = await stage.recorded(caller.generationId);
  expect(BigInt(Math.round(last.usage.cost * 1e9))).toBe(cost);
  return cost;
};

describe('a price with tiers', () => {
  it('is the price of the first tier up to its last prompt token', async () => {
    // 200 × 3,000 + 10 × 15,000
    expect(await priceOf({ prompt_tokens: 200, completion_tokens: 10 })).toBe(750_000n);
  });

  it('is the price of the next tier from its first prompt token on, for the whole request and its output', async () => {
    // 201 × 6,000 + 10 × 30,000
    expect(await priceOf({ prompt_tokens: 201, completion_tokens: 10 })).toBe(1_506_000n);
  });
});
