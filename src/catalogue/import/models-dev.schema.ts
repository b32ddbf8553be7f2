import { z } from 'zod';
import { aCount, aDay, aFlag, aText, keyed, listOf, objectOf, type EntryOf } from '../entries/schema.js';

/** Prices are JSON numbers in this format. Objects among them are dropped, like unknown members. */
const aPriceNumber = z
  .unknown()
  .refine((price) => (typeof price === 'object' && price !== null) || (typeof price === 'number' && price >= 0), {
    error: 'must be a number of at least 0: USD per million tokens',
  });
const aTier = z.object({ tier: objectOf({ size: aCount }, 'drop') }).catchall(aPriceNumber);
/** Prices in USD per million tokens, by kind, and `tiers` of prices. */
const aCost = z.object({ tiers: listOf(aTier).optional() }).catchall(aPriceNumber);

const aLimit = objectOf(
  { context: aCount.optional(), input: aCount.optional(), output: aCount.optional() },
  'drop',
).optional();
export const aModel = objectOf(
  {
    name: aText.optional(),
    family: aText.optional(),
    knowledge: aText.optional(),
    release_date: aDay.optional(),
    limit: aLimit,
    modalities: objectOf({ input: listOf(aText).optional(), output: listOf(aText).optional() }, 'drop').optional(),
    open_weights: aFlag.optional(),
    reasoning: aFlag.optional(),
    structured_output: aFlag.optional(),
    temperature: aFlag.optional(),
    tool_call: aFlag.optional(),
    weights: listOf(objectOf({ url: aText.optional() }, 'drop')).optional(),
  },
  'drop',
);
export type ModelsDevModel = EntryOf<typeof aModel>;
/** Only the price and the limits are read from a vendor's offer; the rest comes from the model. */
const anOffer = objectOf(
  {
    /** The id of the offered model, if it does not follow from the name. */
    base_model: aText.optional(),
    limit: aLimit,
    cost: aCost.optional(),
  },
  'drop',
);
export type ModelsDevOffer = EntryOf<typeof anOffer>;
export const aVendor = objectOf(
  { name: aText.optional(), api: aText.optional(), doc: aText.optional(), models: keyed(anOffer).optional() },
  'drop',
);
export type ModelsDevVendor = EntryOf<typeof aVendor>;
