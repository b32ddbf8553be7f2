import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { changedSettings, type Settings } from '../../audit/setting-changes.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { ApiKeys } from '../../auth/api-keys.js';
import { ConsoleKeys } from '../../auth/console-keys.js';
import { withRowsOf } from '../../kernel/access/reach.js';
import { conflict, forbidden, invalidRequest } from '../../kernel/errors/errors.js';
import { nanoToUsd, usdToNano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import type { ConsoleSession } from '../../sessions/console-session.js';
import { ConsoleSessions } from '../../sessions/console-sessions.js';
import { DEFAULT_SESSION_LIMIT_NANO } from '../../sessions/sign-ins.js';
import { MemberKeyLimit } from '../../tenancy/member-key-limit.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { UpdateConsoleSessionRequest } from './dto/console-session.request.dto.js';

/** Sets the workspace and the limit of a session's calls. */
@Injectable()
export class SessionSettings {
  constructor(
    private readonly keys: ApiKeys,
    private readonly consoleKeys: ConsoleKeys,
    private readonly sessions: ConsoleSessions,
    private readonly workspaces: Workspaces,
    private readonly limits: MemberKeyLimit,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the updated session. */
  async update(session: ConsoleSession, request: UpdateConsoleSessionRequest, by: Principal): Promise<ConsoleSession> {
    const { accountId, userId } = session;
    if (session.openedBy === 'key' || userId === null)
      throw conflict('A session that was opened with a key has the workspace and the limit of that key');
    const { calls: callsHash } = session.keys;
    if (callsHash === null) throw forbidden('Your role may not make calls, so these settings have no effect');
    const { limit, workspace_id } = request;
    const current = await this.keys.find({ accountId }, callsHash);
    const workspaceId = workspace_id?.toLowerCase() ?? current?.workspaceId ?? by.workspaceId;
    const kept = current ? current.limitNano : DEFAULT_SESSION_LIMIT_NANO;
    const limitNano = limit === undefined ? kept : this.limits.limitFor(limit === null ? null : usdToNano(limit), by);
    const entry = { by, action: 'update', kind: 'console_session', id: session.id } as const;
    if (workspaceId === current?.workspaceId) {
      await this.keys.change({ accountId }, current.hash, { limitNano }, (key, tx, before) => {
        if (limit !== undefined) this.limits.assertWithin(key, by);
        const changes = changedSettings(auditedSettingsOf(before), auditedSettingsOf(key));
        return this.audit.record({ ...entry, changes }, tx);
      });
      return session;
    }
    if (!(await this.workspaces.find(withRowsOf(by, 'workspaces.read'), workspaceId))) throw noWorkspace();
    const calls = await this.sessions.replaceCallsKey(session, async (tx) => {
      if (!(await this.workspaces.hold(workspaceId, tx))) throw noWorkspace();
      const changes = changedSettings(
        current ? auditedSettingsOf(current) : {},
        auditedSettingsOf({ workspaceId, limitNano }),
      );
      await this.audit.record({ ...entry, changes }, tx);
      const holder = { sessionId: session.id, accountId, workspaceId, userId };
      return this.consoleKeys.mint(tx, { ...holder, keyClass: 'standard', limitNano });
    });
    return { ...session, keys: { ...session.keys, calls } };
  }
}

const noWorkspace = (): Error => invalidRequest('workspace_id must be the id of a workspace of this account');

/** The settings of a session that the audit records. They are the settings of the key that makes its calls. */
const auditedSettingsOf = ({ workspaceId, limitNano }: Pick<ApiKey, 'workspaceId' | 'limitNano'>): Settings => ({
  workspace_id: workspaceId,
  limit: limitNano === null ? null : nanoToUsd(limitNano),
});
