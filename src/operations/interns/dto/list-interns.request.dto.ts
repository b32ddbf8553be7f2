import { OptionalString, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';

export class ListSessionsRequest {
  @QueryInteger({ min: 1, max: 500, byDefault: 100 })
  limit?: number;

  /** The `next_cursor` of the previous page. */
  @OptionalString()
  starting_after?: string;
}

export class ListInternsRequest extends ListSessionsRequest {
  /** Up to 8 statuses, separated by commas. */
  @OptionalString({ example: 'running,stopped' })
  status?: string;

  /** Must be the workspace of the key. */
  @OptionalUuid('loose')
  workspace_id?: string;
}
