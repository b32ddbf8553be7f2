import { CAPABILITIES, type DefaultParameters, type ParameterRule } from '../catalogue-model.js';
import { BILLABLES, PRICE_UNITS } from '../price.js';
import type { EndpointEntry, ModelEntry, PriceLineEntry, ProviderEntry, TokenMaximaEntry } from './entry.js';
import { EntryFault } from './entry-fault.js';
import {
  aCount,
  aFlag,
  aNumber,
  anObject,
  aPrice,
  aText,
  keyed,
  listOf,
  matching,
  oneOf,
  shapeOf,
  type Reader,
} from './shape.js';
import { aTokenPrice, publishedPricing } from './token-price-entry.js';

export const aModelId = matching(/^[^/\s]+\/[^/\s]+$/, 'an id of the form author/slug');
const aSlug = matching(/^[a-z0-9][a-z0-9._-]*$/, 'a slug of lowercase letters, digits, dots and hyphens');
export const aDay = matching(
  /^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/,
  'a date such as 2026-03-31 or 2026-03',
);
export const aUrl = matching(/^https?:\/\/\S+$/, 'a URL');
/** Some vendors' addresses contain the operator's own account: `${ACCOUNT_ID}`. */
const anAddress = matching(/^https?:\/\/\S+$|^\$\{/, 'a URL');

const anEnum = shapeOf<Extract<ParameterRule, { type: 'enum' }>>({ type: oneOf(['enum']), values: listOf(aText) }, [
  'type',
  'values',
]);
const aRange = shapeOf<Extract<ParameterRule, { type: 'range' }>>(
  { type: oneOf(['range']), min: aNumber, max: aNumber },
  ['type', 'min', 'max'],
);
const aBoolean = shapeOf<Extract<ParameterRule, { type: 'boolean' }>>({ type: oneOf(['boolean']) }, ['type']);
const RULES: Readonly<Record<string, Reader<ParameterRule>>> = { enum: anEnum, range: aRange, boolean: aBoolean };

const aParameterRule: Reader<ParameterRule> = (value, path) => {
  const type = oneOf(Object.keys(RULES))(anObject(value, path).type, [...path, 'type']);
  return RULES[type]!(value, path);
};

const aPriceLine = shapeOf<PriceLineEntry>(
  {
    billable: oneOf(BILLABLES),
    unit: oneOf(PRICE_UNITS),
    cost_usd: aPrice,
    variant: aText,
  },
  ['billable', 'unit', 'cost_usd'],
);

const tokenMaxima = shapeOf<TokenMaximaEntry>(
  {
    per_reference: aCount,
    per_image: keyed(keyed(aCount)),
    previews: aCount,
    output: aCount,
    output_base: aCount,
    output_per_character: aCount,
    per_second: aCount,
  },
  [],
);

const aDefault: Reader<number | null> = (value, path) => (value === null ? null : aNumber(value, path));
/** Null = the vendor has no default. */
const defaultParameters = keyed(aDefault);
const DEFAULTED = ['temperature', 'top_p', 'top_k', 'frequency_penalty', 'presence_penalty', 'repetition_penalty'];
const defaults: Reader<DefaultParameters> = (value, path) => {
  const read = defaultParameters(value, path);
  for (const name of Object.keys(read)) oneOf(DEFAULTED)(name, [...path, name]);
  return read;
};

const anEndpoint = (unknown: 'refuse' | 'drop'): Reader<EndpointEntry> =>
  shapeOf<EndpointEntry>(
    {
      provider: aSlug,
      tag: aText,
      capability: oneOf(CAPABILITIES),
      adapter: aText,
      package: aText,
      model: aText,
      credential: aFlag,
      streaming: aFlag,
      context: aCount,
      max_input: aCount,
      max_output: aCount,
      usd_per_million: aTokenPrice,
      usd_per_image: aPrice,
      usd_per_request: aPrice,
      usd_per_search: aPrice,
      pricing: listOf(aPriceLine),
      parameters: keyed(aParameterRule),
      passthrough: listOf(aText),
      max_input_characters: aCount,
      min_seconds: aCount,
      voices: listOf(aText),
      max_tokens: tokenMaxima,
      timeout_ms: aCount,
      pixel_bounds: shapeOf<{ min: number; max: number }>({ min: aCount, max: aCount }, ['min', 'max']),
      zdr: aFlag,
      regions: listOf(aText),
      quantization: aText,
      service_tier: aText,
      source: aUrl,
      read: aDay,
    },
    ['provider'],
    unknown,
  );

/** `unknown`: `refuse` throws on unknown members (files); `drop` ignores them (rows written by a newer version). */
export function modelReader(unknown: 'refuse' | 'drop'): Reader<ModelEntry> {
  const shape = shapeOf<ModelEntry>(
    {
      id: aModelId,
      canonical_slug: aModelId,
      name: aText,
      description: aText,
      family: aText,
      released: aDay,
      created: aCount,
      knowledge: matching(/^\d{4}(-\d{2}(-\d{2})?)?$/, 'a date such as 2026-03-31'),
      expires: aDay,
      input: listOf(aText),
      output: listOf(aText),
      context: aCount,
      max_output: aCount,
      supports: listOf(aText),
      voices: listOf(aText),
      open_weights: aFlag,
      weights: aUrl,
      tokenizer: aText,
      instruct_type: aText,
      moderated: aFlag,
      default_parameters: defaults,
      per_request_limits: shapeOf<{ prompt_tokens: number; completion_tokens: number }>(
        { prompt_tokens: aNumber, completion_tokens: aNumber },
        ['prompt_tokens', 'completion_tokens'],
      ),
      categories: listOf(aText),
      distillable: aFlag,
      source: aUrl,
      read: aDay,
      pricing: publishedPricing((reader) => reader, ['prompt', 'completion'], unknown),
      endpoints: listOf(anEndpoint(unknown)),
    },
    ['id'],
    unknown,
  );
  return (value, path) => {
    const model = shape(value, path);
    assertDistinctEndpoints(model, path);
    return model;
  };
}

export const providerReader = (unknown: 'refuse' | 'drop'): Reader<ProviderEntry> =>
  shapeOf<ProviderEntry>(
    {
      slug: aSlug,
      name: aText,
      documentation: aUrl,
      api: anAddress,
      privacy_policy: aUrl,
      terms_of_service: aUrl,
      status_page: aUrl,
      headquarters: matching(/^[A-Z]{2}$/, 'a country of two capitals'),
      datacenters: listOf(matching(/^[A-Z]{2}$/, 'a country of two capitals')),
    },
    ['slug'],
    unknown,
  );

function assertDistinctEndpoints(model: ModelEntry, path: readonly (string | number)[]): void {
  const seen = new Set<string>();
  for (const [index, endpoint] of (model.endpoints ?? []).entries()) {
    const key = `${endpoint.provider} ${endpoint.tag ?? endpoint.provider}`;
    if (seen.has(key))
      throw new EntryFault(
        [...path, 'endpoints', index],
        `repeats the endpoint of ${endpoint.provider}: give it a tag of its own`,
      );
    seen.add(key);
  }
}
