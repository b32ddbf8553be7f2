import type { TokenPriceList } from '../../catalogue/token-price-list.js';
import { priceTokens } from './token-price.js';
import { NO_USAGE, type VendorUsage } from '../../formats/usage.js';
import {
  mergeMessagesUsage,
  readGenerateContentUsage,
  readLanguageModelUsage,
  readMessagesUsage,
} from '../../formats/usage-readers.js';

// Prices per token in nano-dollars (n), as prompt · completion · others. $1 per million tokens is 1,000 n per token.
// The expected prices of calls were calculated by hand.
/** 3,000 n · 15,000 n · cached 300 n · written 3,750 n and 6,000 n · 10,000,000 n per search. */
const MESSAGES: TokenPriceList = {
  prompt: '0.000003',
  completion: '0.000015',
  cacheRead: '0.0000003',
  cacheWrite: '0.00000375',
  cacheWrite1h: '0.000006',
  webSearch: '0.01',
};
/** 3,000 n · 15,000 n · written 3,750 n. */
const ONE_WRITE = { prompt: '0.000003', completion: '0.000015', cacheWrite: '0.00000375' };
/** 2,500 n · 10,000 n · cached 1,250 n. */
const CHAT = { prompt: '0.0000025', completion: '0.00001', cacheRead: '0.00000125' };
/** 1,250 n · 10,000 n · cached 310 n; above 200,000 tokens 2,500 n · 15,000 n · 625 n. */
const TIERED: TokenPriceList = {
  prompt: '0.00000125',
  completion: '0.00001',
  cacheRead: '0.00000031',
  tiers: [{ minPromptTokens: 200_001, prompt: '0.0000025', completion: '0.000015', cacheRead: '0.000000625' }],
};
/** 300 n · 2,500 n · cached 30 n · audio 1,000 n · pictures 30,000 n per token. */
const MEDIA = {
  prompt: '0.0000003',
  completion: '0.0000025',
  cacheRead: '0.00000003',
  inputAudio: '0.000001',
  outputImage: '0.00003',
};

type Row = readonly [about: string, usage: object, prices: TokenPriceList, nano: bigint | undefined];

function priceOf({ counts, faults }: VendorUsage, prices: TokenPriceList): bigint | undefined {
  expect(faults).toEqual({});
  if (counts.prompt === undefined || counts.completion === undefined) return undefined;
  return priceTokens(prices, { ...NO_USAGE, ...counts }, 0).price;
}

describe('the price of a message', () => {
  const plain = { input_tokens: 100, output_tokens: 50 };
  const written = (fiveMinutes: number, oneHour: number): object => ({
    cache_creation_input_tokens: fiveMinutes + oneHour,
    cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour },
  });
  it.each<Row>([
    // 100 × 3,000 + 50 × 15,000
    ['without a cache', plain, MESSAGES, 1_050_000n],
    ['with explicit zeros', { ...plain, cache_read_input_tokens: 0, ...written(0, 0) }, MESSAGES, 1_050_000n],
    // + 9000 × 300
    ['with a cache read', { ...plain, cache_read_input_tokens: 9000 }, MESSAGES, 3_750_000n],
    // + 2000 × 3,750
    ['with a cache write', { ...plain, cache_creation_input_tokens: 2000 }, MESSAGES, 8_550_000n],
    // + 500 × 3,750 + 1500 × 6,000
    ['with writes of both lifetimes', { ...plain, ...written(500, 1500) }, MESSAGES, 11_925_000n],
    // + 2000 × 6,000
    ['with a write for an hour', { ...plain, ...written(0, 2000) }, MESSAGES, 13_050_000n],
    // + 9000 × 300 + 500 × 3,750 + 1500 × 6,000
    [
      'with a cache read and all writes',
      { ...plain, cache_read_input_tokens: 9000, ...written(500, 1500) },
      MESSAGES,
      14_625_000n,
    ],
    // + 2 × 10,000,000
    ['with searches', { ...plain, server_tool_use: { web_search_requests: 2 } }, MESSAGES, 21_050_000n],
    // 100 × 3,000 + 2000 × 3,750 + 50 × 15,000
    ['if one-hour writes have no separate price', { ...plain, ...written(0, 2000) }, ONE_WRITE, 8_550_000n],
    // 100 × 2,500 + 2000 × 2,500 + 50 × 10,000
    ['if writes have no price', { ...plain, ...written(1500, 500) }, CHAT, 5_750_000n],
    ['without tokens', { input_tokens: 0, output_tokens: 0 }, MESSAGES, 0n],
    ['without an input count', { input_tokens: null, output_tokens: 50 }, MESSAGES, undefined],
  ])('%s', (_, usage, prices, nano) => {
    expect(priceOf(readMessagesUsage(usage), prices)).toBe(nano);
  });

  it('uses the last report of each count in a stream', () => {
    const events = [
      { input_tokens: 100, cache_read_input_tokens: 9000, cache_creation_input_tokens: 0, output_tokens: 1 },
      { output_tokens: 20 },
      { input_tokens: null, output_tokens: 50 },
    ];
    const usage = events.reduce<object>(mergeMessagesUsage, {});
    expect(priceOf(readMessagesUsage(usage), MESSAGES)).toBe(3_750_000n);
  });
});

