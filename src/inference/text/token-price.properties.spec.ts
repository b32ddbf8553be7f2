import fc from 'fast-check';
import type { TokenPriceList } from '../../catalogue/token-price-list.js';
import type { TextLimits } from '../../catalogue/catalogue-model.js';
import { affordableOutputTokens, worstCaseOf, type WorstCase } from './worst-case.js';
import type { TextMeasure } from '../../formats/measure.js';
import { judgeTextUsage, priceEstimate } from './text-usage-judgement.js';
import { priceTokens } from './token-price.js';
import { NO_USAGE, type TokenUsage } from '../../formats/usage.js';

const AT = Date.UTC(2026, 10, 23, 12, 0);
/** Units of 10⁻¹² USD, so that most prices are not whole nano-dollars. */
const text = (units: number): string => `0.${String(units).padStart(12, '0')}`;
const aPrice = fc.integer({ min: 0, max: 99_999_999 }).map(text);
const names = ['cacheRead', 'cacheWrite', 'cacheWrite1h', 'inputAudio', 'reasoning', 'outputAudio', 'outputImage'];
const others = ['inputImage', 'request', 'webSearch'];
const somePrices = fc.record(Object.fromEntries([...names, ...others].map((name) => [name, aPrice])), {
  requiredKeys: [],
});
const aList: fc.Arbitrary<TokenPriceList> = fc
  .tuple(fc.record({ prompt: aPrice, completion: aPrice }), somePrices)
  .map(([base, rest]) => ({ ...base, ...rest }));
const aTieredList: fc.Arbitrary<TokenPriceList> = fc
  .tuple(aList, fc.array(fc.tuple(fc.nat(3000), somePrices, aPrice), { maxLength: 3 }))
  .map(([list, tiers]) => ({
    ...list,
    tiers: tiers.map(([minPromptTokens, prices, completion]) => ({ ...prices, completion, minPromptTokens })),
  }));

const count = fc.nat(1_000_000);
/** Disjoint classes; totals are their sums. */
const BUCKETS = ['plain', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'inputAudio'] as const;
const OUTPUTS = ['plainOutput', 'reasoning', 'outputAudio', 'outputImage'] as const;
const UNITS = ['inputImages', 'webSearches', 'requests'] as const;
const ALL = [...BUCKETS, ...OUTPUTS, ...UNITS];
type Buckets = Record<(typeof ALL)[number], number>;
const someBuckets = fc.record(Object.fromEntries(ALL.map((name) => [name, count]))) as fc.Arbitrary<Buckets>;
const total = (buckets: Buckets, of: readonly (keyof Buckets)[]): number =>
  of.reduce((sum, name) => sum + buckets[name], 0);
function usageOf(buckets: Buckets): TokenUsage {
  const { plain, plainOutput, ...rest } = buckets;
  void plain;
  void plainOutput;
  return { ...rest, prompt: total(buckets, BUCKETS), completion: total(buckets, OUTPUTS) };
}

/** Rational arithmetic with numerators over 10¹², because the generated prices have 12 digits. */
function nanoByFractions(list: TokenPriceList, buckets: Buckets): bigint {
  const units = (price: string | undefined): bigint => BigInt((price ?? '0.').slice(2) || '0');
  const writes = list.cacheWrite ?? list.prompt;
  const rates: Record<keyof Buckets, string | undefined> = {
    plain: list.prompt,
    cacheRead: list.cacheRead ?? list.prompt,
    cacheWrite5m: writes,
    cacheWrite1h: list.cacheWrite1h ?? writes,
    inputAudio: list.inputAudio ?? list.prompt,
    plainOutput: list.completion,
    reasoning: list.reasoning ?? list.completion,
    outputAudio: list.outputAudio ?? list.completion,
    outputImage: list.outputImage ?? list.completion,
    inputImages: list.inputImage,
    webSearches: list.webSearch,
    requests: list.request,
  };
  const numerator = ALL.reduce((sum, name) => sum + units(rates[name]) * BigInt(buckets[name]), 0n);
  return (2n * numerator + 1000n) / 2000n;
}

