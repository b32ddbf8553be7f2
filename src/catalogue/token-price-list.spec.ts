import { readCostFacts, readPublishedPricing } from './token-price-list.js';

describe('a list of token prices', () => {
  it('is read from catalogue facts: prices per million tokens, and tiers for prompts above a size', () => {
    const cost = {
      input: 0.08,
      output: 0.51,
      cache_read: 0.01692,
      input_audio: 1.269,
      tiers: [
        { input: 0.25, output: 1.52, tier: { size: 128_000 } },
        { input: 0.13, output: 0.76, cache_read: 0.02536, tier: { size: 32_000, type: 'context' } },
      ],
    };
    expect(readCostFacts(cost)).toEqual({
      prompt: '0.00000008',
      completion: '0.00000051',
      cacheRead: '0.00000001692',
      inputAudio: '0.000001269',
      tiers: [
        { prompt: '0.00000013', completion: '0.00000076', cacheRead: '0.00000002536', minPromptTokens: 32_001 },
        { prompt: '0.00000025', completion: '0.00000152', minPromptTokens: 128_001 },
      ],
    });
  });

  it('accepts alternative names of cache prices, and leaves out prices that are not per token', () => {
    const cost = { input: 2, output: 8, cached_input: 0.03, cached_write: 0.375, request: 5, citation: 2, image: 21 };
    expect(readCostFacts(cost)).toEqual({
      prompt: '0.000002',
      completion: '0.000008',
      cacheRead: '0.00000003',
      cacheWrite: '0.000000375',
    });
  });

  it('is read from a published listing with its overrides', () => {
    const pricing = {
      prompt: '0.000003',
      completion: '1.5e-5',
      input_cache_read: '0.0000003',
      input_cache_write_1h: '0.000006',
      internal_reasoning: '0.00001',
      web_search: '0.01',
      image: '-1',
      overrides: [
        { min_prompt_tokens: 200_001, prompt: '0.000006', utc_start: 1630, utc_end: 30, utc_days: ['sunday'] },
      ],
    };
    expect(readPublishedPricing(pricing)).toEqual({
      prompt: '0.000003',
      completion: '0.000015',
      cacheRead: '0.0000003',
      cacheWrite1h: '0.000006',
      reasoning: '0.00001',
      webSearch: '0.01',
      tiers: [{ prompt: '0.000006', minPromptTokens: 200_001, utcStart: 1630, utcEnd: 30, utcDays: [0] }],
    });
  });

  it.each([{}, { prompt: '-1', completion: '0' }, { prompt: '0' }, { prompt: 1, completion: 2 }])(
    'is undefined without a valid price of both the prompt and the completion: %j',
    (pricing) => {
      expect(readPublishedPricing(pricing)).toBeUndefined();
      expect(readCostFacts(pricing)).toBeUndefined();
    },
  );
});
