import { AUDIT_ACTIONS, type AuditAction } from '../../../audit/audit-entry.js';
import { CursorPageRequest } from '../../../http/validation/cursor-page.request.dto.js';
import { OptionalEnum, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { QueryFlag } from '../../../http/validation/query-value.decorators.js';
import { QueryText, QueryTime } from '../../../http/validation/query-text.decorator.js';

export const ACTORS = ['key', 'operator', 'service'] as const;

/** The filters of the list. Without a filter, all entries of the account are listed. */
export class ListAuditRequest extends CursorPageRequest {
  @OptionalEnum(AUDIT_ACTIONS)
  action?: AuditAction;

  /** The kind of the resource. */
  @QueryText({ example: 'api_key' })
  kind?: string;

  /** The id of the resource. */
  @QueryText()
  id?: string;

  @OptionalEnum(ACTORS)
  actor?: (typeof ACTORS)[number];

  /** The hash of the acting key at the time of the action. */
  @QueryText({ example: 'f'.repeat(64) })
  api_key_hash?: string;

  /** The acting member. */
  @OptionalUuid('loose')
  user_id?: string;

  /** Entries at or after this time: an ISO 8601 timestamp or date, in UTC if it has no zone. */
  @QueryTime()
  start?: string;

  /** Entries before this time. */
  @QueryTime()
  end?: string;

  /** Whether entries have `changes`: the changed settings, with their values before and after. */
  @QueryFlag()
  with_changes?: boolean;
}
