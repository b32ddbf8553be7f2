import { z } from 'zod';
import { aCount, aPrice, aPriceOrUnknown, listOf, objectOf, type EntryOf, type Unknown } from './schema.js';

const PRICES = {
  cache_read: aPrice.optional(),
  cache_write: aPrice.optional(),
  cache_write_1h: aPrice.optional(),
  reasoning: aPrice.optional(),
  input_audio: aPrice.optional(),
  output_audio: aPrice.optional(),
  output_image: aPrice.optional(),
};

const aClock = aCount.refine((time) => time <= 2359 && time % 100 <= 59, {
  error: 'must be a time of day in UTC as HHMM, such as 1630',
});
const DAY = { error: 'must be a day from 0 (Sunday) to 6' };
const CONDITIONS = { min_prompt_tokens: aCount.optional(), utc_start: aClock.optional(), utc_end: aClock.optional() };

type Conditions = { readonly [K in keyof typeof CONDITIONS | 'utc_days']?: unknown };
/** Requires a condition, because a tier without a condition would always replace the base prices. */
const conditional = <S extends z.ZodType<Conditions>>(schema: S): S =>
  schema
    .refine((tier: Conditions) => (tier.utc_start === undefined) === (tier.utc_end === undefined), {
      error: 'must have both of "utc_start" and "utc_end", or neither',
    })
    .refine(
      (tier: Conditions) =>
        tier.min_prompt_tokens !== undefined || tier.utc_start !== undefined || tier.utc_days !== undefined,
      { error: 'lacks a condition, such as "min_prompt_tokens"' },
    );

/** Prices that apply under a condition. A tier does not change the prices that it omits (TokenPriceTier). */
const aTier = conditional(
  objectOf({
    ...CONDITIONS,
    utc_days: listOf(aCount.max(6, DAY)).optional(),
    prompt: aPrice.optional(),
    completion: aPrice.optional(),
    ...PRICES,
  }),
);
export type TokenPriceTierEntry = EntryOf<typeof aTier>;

/** Vendors' published token prices as decimal text in USD per million, the unit of their price pages. */
export const aTokenPrice = objectOf({
  prompt: aPrice,
  completion: aPrice,
  ...PRICES,
  tiers: listOf(aTier).optional(),
});
export type TokenPriceEntry = EntryOf<typeof aTokenPrice>;

const published = aPriceOrUnknown.optional();
const OVERRIDDEN = {
  input_cache_read: published,
  input_cache_write: published,
  input_cache_write_1h: published,
  audio: published,
};
const publishedMembers = (unknown: Unknown) => ({
  ...OVERRIDDEN,
  image: published,
  request: published,
  internal_reasoning: published,
  audio_output: published,
  image_output: published,
  web_search: published,
  overrides: listOf(
    conditional(objectOf({ ...CONDITIONS, prompt: published, completion: published, ...OVERRIDDEN }, unknown)),
  ).optional(),
});

/** The prices of a published listing, under the names that listings use. Values are decimal text in USD. */
export const aPublishedPricing = (unknown: Unknown) =>
  objectOf({ prompt: aPriceOrUnknown, completion: aPriceOrUnknown, ...publishedMembers(unknown) }, unknown);

/** Like aPublishedPricing, for a listing in which any price may be missing. */
export const aPartialPricing = objectOf(
  { prompt: published, completion: published, ...publishedMembers('drop') },
  'drop',
);
