import {
  KEY_SORTS,
  KEY_STATES,
  SORT_DIRECTIONS,
  type KeySort,
  type KeyState,
  type SortDirection,
} from '../../../billing/key-list.js';
import { CursorPageRequest } from '../../../http/validation/cursor-page.request.dto.js';
import { OptionalEnum, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { QueryText } from '../../../http/validation/query-text.decorator.js';

/** The filters and the order of the list. Without a filter, all keys that the caller may read are listed. */
export class ListKeySummariesRequest extends CursorPageRequest {
  /** A part of the name or of the label, or the start of the hash. Case is ignored. */
  @QueryText({ example: 'production' })
  q?: string;

  @OptionalUuid('loose')
  workspace_id?: string;

  /** The member who owns the key. */
  @OptionalUuid('loose')
  creator_user_id?: string;

  @OptionalEnum(KEY_STATES)
  state?: KeyState;

  /** The value to sort by. `limit_used` is the used share of the limit. Keys without this value are last. */
  @OptionalEnum(KEY_SORTS, { byDefault: 'created_at' })
  sort?: KeySort;

  /** Default: `asc` by name, otherwise `desc`. */
  @OptionalEnum(SORT_DIRECTIONS)
  direction?: SortDirection;
}
