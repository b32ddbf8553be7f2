import type { operations } from '../../api/schema';

type Query = NonNullable<operations['getModels']['parameters']['query']>;

/** The API's filters, under their names in the API. They are stored in the address of the page. */
export type ModelFilters = Pick<
  Query,
  | 'q'
  | 'category'
  | 'input_modalities'
  | 'output_modalities'
  | 'providers'
  | 'model_authors'
  | 'supported_parameters'
  | 'context'
  | 'max_price'
  | 'max_output_price'
  | 'max_age_days'
  | 'min_intelligence_index'
  | 'min_coding_index'
  | 'sort'
  | 'zdr'
  | 'region'
  | 'distillable'
>;

export interface ModelsSearch extends ModelFilters {
  /** Lists only models that can be called now. */
  readonly callable?: boolean;
}

const TEXTS = [
  'q',
  'category',
  'input_modalities',
  'output_modalities',
  'providers',
  'model_authors',
  'supported_parameters',
  'sort',
  'zdr',
  'region',
  'distillable',
] as const;
const NUMBERS = [
  'context',
  'max_price',
  'max_output_price',
  'max_age_days',
  'min_intelligence_index',
  'min_coding_index',
] as const;

/** Reads the filters in an address and drops malformed ones. */
export function modelFilters(search: Record<string, unknown>): ModelsSearch {
  const texts = TEXTS.map((name) => [name, search[name]] as const).filter(
    ([, value]) => (typeof value === 'string' && value !== '') || typeof value === 'boolean',
  );
  const numbers = NUMBERS.map((name) => [name, search[name]] as const).filter(
    ([, value]) => typeof value === 'number' && Number.isFinite(value),
  );
  // The router parses `true` in an address as a boolean.
  const found: Record<string, unknown> = Object.fromEntries<unknown>([
    ...texts.map(([name, value]) => [name, String(value)] as const),
    ...numbers,
  ]);
  return { ...found, ...(search.callable === true ? { callable: true } : {}) };
}
