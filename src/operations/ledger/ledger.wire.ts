import type { LedgerPage } from '../../billing/ledger-entries.js';
import { toGenerationId } from '../../kernel/ids.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { LedgerResponse } from './dto/ledger.response.dto.js';

export const toLedgerResponse = (
  { entries, nextCursor, balance, asOf }: LedgerPage,
  keys: ReadonlyMap<number, string>,
): LedgerResponse => ({
  data: entries.map(({ id, kind, amount, reason, idempotencyId, generationId, keyNo, createdAt }) => ({
    id: id.toString(),
    created_at: createdAt.toISOString(),
    kind,
    amount: nanoToUsd(amount),
    reason,
    idempotency_id: idempotencyId,
    generation_id: generationId === null ? null : toGenerationId(generationId),
    api_key_hash: (keyNo !== null && keys.get(keyNo)) || null,
  })),
  has_more: nextCursor !== null,
  next_cursor: nextCursor,
  balance: nanoToUsd(balance),
  as_of: asOf.toISOString(),
});
