import type { AuditRecord } from '../../audit/audit-entry.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { AuditListResponse } from './dto/audit.response.dto.js';

/** A page of entries, newest first. `hasMore`: whether there are older entries. */
export interface AuditPage {
  readonly entries: readonly AuditRecord[];
  readonly hasMore: boolean;
}

/** `withChanges`: whether the entries include the changed settings with their values. */
export const toAuditList = ({ entries, hasMore }: AuditPage, withChanges: boolean): AuditListResponse => ({
  data: entries.map(({ no, at, actor, keyHash, userId, action, kind, id, role, changes, address, requestId }) => ({
    entry_id: no.toString(),
    at: at.toISOString(),
    actor,
    api_key_hash: keyHash,
    user_id: userId,
    action,
    kind,
    id,
    role,
    ...(withChanges ? { changes: changes && [...changes] } : {}),
    address,
    request_id: requestId,
  })),
  has_more: hasMore,
  next_cursor: hasMore ? Buffer.from(`before:${entries.at(-1)!.no}`).toString('base64url') : null,
});

/** The entry number in a cursor. Throws invalid_request for any other text. */
export function placeOfCursor(cursor: string): bigint {
  const no = /^before:(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (no === undefined) throw invalidRequest('cursor must be the next_cursor of another page');
  return BigInt(no);
}