describe('the price of tokens', () => {
  it('is the exact sum, which is rounded (half up) only at the end', () => {
    fc.assert(
      fc.property(aList, someBuckets, (list, buckets) => {
        const { price, promptPrice, completionPrice } = priceTokens(list, usageOf(buckets), AT);
        expect(price).toBe(nanoByFractions(list, buckets));
        expect(promptPrice + completionPrice).toBe(price);
      }),
    );
  });

  it('is never below zero, for any counts', () => {
    const anyUsage = fc.record(Object.fromEntries(Object.keys(NO_USAGE).map((name) => [name, count])));
    fc.assert(
      fc.property(aTieredList, anyUsage, (list, usage) => {
        const { price, promptPrice, completionPrice } = priceTokens(list, usage as unknown as TokenUsage, AT);
        expect(price >= 0n && promptPrice >= 0n && completionPrice >= 0n).toBe(true);
      }),
    );
  });

  it('does not decrease when more is used', () => {
    fc.assert(
      fc.property(aList, someBuckets, fc.constantFrom(...ALL), count, (list, buckets, name, more) => {
        const larger = { ...buckets, [name]: buckets[name] + more };
        const before = priceTokens(list, usageOf(buckets), AT).price;
        expect(priceTokens(list, usageOf(larger), AT).price).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});

describe('the worst case', () => {
  const aMeasure: fc.Arbitrary<TextMeasure> = fc.record({
    textBytes: fc.nat(4000),
    tokenIds: fc.nat(10),
    messages: fc.nat(5),
    tools: fc.nat(5),
    images: fc.nat(3),
    media: fc.constant(0),
    sounds: fc.constant(0),
    audioSeconds: fc.nat(3),
    filePages: fc.nat(3),
    readsUnmeasured: fc.boolean(),
    writesCache: fc.boolean(),
    choices: fc.integer({ min: 1, max: 4 }),
    maxOutputTokens: fc.integer({ min: 1, max: 5000 }),
    audioOutput: fc.boolean(),
    imageOutput: fc.boolean(),
  });
  const limits: TextLimits = {
    contextLength: 6000,
    tokensPerImage: 300,
    tokensPerAudioSecond: 50,
    tokensPerFilePage: 400,
    maxWebSearches: 5,
  };
  const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 });

  /** A usage within the limits: shares of the maximums, in the classes that the request can use. */
  function within(worst: WorstCase, measure: TextMeasure, shares: readonly number[]): TokenUsage {
    let prompt = Math.floor(worst.promptTokens * shares[0]!);
    let completion = Math.floor(worst.completionTokens * shares[1]!);
    const [P, C] = [prompt, completion];
    const take = (share: number, isUsed = true): number => {
      const taken = isUsed ? Math.floor(prompt * share) : 0;
      prompt -= taken;
      return taken;
    };
    const give = (share: number, isUsed = true): number => {
      const taken = isUsed ? Math.floor(completion * share) : 0;
      completion -= taken;
      return taken;
    };
    return {
      ...NO_USAGE,
      prompt: P,
      completion: C,
      cacheRead: take(shares[2]!),
      cacheWrite5m: take(shares[3]!, measure.writesCache),
      cacheWrite1h: take(shares[4]!, measure.writesCache),
      inputAudio: take(shares[5]!, measure.audioSeconds > 0 || measure.readsUnmeasured),
      reasoning: give(shares[6]!),
      outputAudio: give(shares[7]!, measure.audioOutput),
      outputImage: give(shares[8]!, measure.imageOutput),
      inputImages: worst.inputImages,
      webSearches: worst.webSearches,
    };
  }

  it('costs at least as much as any usage within the limits', () => {
    fc.assert(
      fc.property(aTieredList, aMeasure, parts, (prices, measure, shares) => {
        const worst = worstCaseOf(measure, { limits, prices, at: AT }) as WorstCase;
        const usage = within(worst, measure, shares);
        expect(priceTokens(prices, usage, AT).price).toBeLessThanOrEqual(worst.price);
        const counts = { ...usage };
        const judged = judgeTextUsage(
          { counts, faults: {} },
          { prices, at: AT, worstCase: worst, excessFactor: 1, isOwnAccount: true },
        );
        expect(judged).toEqual({ outcome: 'priced', usage, price: expect.any(Object) });
        const estimate = priceEstimate({ prompt: 1e9, completion: 1e9 }, { prices, at: AT, worstCase: worst });
        expect(estimate.price.price).toBeLessThanOrEqual(worst.price);
      }),
    );
  });

  it('determines the highest number of output tokens that an amount covers', () => {
    fc.assert(
      fc.property(aTieredList, aMeasure, fc.bigInt({ min: 0n, max: 3_000_000_000n }), (prices, measure, amount) => {
        const terms = { limits, prices, at: AT };
        const worst = worstCaseOf(measure, terms) as WorstCase;
        const priceFor = (maxOutputTokens: number): bigint =>
          (worstCaseOf({ ...measure, maxOutputTokens }, terms) as WorstCase).price;
        const affordable = affordableOutputTokens(worst, amount);
        expect(affordable).toBeLessThanOrEqual(worst.outputTokens);
        if (affordable > 0) expect(priceFor(affordable)).toBeLessThanOrEqual(amount);
        if (affordable < worst.outputTokens) expect(priceFor(affordable + 1)).toBeGreaterThan(amount);
      }),
    );
  });
});
