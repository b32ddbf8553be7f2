import type { Page } from '../../kernel/page.js';
import { QueryInteger } from './query-value.decorators.js';

const MAX_PAGE_ITEMS = 100;
const DEFAULT_PAGE_ITEMS = 50;

/** The query of a list of which a part is read, by the number of entries before it. */
export class OffsetPageRequest {
  /** Entries to skip. */
  @QueryInteger({ min: 0, byDefault: 0 })
  offset?: number;

  @QueryInteger({ min: 1, max: MAX_PAGE_ITEMS, byDefault: DEFAULT_PAGE_ITEMS })
  limit?: number;
}

/** The part that a request asks for. */
export const pageIn = ({ offset = 0, limit = DEFAULT_PAGE_ITEMS }: OffsetPageRequest): Page => ({ offset, limit });
