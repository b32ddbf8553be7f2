import type { INestApplicationContext } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Alongside } from '../database/session-of.js';

/** Records, in the transaction of what a command does, that the operator did it: both happen, or neither. */
export function recorded<Row>(
  rooms: INestApplicationContext,
  action: AuditAction,
  kind: string,
  subject: (row: Row) => { id: string; accountId?: string },
): Alongside<Row> {
  return (row, session) =>
    rooms.get(AuditTrail, { strict: false }).record({ by: 'operator', action, kind, ...subject(row) }, session);
}
