import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Config } from '../config/config.js';
import type { SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import type { GatewayError } from '../kernel/errors.js';
import { Workspaces } from '../tenancy/workspaces.js';
import type { NewIntern } from './canonical-request.js';
import { internErrors } from './intern.errors.js';
import { auditedAs, type Actor } from './intern-record.js';
import { firstStatus } from './lifecycle.js';
import { QUEUED_FOR } from './patience.js';

/** When a queued intern must have been taken; `now()` is one time throughout a statement. */
const UNTIL = `case when $8 = 'queued' then now() + ${QUEUED_FOR} end`;

/** The second step of a creation: whether the intern may be made, and its row. */
@Injectable()
export class NewInternRow {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly audit: AuditTrail,
    private readonly workspaces: Workspaces,
  ) {}

  /** Why the intern may not be made. The order of the checks is part of the interface: name, limit, vault. */
  async refusalOf(
    session: SqlSession,
    { accountId, workspaceId, userId }: Actor,
    request: NewIntern,
  ): Promise<GatewayError | undefined> {
    // The workspace is not deleted under a creation under way.
    if (
      !(await exists(session, 'select 1 from workspace where id = $1 and deleted_at is null for share', [workspaceId]))
    )
      return internErrors.capabilityUnavailable();
    // Until the row is there, nobody deletes the workspace from under it.
    if (!(await this.workspaces.hold(workspaceId, session))) return internErrors.notFound();
    // Creations of one member take turns, so that two cannot both be the last one within the limit.
    await session.query('select 1 from member where account_id = $1 and user_id = $2 for update', [accountId, userId]);
    if (
      await exists(session, 'select 1 from intern where workspace_id = $1 and creator_user_id = $2 and name = $3', [
        workspaceId,
        userId,
        request.name,
      ])
    )
      return internErrors.nameTaken(request.name);
    const limit = this.config.values.INTERN_LIMIT_PER_MEMBER;
    const [count] = await session.query<{ interns: number }>(
      'select count(*)::int as interns from intern where account_id = $1 and creator_user_id = $2',
      [accountId, userId],
    );
    if (count!.interns >= limit) return internErrors.limitReached(limit);
    const attachable = `select 1 from vault v join intern i on i.id = v.intern_id
      where v.id = $1 and i.workspace_id = $2 and i.status not in ('destroying', 'destroy_failed') for share of i`;
    if (request.vaultId !== null && !(await exists(session, attachable, [request.vaultId, workspaceId])))
      return internErrors.vaultNotAttachable();
    return undefined;
  }

  /** Queued, where that was asked for, but not to be taken before the last step; if that never comes, a worker finds it past its deadline. */
  async insert(session: SqlSession, id: string, actor: Actor, request: NewIntern): Promise<void> {
    const status = firstStatus(request.provision, this.config.values.INTERN_CHAT_INSTALL_REQUIRED);
    await session.query(
      `insert into intern (id, account_id, workspace_id, creator_user_id, name, description, instructions, status, attached_vault_id, loss_acknowledged, fence, attempts,
         wake_at, deadline, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, 0, 0, ${UNTIL}, ${UNTIL}, $10, $10)`,
      [
        id,
        actor.accountId,
        actor.workspaceId,
        actor.userId,
        request.name,
        request.description,
        request.instructions,
        status,
        request.vaultId,
        this.clock.now(),
      ],
    );
    await this.audit.record({ ...auditedAs(actor), action: 'create', kind: 'intern', id }, session);
  }
}

const exists = async (session: SqlSession, sql: string, params: readonly unknown[]): Promise<boolean> =>
  (await session.query(sql, params)).length > 0;
