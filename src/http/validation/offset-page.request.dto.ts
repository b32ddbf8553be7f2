import type { Page } from '../../kernel/page.js';
import { QueryInteger } from './query-value.decorators.js';

const MAX_PAGE_ITEMS = 100;
const MAX_MEMBERS = 500;
const DEFAULT_PAGE_ITEMS = 50;

/** The query of a list that is paged by offset. */
export class OffsetPageRequest {
  /** The number of entries to skip. */
  @QueryInteger({ min: 0, byDefault: 0 })
  offset?: number;

  @QueryInteger({ min: 1, max: MAX_PAGE_ITEMS, byDefault: DEFAULT_PAGE_ITEMS })
  limit?: number;
}

/** The query of the list of an account's members, whose pages may be longer. */
export class MemberPageRequest {
  /** The number of entries to skip. */
  @QueryInteger({ min: 0, byDefault: 0 })
  offset?: number;

  @QueryInteger({ min: 1, max: MAX_MEMBERS, byDefault: DEFAULT_PAGE_ITEMS })
  limit?: number;
}

/** The page that a request asks for. */
export const pageIn = ({ offset = 0, limit = DEFAULT_PAGE_ITEMS }: OffsetPageRequest): Page => ({ offset, limit });
