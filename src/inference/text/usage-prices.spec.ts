import type { TokenPriceList } from '../../catalogue/token-price-list.js';
import { chatUsageOf } from '../../formats/chat/chunk-members.js';
import { priceTokens } from './token-price.js';
import { NO_USAGE } from '../../formats/usage.js';
import {
  readChatUsage,
  readEmbeddingsUsage,
  readResponsesUsage,
  type UsageParser,
} from '../../formats/usage-readers.js';

// Prices per token in nano-dollars (n), as prompt · completion · others. $1 per million tokens is 1,000 n per token.
// The expected prices of calls were calculated by hand.
/** 2,500 n · 10,000 n · cached 1,250 n. */
const CHAT: TokenPriceList = { prompt: '0.0000025', completion: '0.00001', cacheRead: '0.00000125' };
/** 2,500 n · 10,000 n · audio in 40,000 n, out 80,000 n. */
const AUDIO = { prompt: '0.0000025', completion: '0.00001', inputAudio: '0.00004', outputAudio: '0.00008' };
/** 400 n · 1,200 n · reasoning 4,000 n. */
const THINKING = { prompt: '0.0000004', completion: '0.0000012', reasoning: '0.000004' };
/** 300 n · 2,500 n · pictures 30,000 n per token. */
const PICTURES = { prompt: '0.0000003', completion: '0.0000025', outputImage: '0.00003' };
/** 1,000 n · 1,000 n · 5,000,000 n per request. */
const FEE = { prompt: '0.000001', completion: '0.000001', request: '0.005' };
/** 2,000 n · 8,000 n · 5,000,000 n per search. */
const SEARCH = { prompt: '0.000002', completion: '0.000008', webSearch: '0.005' };
/** 3,000 n · 15,000 n · cached 300 n · written 3,750 n for five minutes, 6,000 n for an hour. */
const CACHING = {
  prompt: '0.000003',
  completion: '0.000015',
  cacheRead: '0.0000003',
  cacheWrite: '0.00000375',
  cacheWrite1h: '0.000006',
};
/** 3,000 n · 15,000 n · cached 750 n. */
const BESIDE = { prompt: '0.000003', completion: '0.000015', cacheRead: '0.00000075' };
/** 270 n · 1,100 n · cached 70 n; from 16:30 to 00:30 UTC, half of these prices. */
const HOURS: TokenPriceList = {
  prompt: '0.00000027',
  completion: '0.0000011',
  cacheRead: '0.00000007',
  tiers: [{ utcStart: 1630, utcEnd: 30, prompt: '0.000000135', completion: '0.00000055', cacheRead: '0.000000035' }],
};
/** 59.5 n · 79.8 n. */
const FRACTIONS = { prompt: '0.0000000595', completion: '0.0000000798' };
/** 20 n. */
const EMBED = { prompt: '0.00000002', completion: '0' };
const FINE_EMBED = { prompt: '0.00000000015', completion: '0' };

const NOON = Date.UTC(2026, 10, 23, 12, 0);
const chat = (prompt_tokens: unknown, completion_tokens: unknown, rest: object = {}): object => ({
  prompt_tokens,
  completion_tokens,
  ...rest,
});
const cached = (cached_tokens: unknown, rest: object = {}): object => ({
  prompt_tokens_details: { cached_tokens, ...rest },
});
const reasoned = (reasoning_tokens: unknown, total_tokens?: number): object => ({
  total_tokens,
  completion_tokens_details: { reasoning_tokens },
});

type Row = readonly [about: string, usage: unknown, prices: TokenPriceList, nano: bigint | undefined];

function priceOf(read: UsageParser, [, usage, prices]: Row, at = NOON): bigint | undefined {
  const { counts, faults } = read(usage);
  expect(faults).toEqual({});
  if (counts.prompt === undefined || counts.completion === undefined) return undefined;
  return priceTokens(prices, { ...NO_USAGE, ...counts }, at).price;
}

