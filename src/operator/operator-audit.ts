import type { INestApplicationContext } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { InTransaction } from '../database/session-of.js';
import type { Role } from '../kernel/access/permissions.js';

/** Writes the operator's audit row in the transaction of the command's change: both commit, or neither. */
export function recorded<Row>(
  rooms: INestApplicationContext,
  action: AuditAction,
  kind: string,
  subject: (row: Row) => { id: string; accountId?: string; role?: Role },
): InTransaction<Row> {
  return (row, session) =>
    rooms.get(AuditTrail, { strict: false }).record({ by: 'operator', action, kind, ...subject(row) }, session);
}
