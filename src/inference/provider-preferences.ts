import { invalidRequest } from '../kernel/errors.js';
import { NO_PREFERENCES, type ProviderPreferences } from './inference-context.js';

const SORTS = ['price', 'throughput', 'latency'] as const;
type Sort = (typeof SORTS)[number];

/** Reads `provider` of an inference request (wire-notes section 3). Members it does not know are ignored. */
export function parsePreferences(provider: object | undefined): ProviderPreferences {
  if (provider === undefined) return NO_PREFERENCES;
  const given = provider as Readonly<Record<string, unknown>>;
  return {
    order: slugs(given, 'order'),
    only: slugs(given, 'only'),
    ignore: slugs(given, 'ignore'),
    sort: sortOf(given['sort']),
    allowFallbacks: flag(given['allow_fallbacks']),
    options: optionsOf(given['options']),
  };
}

function slugs(given: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
  const value = given[name];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string'))
    throw invalidRequest(`provider.${name} must be an array of provider slugs`);
  return value;
}

function sortOf(value: unknown): Sort | undefined {
  const sort: unknown =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { by?: unknown }).by : value;
  if (sort === undefined || sort === null) return undefined;
  if (!(SORTS as readonly unknown[]).includes(sort))
    throw invalidRequest(`provider.sort must be one of ${SORTS.join(', ')}`);
  return sort as Sort;
}

function flag(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'boolean') throw invalidRequest('provider.allow_fallbacks must be true or false');
  return value;
}

function optionsOf(value: unknown): ProviderPreferences['options'] {
  if (value === undefined || value === null) return {};
  const isRecord = (candidate: unknown): candidate is Record<string, unknown> =>
    typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate);
  if (!isRecord(value) || !Object.values(value).every(isRecord))
    throw invalidRequest('provider.options must be an object of objects by provider slug');
  return value as ProviderPreferences['options'];
}
