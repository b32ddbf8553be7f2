import type { KeySpend } from '../../billing/balances.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import type { User } from '../../database/entities/user.entity.js';
import { permissionsOf } from '../../kernel/access/reach.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import type { ConsoleSession } from '../../sessions/console-session.js';
import type { ListedSession } from '../../sessions/console-sessions.js';
import type { ConsoleSessionData, ListedSessionRecord } from './dto/console-session.response.dto.js';

/** A session with the spend of its calls. */
export interface SessionView {
  readonly session: ConsoleSession;
  readonly user: User | null;
  /** The principal of the session's requests, except for its calls; null if the key of this principal was deleted. */
  readonly main: Principal | null;
  /**
   * The key of the session's calls, and the spend of this key; null if the session may make no calls or the key was
   * deleted.
   */
  readonly calls: { readonly key: ApiKey; readonly spend: KeySpend } | null;
}

export function toSessionData({ session, user, main, calls }: SessionView): ConsoleSessionData {
  const limit = calls ? calls.key.limitNano : 0n;
  return {
    kind: session.openedBy,
    key_class: main?.keyClass ?? 'standard',
    role: main?.role ?? null,
    permissions: main ? permissionsOf(main, session.keys.calls !== null && session.openedBy !== 'key') : [],
    user: user && { id: user.id, name: user.name, email: user.email },
    account_id: session.accountId,
    workspace_id: calls?.key.workspaceId ?? null,
    limit: limit === null ? null : nanoToUsd(limit),
    spent: calls ? nanoToUsd(calls.spend.usage.total) : 0,
    expires_at: session.expiresAt.toISOString(),
  };
}

export const toListedSession = (session: ListedSession, current: ConsoleSession): ListedSessionRecord => ({
  id: session.id,
  kind: session.openedBy,
  is_current: session.id === current.id,
  created_at: session.createdAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
});
