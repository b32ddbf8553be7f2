import type { TokenPriceList } from '../../src/catalogue/token-price-list.js';
import { priceTokens } from '../../src/inference/text/token-price.js';
import { NO_USAGE } from '../../src/formats/usage.js';
import { readUsage } from '../../src/formats/read-usage.js';
import {
  aConversation,
  aTextCall,
  deltasOf,
  startScriptedTextVendor,
} from '../support/vendors/scripted-text-vendor.js';
import { TEXT_VENDORS } from '../support/vendors/text-vendor-formats.js';

// The price of each vendor's usage through its package, in nano-dollars. All prices were calculated by hand.
/**
 * In nano-dollars: prompt 3,000, completion 15,000, cache read 300, cache write 3,750 and 6,000, reasoning 20,000,
 * audio 4,000. Above 10,000 prompt tokens: prompt 6,000, completion 22,500, cache read 600.
 */
const PRICES: TokenPriceList = {
  prompt: '0.000003',
  completion: '0.000015',
  cacheRead: '0.0000003',
  cacheWrite: '0.00000375',
  cacheWrite1h: '0.000006',
  reasoning: '0.00002',
  inputAudio: '0.000004',
  tiers: [{ minPromptTokens: 10_001, prompt: '0.000006', completion: '0.0000225', cacheRead: '0.0000006' }],
};

const claude = (rest: object): object => ({ input_tokens: 100, output_tokens: 50, ...rest });
const converse = (rest: object): object => ({ inputTokens: 100, outputTokens: 50, totalTokens: 150, ...rest });
const gemini = (prompt: number, candidates: number, rest: object = {}): object => ({
  promptTokenCount: prompt,
  candidatesTokenCount: candidates,
  totalTokenCount: prompt + candidates,
  ...rest,
});
const mistral = (prompt: number, completion: number, rest: object = {}): object => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...rest,
});
const billed = (input: number, output: number): object => ({
  tokens: { input_tokens: input + 40, output_tokens: output + 2 },
  billed_units: { input_tokens: input, output_tokens: output },
});

type Row = readonly [vendor: keyof typeof TEXT_VENDORS, about: string, usage: object, nano: bigint];
const ROWS: readonly Row[] = [
  // 100 × 3,000 + 50 × 15,000
  ['anthropic', 'no cache', claude({}), 1_050_000n],
  // + 9,000 × 300
  ['anthropic', 'a cache read', claude({ cache_read_input_tokens: 9_000 }), 3_750_000n],
  // + 2,000 × 3,750
  ['anthropic', 'a cache write', claude({ cache_creation_input_tokens: 2_000 }), 8_550_000n],
  // + 500 × 3,750 + 1,500 × 6,000
  [
    'anthropic',
    'cache writes of 5 m and 1 h',
    claude({
      cache_creation_input_tokens: 2_000,
      cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 1_500 },
    }),
    11_925_000n,
  ],
  // 100 × 3,000 + 9,900 × 300 + 50 × 15,000
  ['anthropic', 'the last token of a tier', claude({ cache_read_input_tokens: 9_900 }), 4_020_000n],
  // 100 × 6,000 + 9,901 × 600 + 50 × 22,500
  ['anthropic', 'the first token of the next tier', claude({ cache_read_input_tokens: 9_901 }), 7_665_600n],
  ['anthropic', 'zeros', claude({ input_tokens: 0, output_tokens: 0 }), 0n],
  // 100 × 3,000 + 50 × 15,000
  ['bedrock', 'no cache', converse({}), 1_050_000n],
  // + 9,000 × 300
  ['bedrock', 'a cache read', converse({ cacheReadInputTokens: 9_000, totalTokens: 9_150 }), 3_750_000n],
  // + 2,000 × 3,750
  ['bedrock', 'a cache write', converse({ cacheWriteInputTokens: 2_000, totalTokens: 2_150 }), 8_550_000n],
  // + 500 × 3,750 + 1,500 × 6,000
  [
    'bedrock',
    'cache writes of 5 m and 1 h',
    converse({
      cacheWriteInputTokens: 2_000,
      totalTokens: 2_150,
      cacheDetails: [
        { ttl: '5m', inputTokens: 500 },
        { ttl: '1h', inputTokens: 1_500 },
      ],
    }),
    11_925_000n,
  ],
  ['bedrock', 'zeros', converse({ inputTokens: 0, outputTokens: 0, totalTokens: 0 }), 0n],
  // 1,000 × 3,000 + 100 × 15,000
  ['google', 'no details', gemini(1_000, 100), 4_500_000n],
  // 200 × 3,000 + 800 × 300 + 100 × 15,000 + 400 × 20,000
  [
    'google',
    'cached content, and thoughts in addition to the candidates',
    gemini(1_000, 100, { cachedContentTokenCount: 800, thoughtsTokenCount: 400, totalTokenCount: 1_500 }),
    10_340_000n,
  ],
  // 400 × 3,000 + 600 × 4,000 + 100 × 15,000
  [
    'google',
    'audio',
    gemini(1_000, 100, {
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 400 },
        { modality: 'AUDIO', tokenCount: 600 },
      ],
    }),
    5_100_000n,
  ],
  // 10,001 × 6,000 + 10 × 22,500
  ['google', 'the next tier, output too', gemini(10_001, 10), 60_231_000n],
  ['google', 'zeros', gemini(0, 0), 0n],
  // 100 × 3,000 + 7 × 15,000
  ['mistral', 'no details', mistral(100, 7), 405_000n],
  // 60 × 3,000 + 40 × 300 + 7 × 15,000
  ['mistral', 'cached tokens', mistral(100, 7, { num_cached_tokens: 40 }), 297_000n],
  ['mistral', 'zeros', mistral(0, 0), 0n],
  // 100 × 3,000 + 7 × 15,000: the billed units, not the tokens
  ['cohere', 'billed units', billed(100, 7), 405_000n],
  // 10,001 × 6,000 + 10 × 22,500
  ['cohere', 'the next tier', billed(10_001, 10), 60_231_000n],
  ['cohere', 'zeros', billed(0, 0), 0n],
];

describe('the price of a call through the package of its vendor', () => {
  let vendor: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  beforeAll(async () => {
    vendor = await startScriptedTextVendor();
  });
  afterAll(() => vendor.close());

  const reported = async (name: Row[0], usage: object, streamed: boolean): Promise<ReturnType<typeof readUsage>> => {
    const format = TEXT_VENDORS[name];
    vendor.turn(format, { text: ['Hi'], finish: format.stop, usage }, streamed);
    const response = await vendor.text.converse(aTextCall(format, aConversation(), { streamed }));
    await deltasOf(response);
    return readUsage(response.usageFormat, response.usage());
  };

  it.each(ROWS.flatMap((row) => [false, true].map((streamed) => [...row, streamed] as const)))(
    '%s: %s',
    async (name, _, usage, nano, streamed) => {
      const { counts, faults } = (await reported(name, usage, streamed))!;
      expect(faults).toEqual({});
      expect(Object.keys(counts)).toEqual(expect.arrayContaining(['prompt', 'completion']));
      expect(priceTokens(PRICES, { ...NO_USAGE, ...counts }, 0).price).toBe(nano);
    },
  );

  it('is unknown if the vendor reports no usage, because a count of tokens is missing', async () => {
    for (const streamed of [false, true]) {
      const report = await reported('google', undefined as unknown as object, streamed);
      expect(report?.counts.prompt === undefined || report.counts.completion === undefined).toBe(true);
    }
  });
});
