import { judgeTextUsage, priceEstimate, type TextUsageTerms } from './text-usage-judgement.js';
import type { VendorUsage } from '../../formats/usage.js';
import {
  readChatUsage,
  readGenerateContentUsage,
  readMessagesUsage,
  readResponsesUsage,
} from '../../formats/usage-readers.js';
import type { WorstCase } from './worst-case.js';

const PRICES = { prompt: '0.000001', completion: '0.00001', cacheRead: '0.0000001' };
/** 1000 × 1,000 + 100 × 10,000 nano-dollars. */
const WORST: WorstCase = {
  promptTokens: 1000,
  completionTokens: 100,
  choices: 1,
  outputTokens: 100,
  inputImages: 0,
  webSearches: 0,
  price: 2_000_000n,
  promptPrice: 1_000_000n,
  completionPrice: 1_000_000n,
  lines: [],
};
const TERMS: TextUsageTerms = { prices: PRICES, at: 0, worstCase: WORST, excessFactor: 3 };
const judge = (usage: unknown): ReturnType<typeof judgeTextUsage> => judgeTextUsage(readChatUsage(usage), TERMS);

describe('a report of text usage', () => {
  it('is billed as reported, also above the worst case', () => {
    expect(judge({ prompt_tokens: 2000, completion_tokens: 200 })).toMatchObject({
      outcome: 'priced',
      usage: { prompt: 2000, completion: 200, requests: 1 },
      price: { price: 4_000_000n, promptPrice: 2_000_000n, completionPrice: 2_000_000n },
    });
  });

  it('is billed at no more than the configured multiple of the worst case', () => {
    for (const completion_tokens of [501, 2 ** 53, Number.MAX_VALUE, Infinity])
      expect(judge({ prompt_tokens: 1000, completion_tokens })).toMatchObject({
        usage: { prompt: 3000, completion: 300 },
        price: { price: 6_000_000n },
        anomaly: { kind: 'usage_excessive' },
      });
  });

  it.each([undefined, null, 'text', 7, [], {}, { prompt_tokens: 1 }, { prompt_tokens: null, completion_tokens: 1 }])(
    'is replaced by an estimate if it lacks a total: %j',
    (usage) => {
      expect(judge(usage)).toMatchObject({ outcome: 'to_estimate', anomaly: { kind: 'usage_missing' } });
    },
  );

  it.each([-1, 1.5, NaN, '7', true, {}, [], -Infinity])('is replaced by an estimate if a count is %p', (count) => {
    const usages = [
      { prompt_tokens: count, completion_tokens: 1 },
      { prompt_tokens: 1, completion_tokens: count },
      { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { cached_tokens: count } },
    ];
    for (const usage of usages)
      expect(judge(usage)).toMatchObject({ outcome: 'to_estimate', anomaly: { kind: 'usage_invalid' } });
  });

  it('is an anomaly, but has no negative price, if a part is larger than its total', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 100 } };
    expect(judge(usage)).toMatchObject({
      price: { price: 20_000n },
      anomaly: { kind: 'usage_inconsistent', details: { totals: ['prompt'] } },
    });
  });

  it.each<[string, object, object]>([
    ['searches', { server_tool_use: { web_search_requests: 500 } }, { web_search: 500 }],
    ['free searches', { num_search_queries: 2 }, { web_search: 2 }],
    ['pages', { server_tool_use: { web_fetch_requests: 2 } }, { web_fetch_requests: 2 }],
    ['calls', { server_side_tool_usage_details: { code_interpreter_calls: 1 } }, { code_interpreter_calls: 1 }],
  ])('is an anomaly if it counts %s without a price', (_, counted, unpriced) => {
    const usage = { prompt_tokens: 10, completion_tokens: 1, ...counted };
    expect(judge(usage)).toMatchObject({
      price: { price: 20_000n },
      anomaly: { kind: 'usage_unpriced', details: { unpriced } },
    });
    expect(judgeTextUsage(readChatUsage(usage), { ...TERMS, isOwnAccount: true })).not.toHaveProperty('anomaly');
  });

  it('is billed without an anomaly if searches have a price, also a price of 0', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 1, num_search_queries: 2 };
    for (const [webSearch, price] of [
      ['0.000001', 22_000n],
      ['0', 20_000n],
    ] as const) {
      const judged = judgeTextUsage(readChatUsage(usage), { ...TERMS, prices: { ...PRICES, webSearch } });
      expect(judged).toMatchObject({ price: { price } });
      expect(judged).not.toHaveProperty('anomaly', expect.anything());
    }
  });

  it('is replaced by an estimate of no more than the worst case', () => {
    const { usage, price } = priceEstimate({ prompt: 5000, completion: 5000 }, TERMS);
    expect(usage).toMatchObject({ prompt: 1000, completion: 100 });
    expect(price.price).toBe(2_000_000n);
    expect(priceEstimate({ prompt: 10, completion: 1 }, TERMS).price.price).toBe(20_000n);
  });

  it('has the price that the vendor states, apart from the token counts', () => {
    const cost = (usage: object): VendorUsage['vendorCostUsd'] => readChatUsage(usage).vendorCostUsd;
    expect(cost({ cost: 0.0125 })).toEqual({ units: 125n, scale: 4 });
    expect(cost({ cost: { total_cost: '1e-7' } })).toEqual({ units: 1n, scale: 7 });
    expect(cost({ cost_in_usd_ticks: 37_756_000 })).toEqual({ units: 37_756_000n, scale: 10 });
    expect(cost({ cost: null })).toBeUndefined();
    expect(cost({ cost: '9'.repeat(1_000_000) })).toBeUndefined();
    expect(cost({ cost: -1 })).toBeUndefined();
  });

  it('states how many tokens of the total belong to no token class', () => {
    const report = readChatUsage({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 45 });
    expect(report).toMatchObject({ counts: { completion: 5 }, unattributed: 30 });
  });

  it('is read from any JSON without an error', () => {
    const values = [null, 0, '', [], {}, [[]], { usage: 1 }, { promptTokensDetails: [null, 1, { modality: 'AUDIO' }] }];
    for (const read of [readChatUsage, readResponsesUsage, readMessagesUsage, readGenerateContentUsage])
      for (const value of values) expect(read(value)).toMatchObject({ counts: {} });
  });
});
