import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { changedSettings, type SettingChange } from '../audit/setting-changes.js';
import { MemberKeys } from '../auth/member-keys.js';
import { Sql, type SqlSession } from '../database/sql.js';
import type { Role, WorkspaceRole } from '../kernel/access/permissions.js';
import { Clock } from '../kernel/clock.js';
import { conflict, forbidden, invalidRequest, notFound } from '../kernel/errors/errors.js';
import type { Page, Paged } from '../kernel/page.js';
import { ConsoleSessions, type EndedSession } from '../sessions/console-sessions.js';
import type { MemberEditor } from './member-rules.js';
import { MemberRows } from './member-rows.js';

/** The workspace whose members are read or changed. */
export interface MemberWorkspace {
  readonly id: string;
  readonly accountId: string;
  readonly isDefault: boolean;
}

/**
 * Owners and admins are admins of every workspace, and every member belongs to the default workspace. These memberships
 * need no row in the database; other memberships have one.
 */
export interface WorkspaceMember {
  /** Always equal for the same member and the same workspace. */
  readonly id: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly role: WorkspaceRole;
  readonly createdAt: Date;
}

interface LockedPlace {
  readonly userId: string;
  readonly role: Role;
  /** Null if the membership has no row. */
  readonly workspaceRole: WorkspaceRole | null;
}

const MEMBERS = `member m join workspace w on w.account_id = m.account_id and w.id = $1
  left join workspace_member wm on wm.workspace_id = w.id and wm.user_id = m.user_id`;
const BELONGS = `m.deactivated_at is null and (w.is_default or m.role in ('owner', 'admin') or wm.user_id is not null)`;
const COLUMNS = `md5(w.id::text || m.user_id::text)::uuid as id, m.user_id as "userId", w.id as "workspaceId",
  case when m.role in ('owner', 'admin') then 'admin' else coalesce(wm.role, 'member') end as role,
  coalesce(wm.created_at, greatest(m.created_at, w.created_at)) as "createdAt"`;

const isOfEvery = (role: Role): boolean => role === 'owner' || role === 'admin';

/**
 * The members of workspaces. A change locks the rows of the members, so that the members cannot be removed from the
 * account meanwhile.
 */
