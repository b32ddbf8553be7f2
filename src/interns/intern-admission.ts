import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Config } from '../config/config.js';
import type { SqlSession } from '../database/sql.js';
import type { GatewayError } from '../kernel/errors/errors.js';
import { Workspaces } from '../tenancy/workspaces.js';
import { internErrors } from './intern.errors.js';
import { auditActorOf, type Actor, type NewIntern } from './intern-record.js';
import { InternRows } from './intern-rows.js';

/** The second step of a creation: checks whether the intern may be created, and inserts its row. */
@Injectable()
export class InternAdmission {
  constructor(
    private readonly config: Config,
    private readonly audit: AuditTrail,
    private readonly workspaces: Workspaces,
    private readonly rows: InternRows,
  ) {}

  /** Inserts the intern, or returns why it may not be created. */
  async admit(session: SqlSession, id: string, actor: Actor, request: NewIntern): Promise<GatewayError | undefined> {
    const refusal = await this.#refusalOf(session, actor, request);
    if (refusal) return refusal;
    await this.rows.insert(session, id, actor, request);
    await this.audit.record({ by: auditActorOf(actor), action: 'create', kind: 'intern', id }, session);
    return undefined;
  }

  /** The order of the checks is part of the interface: workspace, name, limit, vault. */
  async #refusalOf(
    session: SqlSession,
    { accountId, workspaceId, userId }: Actor,
    { name, vaultId }: NewIntern,
  ): Promise<GatewayError | undefined> {
    // Locks the workspace, so that it is not deleted before the row is inserted.
    if (!(await this.workspaces.hold(workspaceId, session))) return internErrors.capabilityUnavailable();
    // Serialises the creations of a member, so that concurrent ones cannot exceed the limit.
    await session.query('select 1 from member where account_id = $1 and user_id = $2 for update', [accountId, userId]);
    const namesakes = await session.query(
      'select 1 from intern where workspace_id = $1 and creator_user_id = $2 and name = $3',
      [workspaceId, userId, name],
    );
    if (namesakes.length > 0) return internErrors.nameTaken(name);
    const limit = this.config.values.INTERN_LIMIT_PER_MEMBER;
    const [count] = await session.query<{ interns: number }>(
      'select count(*)::int as interns from intern where account_id = $1 and creator_user_id = $2',
      [accountId, userId],
    );
    if (count!.interns >= limit) return internErrors.limitReached(limit);
    if (vaultId === null) return undefined;
    const attachable = await session.query(
      `select 1 from vault v join intern i on i.id = v.intern_id
       where v.id = $1 and i.workspace_id = $2 and i.status not in ('destroying', 'destroy_failed')
       for share of i`,
      [vaultId, workspaceId],
    );
    return attachable.length > 0 ? undefined : internErrors.vaultNotAttachable();
  }
}
