import type { INestApplicationContext } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { ImportRecord } from '../catalogue/import-record.js';
import type { ApiKey } from '../database/entities/api-key.entity.js';
import type { InTransaction } from '../database/session-of.js';
import type { Role } from '../kernel/access/permissions.js';

/**
 * Returns a function that writes the operator's audit row in the transaction of a change, so that both commit or
 * neither does.
 */
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

/** Records an import, which is identified by the hash of the file. */
export const recordedImport = (
  rooms: INestApplicationContext,
  kind: ImportRecord['kind'],
): InTransaction<ImportRecord> => recorded(rooms, 'import', kind, ({ digest }) => ({ id: digest }));
