import { givenMembers } from '../../kernel/given-members.js';
import { z } from 'zod';
import { decimalToText, parseDecimal } from '../../kernel/money.js';
import type { ModelEntry } from '../entries/entry.js';
import { nameKey } from '../names/model-name-index.js';
import { EntryFault } from '../entries/entry-fault.js';
import { aPartialPricing } from '../entries/price-schema.js';
import {
  aCount,
  aDay,
  aFlag,
  aModelId,
  anObject,
  aNumber,
  aText,
  keyed,
  listOf,
  objectOf,
  read,
  type EntryOf,
} from '../entries/schema.js';
import type { ImportedCatalogue } from './imported-catalogue.js';

const aListed = z.preprocess(
  withoutUnknown,
  objectOf(
    {
      id: aModelId,
      canonical_slug: aModelId.optional(),
      name: aText.optional(),
      description: aText.optional(),
      created: aCount.optional(),
      context_length: aCount.optional(),
      architecture: objectOf(
        {
          input_modalities: listOf(aText).optional(),
          output_modalities: listOf(aText).optional(),
          tokenizer: aText.optional(),
          instruct_type: aText.optional(),
        },
        'drop',
      ).optional(),
      pricing: aPartialPricing.optional(),
      top_provider: objectOf(
        { max_completion_tokens: aCount.optional(), is_moderated: aFlag.optional() },
        'drop',
      ).optional(),
      supported_parameters: listOf(aText).optional(),
      supported_voices: listOf(aText).optional(),
      default_parameters: keyed(z.union([z.null(), aNumber], { error: 'must be a number' })).optional(),
      per_request_limits: objectOf({ prompt_tokens: aNumber, completion_tokens: aNumber }, 'drop').optional(),
      knowledge_cutoff: aDay.optional(),
      expiration_date: aDay.optional(),
    },
    'drop',
  ),
);
type Listed = EntryOf<typeof aListed>;

/** Null and empty text mean unknown in this format, except as a default parameter. */
function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown);
  if (typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).filter(([, member]) => member !== null && member !== '');
  return Object.fromEntries(
    known.map(([name, member]) => [name, name === 'default_parameters' ? member : withoutUnknown(member)]),
  );
}

/** Whether a value has the form of a response of the published API to GET /models: `{data: [...]}`. */
export function looksLikeOpenRouter(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data);
}

/**
 * Reads the response of GET /models. The response contains no endpoints, so known endpoints are unchanged and a new
 * model has none. `known` are the ids of the current catalogue. An id that differs from a known id only in spelling, or
 * in the published name of the author, is replaced by the known id.
 */
export function readOpenRouter(value: unknown, known: readonly string[]): ImportedCatalogue {
  const listed = read(listOf(aListed), read(anObject, value)['data'], ['data']);
  const ids = new Set(listed.map(({ id }) => id));
  const knownIds = new Set(known);
  const bySpelling = new Map(known.map((id) => [nameKey(id), id]));
  const places = new Map<string, number>();
  const models = listed.map((model, index) => {
    const ours = knownIds.has(model.id) ? model.id : (bySpelling.get(nameKey(model.id)) ?? model.id);
    const id = ids.has(ours) || places.has(ours) ? model.id : ours;
    if (places.has(id)) throw new EntryFault(['data', index], `repeats the model ${id}`);
    places.set(id, index);
    return { ...model, id };
  });
  return {
    format: 'OpenRouter',
    models: models.map(modelEntry),
    providers: [],
    pathOf: (id) => (places.has(id) ? ['data', places.get(id)!] : []),
    unmatched: [],
  };
}

/** Converts any notation (`3e-6`) to plain decimal text. */
const plain = (price: string): string => decimalToText(parseDecimal(price)!);

function priceOf({ overrides, ...prices }: NonNullable<Listed['pricing']>): ModelEntry['pricing'] {
  const { prompt, completion } = prices;
  if (prompt === undefined || completion === undefined) return undefined;
  return {
    ...plainTexts(prices),
    prompt: plain(prompt),
    completion: plain(completion),
    ...(overrides && overrides.length > 0 ? { overrides: overrides.map(plainTexts) } : {}),
  };
}

const plainTexts = <T extends object>(members: T): T =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? plain(value) : value]),
  ) as T;

function modelEntry(listed: Listed): ModelEntry {
  const { architecture, pricing, top_provider, default_parameters } = listed;
  const priced = pricing && priceOf(pricing);
  return {
    id: listed.id,
    ...givenMembers({
      canonical_slug: listed.canonical_slug,
      name: listed.name,
      description: listed.description,
      created: listed.created,
      context: listed.context_length,
      input: architecture?.input_modalities,
      output: architecture?.output_modalities,
      tokenizer: architecture?.tokenizer,
      instruct_type: architecture?.instruct_type,
      max_output: top_provider?.max_completion_tokens,
      moderated: top_provider?.is_moderated,
      supports: listed.supported_parameters,
      voices: listed.supported_voices,
      per_request_limits: listed.per_request_limits,
      knowledge: listed.knowledge_cutoff,
      expires: listed.expiration_date,
      pricing: priced,
      default_parameters:
        default_parameters && Object.keys(default_parameters).length > 0 ? default_parameters : undefined,
    }),
  };
}
