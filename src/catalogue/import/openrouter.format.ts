import { parseDecimal } from '../../kernel/money.js';
import type { ModelEntry, PublishedPricingEntry } from '../entries/entry.js';
import { nameKey } from '../names/model-name-index.js';
import { EntryFault } from '../entries/entry-fault.js';
import { aDay, aModelId } from '../entries/read-entry.js';
import { aCount, aFlag, aNumber, anObject, aText, keyed, listOf, shapeOf, type Reader } from '../entries/shape.js';
import { decimalText } from '../entries/token-price.js';
import { publishedPricing } from '../entries/token-price-entry.js';
import { present, type ImportedCatalogue } from './imported-catalogue.js';

/** Null in this format means unknown. */
const orNothing =
  <T>(reader: Reader<T>): Reader<T | undefined> =>
  (value, path) =>
    value === null || value === '' ? undefined : reader(value, path);

interface Listed {
  readonly id: string;
  readonly canonical_slug?: string;
  readonly name?: string;
  readonly description?: string;
  readonly created?: number;
  readonly context_length?: number;
  readonly architecture?: {
    readonly input_modalities?: readonly string[];
    readonly output_modalities?: readonly string[];
    readonly tokenizer?: string;
    readonly instruct_type?: string;
  };
  readonly pricing?: Partial<PublishedPricingEntry>;
  readonly top_provider?: { readonly max_completion_tokens?: number; readonly is_moderated?: boolean };
  readonly supported_parameters?: readonly string[];
  readonly supported_voices?: readonly string[];
  readonly default_parameters?: Readonly<Record<string, number | null>>;
  readonly per_request_limits?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly knowledge_cutoff?: string;
  readonly expiration_date?: string;
}

const maybe = <T>(reader: Reader<T>): Reader<T> => orNothing(reader) as Reader<T>;
const aDefault: Reader<number | null> = (value, path) => (value === null ? null : aNumber(value, path));

const aListed = shapeOf<Listed>(
  {
    id: aModelId,
    canonical_slug: maybe(aModelId),
    name: maybe(aText),
    description: maybe(aText),
    created: maybe(aCount),
    context_length: maybe(aCount),
    architecture: maybe(
      shapeOf<NonNullable<Listed['architecture']>>(
        {
          input_modalities: maybe(listOf(aText)),
          output_modalities: maybe(listOf(aText)),
          tokenizer: maybe(aText),
          instruct_type: maybe(aText),
        },
        [],
        'drop',
      ),
    ),
    pricing: maybe(publishedPricing(maybe, [], 'drop')),
    top_provider: maybe(
      shapeOf<NonNullable<Listed['top_provider']>>(
        { max_completion_tokens: maybe(aCount), is_moderated: maybe(aFlag) },
        [],
        'drop',
      ),
    ),
    supported_parameters: maybe(listOf(aText)),
    supported_voices: maybe(listOf(aText)),
    default_parameters: maybe(keyed(aDefault)),
    per_request_limits: maybe(
      shapeOf<NonNullable<Listed['per_request_limits']>>(
        { prompt_tokens: aNumber, completion_tokens: aNumber },
        ['prompt_tokens', 'completion_tokens'],
        'drop',
      ),
    ),
    knowledge_cutoff: maybe(aDay),
    expiration_date: maybe(aDay),
  },
  ['id'],
  'drop',
);

/** Whether it is a response of GET /models of the published API: `{data: [...]}`. */
export function looksLikeOpenRouter(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data);
}

/**
 * Reads that format. It contains no endpoints: known endpoints are unchanged, and a new model has none. `known` are the
 * ids of the current catalogue: a model that has one of them in another spelling, or under the published name of its
 * author, takes that id.
 */
export function readOpenRouter(value: unknown, known: readonly string[]): ImportedCatalogue {
  const listed = listOf(aListed)(anObject(value, []).data, ['data']);
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
const plain = (price: string): string => decimalText(parseDecimal(price)!);

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
    ...present({
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