describe('the price of a chat completion', () => {
  it.each<Row>([
    // 1000 × 2,500 + 200 × 10,000
    ['without details', chat(1000, 200, { total_tokens: 1200 }), CHAT, 4_500_000n],
    ['with details that are null', chat(1000, 200, { prompt_tokens_details: null }), CHAT, 4_500_000n],
    ['with counts that are null', chat(1000, 200, { ...cached(null), ...reasoned(null) }), CHAT, 4_500_000n],
    ['with nothing cached', chat(1000, 200, cached(0)), CHAT, 4_500_000n],
    // 200 × 2,500 + 800 × 1,250 + 200 × 10,000
    ['with cached tokens', chat(1000, 200, cached(800)), CHAT, 3_500_000n],
    ['with cached tokens next to the details', chat(1000, 200, { cached_tokens: 800 }), CHAT, 3_500_000n],
    ['with reasoning inside the completion, at one price', chat(1000, 200, reasoned(150, 1200)), CHAT, 4_500_000n],
    // 1000 × 400 + 50 × 1,200 + 150 × 4,000
    ['with reasoning inside the completion, at two prices', chat(1000, 200, reasoned(150, 1200)), THINKING, 1_060_000n],
    // 700 × 2,500 + 300 × 40,000 + 100 × 10,000 + 400 × 80,000
    [
      'with audio',
      chat(1000, 500, {
        prompt_tokens_details: { audio_tokens: 300 },
        completion_tokens_details: { audio_tokens: 400 },
      }),
      AUDIO,
      46_750_000n,
    ],
    // 1000 × 2,500 + 500 × 10,000
    [
      'with audio that has no price',
      chat(1000, 500, { prompt_tokens_details: { audio_tokens: 300 } }),
      CHAT,
      7_500_000n,
    ],
    // 10 × 300 + 10 × 2,500 + 1290 × 30,000
    ['with a picture', chat(10, 1300, { completion_tokens_details: { image_tokens: 1290 } }), PICTURES, 38_728_000n],
    ['without tokens', chat(0, 0, { total_tokens: 0 }), CHAT, 0n],
    // 20 × 1,000 + 300 × 1,000 + 5,000,000
    ['with a request fee', chat(20, 300), FEE, 5_320_000n],
    // 20 × 2,000 + 300 × 8,000 + 3 × 5,000,000
    ['with searches', chat(20, 300, { num_search_queries: 3 }), SEARCH, 17_440_000n],
    // 0 × 2,500 + 300 × 1,250 + 10 × 10,000
    ['with more cached tokens than prompt tokens', chat(100, 10, cached(300)), CHAT, 475_000n],
    // 500 × 3,000 + 1000 × 300 + 500 × 3,750 + 100 × 15,000
    ['with a cache write', chat(2000, 100, cached(1000, { cache_write_tokens: 500 })), CACHING, 5_175_000n],
    // 800 × 3,000 + 200 × 3,750 + 1000 × 6,000 + 10 × 15,000
    [
      'with cache writes of both lifetimes',
      chat(2000, 10, {
        prompt_tokens_details: {
          cache_creation_input_tokens: 1200,
          cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 1000 },
        },
      }),
      CACHING,
      9_300_000n,
    ],
    // 3 × 59.5 + 79.8 = 258.3
    ['in fractions, rounded down once', chat(3, 1), FRACTIONS, 258n],
    // 59.5
    ['in fractions, a half rounded up', chat(1, 0), FRACTIONS, 60n],
    // 59.5 + 2 × 79.8 = 219.1; rounding each part would give 220
    ['in fractions, not rounded by part', chat(1, 2), FRACTIONS, 219n],
    ['without usage', undefined, CHAT, undefined],
    ['without a completion count', chat(1000, null), CHAT, undefined],
  ])('%s', (...row) => {
    expect(priceOf(readChatUsage, row)).toBe(row[3]);
  });
});

describe('the price of reasoning that is counted in addition to the completion', () => {
  it.each<Row>([
    // 1000 × 3,000 + (50 + 400) × 15,000
    ['if the total shows the addition', chat(1000, 50, reasoned(400, 1450)), BESIDE, 9_750_000n],
    // 400 × 3,000 + 600 × 750 + 450 × 15,000
    ['with cached tokens', chat(1000, 50, { ...reasoned(400, 1450), ...cached(600) }), BESIDE, 8_400_000n],
    // 1000 × 3,000 + 450 × 15,000
    ['except if the total counts reasoning only once', chat(1000, 450, reasoned(400, 1450)), BESIDE, 9_750_000n],
    ['except if there is no total', chat(1000, 450, reasoned(400)), BESIDE, 9_750_000n],
    // 1000 × 3,000 + 50 × 15,000
    ['without reasoning tokens', chat(1000, 50, reasoned(0, 1050)), BESIDE, 3_750_000n],
    // 100 × 400 + 20 × 1,200 + 80 × 4,000
    ['at a separate price', chat(100, 20, reasoned(80, 200)), THINKING, 384_000n],
  ])('%s', (...row) => {
    expect(priceOf(readChatUsage, row)).toBe(row[3]);
  });
});

