import type { operations } from '../../api/schema';

type Query = NonNullable<operations['getModels']['parameters']['query']>;

/** The filters of the API by their names there; the address of the page has them. */
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
  /** Only those that can be called now. */
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

/** Keeps what is well-formed of an address. */
export function modelFilters(search: Record<string, unknown>): ModelsSearch {
  const texts = TEXTS.map((name) => [name, search[name]] as const).filter(
    ([, value]) => (typeof value === 'string' && value !== '') || typeof value === 'boolean',
  );
  const numbers = NUMBERS.map((name) => [name, search[name]] as const).filter(
    ([, value]) => typeof value === 'number' && Number.isFinite(value),
  );
  // The router reads `true` of an address as a boolean.
  const found: Record<string, unknown> = Object.fromEntries<unknown>([
    ...texts.map(([name, value]) => [name, String(value)] as const),
    ...numbers,
  ]);
  return { ...found, ...(search.callable === true ? { callable: true } : {}) };
}
