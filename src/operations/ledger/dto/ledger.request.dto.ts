import { LEDGER_KINDS, type LedgerKind } from '../../../billing/ledger-entries.js';
import { CursorPageRequest } from '../../../http/validation/cursor-page.request.dto.js';
import { OptionalEnum } from '../../../http/validation/optional-member.decorators.js';
import { QueryText, QueryTime } from '../../../http/validation/query-text.decorator.js';

/** The filters of the list. Without a filter, all entries of the account are listed. */
export class ListLedgerRequest extends CursorPageRequest {
  @OptionalEnum(LEDGER_KINDS)
  kind?: LedgerKind;

  /** The id of a call. */
  @QueryText({ example: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e' })
  generation_id?: string;

  /** The hash of the key that made the calls. */
  @QueryText({ example: 'f'.repeat(64) })
  api_key_hash?: string;

  /** Entries at or after this time: an ISO 8601 timestamp or date, in UTC if it has no zone. */
  @QueryTime()
  start?: string;

  /** Entries before this time. */
  @QueryTime()
  end?: string;
}