describe('the price of cache hits and misses', () => {
  const hits = { prompt_cache_hit_tokens: 640, prompt_cache_miss_tokens: 360 };
  // 360 × 270 + 640 × 70 + 100 × 1,100
  it.each<Row>([
    ['next to the prompt count', chat(1000, 100, hits), HOURS, 252_000n],
    ['in place of the prompt count', { ...hits, completion_tokens: 100 }, HOURS, 252_000n],
    ['with reasoning inside the completion', chat(1000, 100, { ...hits, ...reasoned(60, 1100) }), HOURS, 252_000n],
    // 1000 × 270 + 100 × 1,100
    ['without hits', chat(1000, 100, { prompt_cache_hit_tokens: 0 }), HOURS, 380_000n],
  ])('%s', (...row) => {
    expect(priceOf(readChatUsage, row)).toBe(row[3]);
  });

  it.each([
    // 360 × 135 + 640 × 35 + 100 × 550
    ['from the first minute of the window', Date.UTC(2026, 10, 23, 16, 30), 126_000n],
    ['past midnight', Date.UTC(2026, 10, 24, 0, 29), 126_000n],
    ['not from the end of the window on', Date.UTC(2026, 10, 24, 0, 30), 252_000n],
  ])('by the time of day: %s', (about, at, nano) => {
    expect(priceOf(readChatUsage, [about, chat(1000, 100, hits), HOURS, nano], at)).toBe(nano);
  });
});

describe('the price of usage in a wrapper', () => {
  // 1000 × 59.5 + 200 × 79.8
  it.each<Row>([
    ['alone', { x_groq: { id: 'r', usage: chat(1000, 200) } }, FRACTIONS, 75_460n],
    ['next to the usual member', { usage: chat(1000, 200), x_groq: { id: 'r' } }, FRACTIONS, 75_460n],
    ['in a chunk without usage', { usage: null, x_groq: { id: 'r' } }, FRACTIONS, undefined],
  ])('%s', (about, body, prices, nano) => {
    expect(priceOf(readChatUsage, [about, chatUsageOf(body), prices, nano])).toBe(nano);
  });
});

describe('the price of a response', () => {
  it.each<Row>([
    // 600 × 2,500 + 400 × 1,250 + 300 × 10,000
    [
      'with cached and reasoning tokens',
      {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 400 },
        output_tokens: 300,
        output_tokens_details: { reasoning_tokens: 200 },
        total_tokens: 1300,
      },
      CHAT,
      5_000_000n,
    ],
    // 1000 × 2,500 + 300 × 10,000
    ['without details', { input_tokens: 1000, output_tokens: 300 }, CHAT, 5_500_000n],
    [
      'with additional reasoning',
      { input_tokens: 1000, output_tokens: 100, output_tokens_details: { reasoning_tokens: 200 }, total_tokens: 1300 },
      CHAT,
      5_500_000n,
    ],
    ['without output', { input_tokens: 1000, output_tokens: 0, total_tokens: 1000 }, CHAT, 2_500_000n],
  ])('%s', (...row) => {
    expect(priceOf(readResponsesUsage, row)).toBe(row[3]);
  });
});

describe('the price of embeddings', () => {
  it.each<Row>([
    // 8 × 20
    ['by the prompt', { prompt_tokens: 8, total_tokens: 8 }, EMBED, 160n],
    ['without tokens', { prompt_tokens: 0, total_tokens: 0 }, EMBED, 0n],
    // 7 × 20
    ['by the tokens of a package', { tokens: 7 }, EMBED, 140n],
    // 10 × 0.15 = 1.5
    ['below one nano-dollar per token', { prompt_tokens: 10 }, FINE_EMBED, 2n],
    ['without usage', {}, EMBED, undefined],
  ])('%s', (...row) => {
    expect(priceOf(readEmbeddingsUsage, row)).toBe(row[3]);
  });
});
