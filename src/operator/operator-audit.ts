import type { INestApplicationContext } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { ImportRecord } from '../catalogue/import-record.js';
import type { ApiKey } from '../database/entities/api-key.entity.js';
import type { InTransaction } from '../database/session-of.js';
import type { Role } from '../kernel/access/permissions.js';

/** Writes the operator's audit row in the transaction of the command's change: both commit, or neither. */
export function recorded<Row>(
  rooms: INestApplicationContext,
  action: AuditAction,
  kind: string,
  subject: (row: Row) => { id: string; accountId?: string; role?: Role },
): InTransaction<Row> {
  return (row, session) => rooms.get(AuditTrail).record({ by: 'operator', action, kind, ...subject(row) }, session);
}

/** Records the creation or change of an API key. */
export const recordedKey = (rooms: INestApplicationContext, action: 'create' | 'update'): InTransaction<ApiKey> =>
  recorded(rooms, action, 'api_key', ({ hash, accountId }) => ({ id: hash, accountId }));

/** Records an import. The hash of the file identifies it. */
export const recordedImport = (
  rooms: INestApplicationContext,
  kind: ImportRecord['kind'],
): InTransaction<ImportRecord> => recorded(rooms, 'import', kind, ({ digest }) => ({ id: digest }));
