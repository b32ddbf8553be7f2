import { z } from 'zod';
import { CAPABILITIES, type DefaultParameters } from '../catalogue-model.js';
import { BILLABLES, PRICE_UNITS } from '../price.js';
import { aPublishedPricing, aTokenPrice } from './price-schema.js';
import {
  aCount,
  aDay,
  aFlag,
  aModelId,
  anAddress,
  aNumber,
  aPrice,
  aSlug,
  aText,
  aUrl,
  keyed,
  listOf,
  matching,
  objectOf,
  oneOf,
  type EntryOf,
  type Unknown,
} from './schema.js';

const RULES = [
  objectOf({ type: z.literal('enum'), values: listOf(aText) }),
  objectOf({ type: z.literal('range'), min: aNumber, max: aNumber }),
  objectOf({ type: z.literal('boolean') }),
] as const;
const aParameterRule = z.discriminatedUnion('type', RULES, { error: 'must be one of enum, range, boolean' });

const aPriceLine = objectOf({
  billable: oneOf(BILLABLES),
  unit: oneOf(PRICE_UNITS),
  cost_usd: aPrice,
  variant: aText.optional(),
});

/** TokenMaxima in the data format. */
const tokenMaxima = objectOf({
  per_reference: aCount.optional(),
  per_image: keyed(keyed(aCount)).optional(),
  previews: aCount.optional(),
  output: aCount.optional(),
  output_base: aCount.optional(),
  output_per_character: aCount.optional(),
  per_second: aCount.optional(),
});
export type TokenMaximaEntry = EntryOf<typeof tokenMaxima>;

const DEFAULTED = ['temperature', 'top_p', 'top_k', 'frequency_penalty', 'presence_penalty', 'repetition_penalty'];
/** Null = the vendor has no default. */
export const defaultParameters = keyed(z.union([z.null(), aNumber], { error: 'must be a number' })).superRefine(
  (members, context) => {
    for (const name of Object.keys(members))
      if (!DEFAULTED.includes(name))
        context.addIssue({ code: 'custom', path: [name], message: `must be one of ${DEFAULTED.join(', ')}` });
  },
) as unknown as z.ZodType<DefaultParameters>;

/** An endpoint in the data format. `provider` and `tag` identify it within its model. */
const anEndpoint = (unknown: Unknown) =>
  objectOf(
    {
      provider: aSlug,
      tag: aText.optional(),
      capability: oneOf(CAPABILITIES).optional(),
      adapter: aText.optional(),
      /** The npm package that the adapter `ai-sdk` calls. */
      package: aText.optional(),
      /** The vendor's own name of the model; default: the model's slug. */
      model: aText.optional(),
      /** False = the endpoint can be called without a credential. */
      credential: aFlag.optional(),
      /** The address of an own provider. */
      address: aUrl.optional(),
      streaming: aFlag.optional(),
      context: aCount.optional(),
      max_input: aCount.optional(),
      max_output: aCount.optional(),
      usd_per_million: aTokenPrice.optional(),
      /** USD per picture of the request, in addition to `usd_per_million`. */
      usd_per_image: aPrice.optional(),
      /** USD per request, in addition to `usd_per_million`. */
      usd_per_request: aPrice.optional(),
      /** USD per web search, in addition to `usd_per_million`. */
      usd_per_search: aPrice.optional(),
      /** The price lines that are billed. Default: derived from `usd_per_million`. */
      pricing: listOf(aPriceLine).optional(),
      parameters: keyed(aParameterRule).optional(),
      passthrough: listOf(aText).optional(),
      max_input_characters: aCount.optional(),
      /** The minimum number of seconds that are billed. */
      min_seconds: aCount.optional(),
      voices: listOf(aText).optional(),
      /** The maximum tokens of one request. Required if images or speech are priced by tokens. */
      max_tokens: tokenMaxima.optional(),
      timeout_ms: aCount.optional(),
      pixel_bounds: objectOf({ min: aCount, max: aCount }).optional(),
      zdr: aFlag.optional(),
      regions: listOf(aText).optional(),
      quantization: aText.optional(),
      /** The service tier, if it has prices of its own. `tag` must then differ from the tags of the other tiers. */
      service_tier: aText.optional(),
      /** The page with the prices and limits. */
      source: aUrl.optional(),
      /** The day on which the page was read. */
      read: aDay.optional(),
    },
    unknown,
  );
export type EndpointEntry = EntryOf<ReturnType<typeof anEndpoint>>;

/**
 * Data of a model, in the format of src/catalogue/data and of imports. Every member except the id may be absent,
 * because entries are merged (overlay.ts). Manual additions override facts, and imports override both.
 */
const aModel = (unknown: Unknown) =>
  objectOf(
    {
      id: aModelId,
      canonical_slug: aModelId.optional(),
      name: aText.optional(),
      /** Default: composed from the facts. */
      description: aText.optional(),
      family: aText.optional(),
      released: aDay.optional(),
      /** Unix seconds; default: the release day. */
      created: aCount.optional(),
      knowledge: matching(/^\d{4}(-\d{2}(-\d{2})?)?$/, 'a date such as 2026-03-31').optional(),
      expires: aDay.optional(),
      input: listOf(aText).optional(),
      output: listOf(aText).optional(),
      context: aCount.optional(),
      max_output: aCount.optional(),
      supports: listOf(aText).optional(),
      voices: listOf(aText).optional(),
      open_weights: aFlag.optional(),
      weights: aUrl.optional(),
      tokenizer: aText.optional(),
      instruct_type: aText.optional(),
      moderated: aFlag.optional(),
      default_parameters: defaultParameters.optional(),
      per_request_limits: objectOf({ prompt_tokens: aNumber, completion_tokens: aNumber }).optional(),
      categories: listOf(aText).optional(),
      distillable: aFlag.optional(),
      /** For manual additions: the page with the data. */
      source: aUrl.optional(),
      /** For manual additions: the day on which the page was read. */
      read: aDay.optional(),
      /** USD per token, image, request. Default: the prices of the endpoint that represents the model. */
      pricing: aPublishedPricing(unknown).optional(),
      endpoints: listOf(anEndpoint(unknown)).optional(),
    },
    unknown,
  ).superRefine(({ endpoints = [] }, context) => {
    const seen = new Set<string>();
    for (const [index, { provider, tag = provider }] of endpoints.entries()) {
      const message = `repeats the endpoint of ${provider}: give it a separate tag`;
      if (seen.has(`${provider} ${tag}`)) context.addIssue({ code: 'custom', path: ['endpoints', index], message });
      seen.add(`${provider} ${tag}`);
    }
  });
export type ModelEntry = EntryOf<ReturnType<typeof aModel>>;

const aCountry = matching(/^[A-Z]{2}$/, 'a country code of two capital letters');
/** Data of a vendor. */
const aProvider = (unknown: Unknown) =>
  objectOf(
    {
      slug: aSlug,
      name: aText.optional(),
      documentation: aUrl.optional(),
      api: anAddress.optional(),
      privacy_policy: aUrl.optional(),
      terms_of_service: aUrl.optional(),
      status_page: aUrl.optional(),
      headquarters: aCountry.optional(),
      datacenters: listOf(aCountry).optional(),
    },
    unknown,
  );
export type ProviderEntry = EntryOf<ReturnType<typeof aProvider>>;

/** The schemas of the files that ship with this version. */
export const SHIPPED = { model: aModel('refuse'), provider: aProvider('refuse') };
/** The schemas of stored rows. Unknown members are dropped, because a newer version may have written the row. */
export const STORED = { model: aModel('drop'), provider: aProvider('drop') };