@Injectable()
export class WorkspaceMembers {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly rows: MemberRows,
    private readonly keys: MemberKeys,
    private readonly sessions: ConsoleSessions,
    private readonly audit: AuditTrail,
  ) {}

  /** The members, oldest first. */
  async page({ id }: MemberWorkspace, { offset, limit }: Page): Promise<Paged<WorkspaceMember>> {
    const items = await this.sql.query<WorkspaceMember>(
      `select ${COLUMNS} from ${MEMBERS} where ${BELONGS} order by "createdAt", m.user_id offset $2 limit $3`,
      [id, offset, limit],
    );
    const [count] = await this.sql.query<{ total: number }>(
      `select count(*)::int as total from ${MEMBERS} where ${BELONGS}`,
      [id],
    );
    return { items, total: count!.total };
  }

  /**
   * Adds members of the account to the workspace, with the workspace role `member`. Returns the memberships of all
   * given users, and the number of new memberships. Throws a 400 if a user is not an active member of the account.
   */
  add(
    workspace: MemberWorkspace,
    userIds: readonly string[],
    by: MemberEditor,
  ): Promise<{ members: WorkspaceMember[]; added: number }> {
    return this.#change(workspace, userIds, async (session) => {
      const places = await this.#lock(workspace, userIds, session);
      const missing = userIds.find((userId) => !places.some((place) => place.userId === userId));
      if (missing !== undefined) throw invalidRequest(`user_ids: ${missing} is not an active member of this account`);
      let added = 0;
      for (const { userId, role } of places) {
        if (workspace.isDefault || isOfEvery(role)) continue;
        const member = { accountId: workspace.accountId, userId };
        if (!(await this.rows.addTo(member, workspace.id, 'member', this.clock.now(), session))) continue;
        added += 1;
        await this.#record(workspace, userId, 'create', 'member', by, session);
      }
      return { members: await this.#named(workspace, userIds, session), added };
    });
  }

  /**
   * Removes members from a workspace; users who do not belong to it are ignored. Returns the number of removed members.
   * Throws a 400 for the default workspace, for a user who belongs to every workspace, and for a member who has keys in
   * the workspace.
   */
  async remove(workspace: MemberWorkspace, userIds: readonly string[], by: MemberEditor): Promise<number> {
    if (workspace.isDefault) throw invalidRequest('Every member of the account belongs to the default workspace');
    const { removed, ended } = await this.#change(workspace, userIds, async (session) => {
      const places = await this.#lock(workspace, userIds, session);
      const everywhere = places.find(({ role }) => isOfEvery(role));
      if (everywhere)
        throw invalidRequest(`user_ids: ${everywhere.userId} is an ${everywhere.role}, who belongs to every workspace`);
      const present = places.filter(({ workspaceRole }) => workspaceRole !== null);
      const ends: EndedSession[] = [];
      for (const { userId } of present) {
        await this.#assertNoKeys(workspace, userId, session);
        ends.push(...(await this.#leave(workspace, userId, by, session)));
      }
      return { removed: present.length, ended: ends };
    });
    this.sessions.forget(ended);
    return removed;
  }

  /**
   * Throws a 404 for a user who does not belong to the workspace, a 409 for an owner or an admin, and a 403 for the
   * editor's own membership.
   */
  setRole(workspace: MemberWorkspace, userId: string, role: WorkspaceRole, by: MemberEditor): Promise<WorkspaceMember> {
    return this.#change(workspace, [userId], async (session) => {
      const [place] = await this.#lock(workspace, [userId], session);
      if (!place || (place.workspaceRole === null && !workspace.isDefault && !isOfEvery(place.role)))
        throw notFound('No member of this workspace has this id');
      if (typeof by !== 'string' && by.creatorUserId === userId)
        throw forbidden('You cannot change your own role: another admin or an owner can');
      if (isOfEvery(place.role)) throw conflict('Owners and admins of the account are admins of every workspace');
      if ((place.workspaceRole ?? 'member') !== role) {
        await session.query(
          `insert into workspace_member (account_id, workspace_id, user_id, role, created_at)
           values ($1, $2, $3, $4, $5)
           on conflict (account_id, workspace_id, user_id) do update set role = excluded.role`,
          [workspace.accountId, workspace.id, userId, role, this.clock.now()],
        );
        const before = { role: place.workspaceRole ?? 'member' };
        await this.#record(workspace, userId, 'update', role, by, session, changedSettings(before, { role }));
      }
      return (await this.#named(workspace, [userId], session))[0]!;
    });
  }

  /**
   * Runs `work` in a transaction. Then this process reads the users' keys again without waiting for the notification.
   */
  async #change<Result>(
    { accountId }: MemberWorkspace,
    userIds: readonly string[],
    work: (session: SqlSession) => Promise<Result>,
  ): Promise<Result> {
    const { result, hashes } = await this.sql.transaction(async (session) => ({
      result: await work(session),
      hashes: await this.keys.ofMembers(session, accountId, userIds),
    }));
    this.keys.forget(hashes);
    return result;
  }

  /** Locks and returns the users who are active members of the account. */
  #lock({ id, accountId }: MemberWorkspace, userIds: readonly string[], session: SqlSession): Promise<LockedPlace[]> {
    return session.query<LockedPlace>(
      `select m.user_id as "userId", m.role, (select wm.role from workspace_member wm
         where wm.account_id = m.account_id and wm.workspace_id = $2 and wm.user_id = m.user_id) as "workspaceRole"
       from member m where m.account_id = $1 and m.user_id = any ($3::uuid[]) and m.deactivated_at is null
       order by m.user_id for update`,
      [accountId, id, userIds],
    );
  }

  #named({ id }: MemberWorkspace, userIds: readonly string[], session: SqlSession): Promise<WorkspaceMember[]> {
    return session.query<WorkspaceMember>(
      `select ${COLUMNS} from ${MEMBERS} where ${BELONGS} and m.user_id = any ($2::uuid[])
       order by array_position($2::uuid[], m.user_id)`,
      [id, userIds],
    );
  }

  /**
   * Throws a 400 if the user has keys in the workspace. Keys of sessions do not count, except for a key that created an
   * intern, because such a key is kept after its session.
   */
  async #assertNoKeys({ id, accountId }: MemberWorkspace, userId: string, session: SqlSession): Promise<void> {
    const [keys] = await session.query<{ found: number }>(
      `select count(*)::int as found from api_key k
       where k.account_id = $1 and k.workspace_id = $2 and k.creator_user_id = $3 and k.deleted_at is null
         and (k.console_session_id is null or exists (select 1 from intern i where i.creator_key_no = k.no))`,
      [accountId, id, userId],
    );
    if (keys!.found > 0)
      throw invalidRequest(`user_ids: ${userId} has ${keys!.found} keys in the workspace: delete them first`);
  }

  /** Deletes the membership, and ends the member's sessions whose calls use the workspace. */
  async #leave(
    workspace: MemberWorkspace,
    userId: string,
    by: MemberEditor,
    session: SqlSession,
  ): Promise<EndedSession[]> {
    const { id, accountId } = workspace;
    await session.query('delete from workspace_member where account_id = $1 and workspace_id = $2 and user_id = $3', [
      accountId,
      id,
      userId,
    ]);
    await this.#record(workspace, userId, 'delete', undefined, by, session);
    return this.sessions.endAll({ accountId, userId }, { action: 'delete', by }, session, { workspaceId: id });
  }

  #record(
    { id, accountId }: MemberWorkspace,
    userId: string,
    action: AuditAction,
    role: WorkspaceRole | undefined,
    by: MemberEditor,
    session: SqlSession,
    changes?: SettingChange[],
  ): Promise<void> {
    const subject = { kind: 'workspace_member', id: `${id}/${userId}` };
    return this.audit.record({ by, action, ...subject, role, changes, accountId }, session);
  }
}
