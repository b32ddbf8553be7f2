import type { AuditRecord } from '../../audit/audit-entry.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { AuditListResponse } from './dto/audit.response.dto.js';

/** Entries, newest first; `hasMore`: there are older ones. */
export interface AuditPage {
  readonly entries: readonly AuditRecord[];
  readonly hasMore: boolean;
}

/** Values of settings are in the response only where they are asked for. */
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

/** The number of the entry in a cursor. Throws invalid_request for another text. */
export function placeOfCursor(cursor: string): bigint {
  const no = /^before:(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (no === undefined) throw invalidRequest('cursor must be the next_cursor of another page');
  return BigInt(no);
}
