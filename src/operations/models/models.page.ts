import type { CatalogueModel } from '../../catalogue/catalogue-model.js';
import type { ModelsParameters } from './models.parameters.js';

/** The part of the matching models that a response contains. */
export interface ModelsPage {
  readonly models: readonly CatalogueModel[];
  /** Number of all matching models. */
  readonly total: number;
  /** Path and query of the next page; null if there is none. */
  readonly next: string | null;
  /** Whether the request has an offset or a limit. */
  readonly isPart: boolean;
}

const PAGE_OF_OFFSET = 500;

/**
 * The part of the matching models that the parameters select; all matching models if offset and limit are absent
 * (docs/api-rules.md, section 8).
 */
export function modelsPageOf(
  found: readonly CatalogueModel[],
  { offset, limit }: ModelsParameters,
  path: string,
): ModelsPage {
  if (offset === undefined && limit === undefined)
    return { models: found, total: found.length, next: null, isPart: false };
  const from = offset ?? 0;
  const to = from + (limit ?? PAGE_OF_OFFSET);
  return {
    models: found.slice(from, to),
    total: found.length,
    next: to < found.length ? nextPath(path, to, limit ?? PAGE_OF_OFFSET) : null,
    isPart: true,
  };
}

function nextPath(path: string, offset: number, limit: number): string {
  const mark = path.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : path.slice(mark));
  query.set('offset', String(offset));
  query.set('limit', String(limit));
  return `${mark < 0 ? path : path.slice(0, mark)}?${query.toString()}`;
}