const generated = (promptTokenCount: number, totalTokenCount: number, rest: object = {}): object => ({
  promptTokenCount,
  totalTokenCount,
  ...rest,
});
const audio = (tokenCount: number): object[] => [
  { modality: 'TEXT', tokenCount: 1 },
  { modality: 'AUDIO', tokenCount },
];

describe('the price of generated content', () => {
  const candidates = { candidatesTokenCount: 100 };
  it.each<Row>([
    // 1000 × 1,250 + 100 × 10,000
    ['without details', generated(1000, 1100, candidates), TIERED, 2_250_000n],
    // 1000 × 1,250 + 500 × 10,000
    ['with thoughts', generated(1000, 1500, { ...candidates, thoughtsTokenCount: 400 }), TIERED, 6_250_000n],
    // 200 × 1,250 + 800 × 310 + 100 × 10,000
    ['with cached content', generated(1000, 1100, { ...candidates, cachedContentTokenCount: 800 }), TIERED, 1_498_000n],
    // 1300 × 1,250 + 100 × 10,000
    ['with tool use', generated(1000, 1400, { ...candidates, toolUsePromptTokenCount: 300 }), TIERED, 2_625_000n],
    // 200,000 × 1,250 + 100 × 10,000
    ['at the end of a tier', generated(200_000, 200_100, candidates), TIERED, 251_000_000n],
    // 200,001 × 2,500 + 100 × 15,000
    ['in the next tier, including the output', generated(200_001, 200_101, candidates), TIERED, 501_502_500n],
    // 10,000 × 2,500 + 240,000 × 625 + 100 × 15,000
    [
      'in the next tier by cached content',
      generated(250_000, 250_100, { ...candidates, cachedContentTokenCount: 240_000 }),
      TIERED,
      176_500_000n,
    ],
    // 400 × 300 + 600 × 1,000 + 100 × 2,500
    ['with audio', generated(1000, 1100, { ...candidates, promptTokensDetails: audio(600) }), MEDIA, 970_000n],
    // 200 × 300 + 500 × 30 + 300 × 1,000 + 100 × 2,500
    [
      'with audio, half of it cached',
      generated(1000, 1100, {
        ...candidates,
        promptTokensDetails: audio(600),
        cachedContentTokenCount: 500,
        cacheTokensDetails: audio(300),
      }),
      MEDIA,
      625_000n,
    ],
    // 10 × 300 + 10 × 2,500 + 1290 × 30,000
    [
      'with a picture',
      generated(10, 1310, {
        candidatesTokenCount: 1300,
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
      }),
      MEDIA,
      38_728_000n,
    ],
    // 1000 × 1,250 + 50 × 10,000
    ['with thoughts alone', generated(1000, 1050, { thoughtsTokenCount: 50 }), TIERED, 1_750_000n],
    // 1000 × 1,250
    ['without output', generated(1000, 1000), TIERED, 1_250_000n],
    ['without usage', {}, TIERED, undefined],
  ])('%s', (_, usage, prices, nano) => {
    expect(priceOf(readGenerateContentUsage(usage), prices)).toBe(nano);
  });
});

describe('the price of the usage that a package reports', () => {
  const out = { total: 50, text: 50, reasoning: undefined };
  const written = { total: 2100, noCache: 100, cacheRead: undefined, cacheWrite: 2000 };
  const split = { cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 1500 } };
  it.each<Row>([
    // 200 × 2,500 + 800 × 1,250 + 200 × 10,000
    [
      'with cached tokens',
      { inputTokens: { total: 1000, noCache: 200, cacheRead: 800 }, outputTokens: { total: 200, text: 200 } },
      CHAT,
      3_500_000n,
    ],
    [
      'with parts, without totals',
      { inputTokens: { noCache: 200, cacheRead: 800 }, outputTokens: { text: 50, reasoning: 150 } },
      CHAT,
      3_500_000n,
    ],
    // 100 × 3,000 + 2000 × 3,750 + 50 × 15,000
    ['with a cache write', { inputTokens: written, outputTokens: out }, MESSAGES, 8_550_000n],
    // 100 × 3,000 + 500 × 3,750 + 1500 × 6,000 + 50 × 15,000
    [
      'with writes split in the raw part',
      { inputTokens: written, outputTokens: out, raw: split },
      MESSAGES,
      11_925_000n,
    ],
    // 1000 × 1,250 + 500 × 10,000
    [
      'with reasoning inside the output',
      { inputTokens: { total: 1000 }, outputTokens: { total: 500, text: 100, reasoning: 400 } },
      TIERED,
      6_250_000n,
    ],
    [
      'with reasoning in addition to the output',
      { inputTokens: { total: 1000 }, outputTokens: { total: 100, text: 100, reasoning: 400 } },
      TIERED,
      6_250_000n,
    ],
    ['without usage', { inputTokens: {}, outputTokens: {} }, CHAT, undefined],
  ])('%s', (_, usage, prices, nano) => {
    expect(priceOf(readLanguageModelUsage(usage), prices)).toBe(nano);
  });

  it('uses the raw report if its format is known', () => {
    const raw = generated(1000, 1100, { candidatesTokenCount: 100, promptTokensDetails: audio(600) });
    const usage = { inputTokens: { total: 1000 }, outputTokens: { total: 100 }, raw };
    expect(priceOf(readLanguageModelUsage(usage, readGenerateContentUsage), MEDIA)).toBe(970_000n);
  });
});
