import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { MemberId } from '../auth/member-keys.js';
import type { SqlSession } from '../database/sql.js';
import type { WorkspaceRole } from '../kernel/access/permissions.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { Clock } from '../kernel/clock.js';
import { Workspaces } from '../tenancy/workspaces.js';

interface Membership {
  readonly workspaceId: string;
  readonly role: WorkspaceRole;
}

/** Gives a member the workspaces of the member's groups. Does not change memberships that a person gave. */
@Injectable()
export class ProvidedWorkspaces {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * `given`: the roles, by the slug of the workspace. A workspace that was deleted since the start of the service is
   * omitted.
   */
  async give(
    holder: MemberId,
    given: ReadonlyMap<string, WorkspaceRole>,
    place: CallerPlace,
    session: SqlSession,
  ): Promise<void> {
    const present = given.size === 0 ? [] : await this.workspaces.list(holder.accountId);
    const wanted = present.flatMap(({ id, slug }) =>
      given.has(slug) ? [{ workspaceId: id, role: given.get(slug)! }] : [],
    );
    const { accountId, userId } = holder;
    const ended = await session.query<Membership>(
      `delete from workspace_member where account_id = $1 and user_id = $2 and source = 'provider'
         and not (workspace_id = any ($3)) returning workspace_id as "workspaceId", role`,
      [accountId, userId, wanted.map(({ workspaceId }) => workspaceId)],
    );
    for (const membership of ended) await this.#record('delete', holder, membership, place, session);
    for (const { workspaceId, role } of wanted) {
      const changed = await session.query(
        `insert into workspace_member as w (account_id, workspace_id, user_id, role, created_at, source)
         values ($1, $2, $3, $4, $5, 'provider')
         on conflict (account_id, workspace_id, user_id) do update set role = $4
           where w.source = 'provider' and w.role <> $4
         returning 1`,
        [accountId, workspaceId, userId, role, this.clock.now()],
      );
      if (changed.length > 0) await this.#record('update', holder, { workspaceId, role }, place, session);
    }
  }

  async #record(
    action: 'update' | 'delete',
    { accountId, userId }: MemberId,
    { workspaceId, role }: Membership,
    place: CallerPlace,
    session: SqlSession,
  ): Promise<void> {
    const id = `${workspaceId}/${userId}`;
    const entry = { by: 'service', action, kind: 'workspace_member', id, role, accountId, place } as const;
    await this.audit.record(entry, session);
  }
}
