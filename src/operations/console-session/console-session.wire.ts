import type { KeySpend } from '../../billing/balances.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import type { User } from '../../database/entities/user.entity.js';
import { nanoToUsd } from '../../kernel/money.js';
import { hasOneKey, type ConsoleSession } from '../../sessions/console-session.js';
import type { ConsoleSessionData } from './dto/console-session.response.dto.js';

/** A session with what its calls have spent. */
export interface SessionView {
  readonly session: ConsoleSession;
  readonly user: User | null;
  /** Null if the key was deleted. */
  readonly calls: { readonly key: ApiKey; readonly spend: KeySpend } | null;
}

export function toSessionData({ session, user, calls }: SessionView): ConsoleSessionData {
  const limit = calls ? calls.key.limitNano : 0n;
  return {
    kind: session.openedBy,
    key_class: hasOneKey(session) ? (calls?.key.keyClass ?? 'standard') : 'management',
    user: user && { id: user.id, name: user.name, email: user.email },
    account_id: session.accountId,
    workspace_id: calls?.key.workspaceId ?? null,
    limit: limit === null ? null : nanoToUsd(limit),
    spent: calls ? nanoToUsd(calls.spend.usage.total) : 0,
    expires_at: session.expiresAt.toISOString(),
  };
}
