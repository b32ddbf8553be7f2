import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { changedSettings, type SettingChange } from '../audit/setting-changes.js';
import type { RoleSource } from '../database/entities/member.entity.js';
import { Sql, type SqlSession } from '../database/sql.js';
import type { Role, WorkspaceRole } from '../kernel/access/permissions.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { Clock } from '../kernel/clock.js';
import { GatewayError, notFound } from '../kernel/errors/errors.js';
import { MemberAccess, type EndedAccess } from './member-access.js';
import { MemberRows, type LockedMember } from './member-rows.js';
import { assertMayChange, assertMayGive, assertOwnerRemains, type MemberEditor } from './member-rules.js';

/** A workspace that a member is added to. */
interface WorkspacePlace {
  readonly workspaceId: string;
  readonly role: WorkspaceRole;
}

/** One change of one member. */
interface MemberChange {
  readonly accountId: string;
  readonly userId: string;
  readonly by: MemberEditor;
  /** Set if `by` has no place. */
  readonly place?: CallerPlace;
}

const NOTHING_ENDED: EndedAccess = { keyHashes: [], sessions: [] };

/**
 * The members of accounts: adding them, changing their roles, deactivating and removing them. Each change is one
 * transaction, which locks the account, then the rows of members, then keys in the order of `no`.
 */
@Injectable()
export class Memberships {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly rows: MemberRows,
    private readonly access: MemberAccess,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Gives a member a role. If the role changes, the member's sessions end, and management keys above the new role are
   * disabled or lowered. A deactivated member becomes active again, but the keys stay disabled. If `source` is
   * `provider`, a role that a person has set is kept. Throws a 404 if the user is not a member, a 403 if the editor's
   * role does not allow the change, and a 409 if no owner would remain.
   */
  setRole(
    accountId: string,
    userId: string,
    role: Role,
    source: RoleSource,
    by: MemberEditor,
    place?: CallerPlace,
    session?: SqlSession,
  ): Promise<void> {
    const change = { accountId, userId, by, place };
    return this.#run(change, session, role, (members, open) => this.#give(change, members, role, source, open));
  }

  /**
   * Makes a user a member of the account and of workspaces, in the caller's transaction. An existing member gets the
   * role as in `setRole`, and the additional workspaces.
   */
  add(
    accountId: string,
    userId: string,
    role: Role,
    source: RoleSource,
    workspaces: readonly WorkspacePlace[],
    by: MemberEditor,
    place: CallerPlace | undefined,
    session: SqlSession,
  ): Promise<void> {
    const change = { accountId, userId, by, place };
    return this.#run(change, session, role, async (members, open) => {
      let ended = NOTHING_ENDED;
      if (members.some((each) => each.userId === userId)) {
        ended = await this.#give(change, members, role, source, open);
      } else {
        assertMayGive(by, role);
        await this.rows.insert(change, role, source, this.clock.now(), open);
        await this.#record(change, 'create', role, open, changedSettings(undefined, { role }));
      }
      for (const workspace of workspaces) await this.#addTo(change, workspace, open);
      return ended;
    });
  }

  /**
   * Ends the access of a member and keeps the row: keys are disabled, sessions end, interns are suspended. If `source`
   * is `provider`, a member whose role a person has set stays active.
   */
  deactivate(
    accountId: string,
    userId: string,
    source: RoleSource,
    by: MemberEditor,
    place?: CallerPlace,
    session?: SqlSession,
  ): Promise<void> {
    const change = { accountId, userId, by, place };
    return this.#run(change, session, null, async (members, open) => {
      const member = leaving(change, members);
      if (!member.isActive || overridesPerson(source, member)) return NOTHING_ENDED;
      await this.rows.deactivate(change, source, this.clock.now(), open);
      return this.#end(change, member, 'deactivate', open);
    });
  }

  /**
   * Ends the membership. The member's keys are disabled and kept. The records and disks of the member's interns are
   * kept too.
   */
  remove(accountId: string, userId: string, by: MemberEditor): Promise<void> {
    const change = { accountId, userId, by };
    return this.#run(change, undefined, null, async (members, open) => {
      const member = leaving(change, members);
      await this.rows.delete(change, open);
      return this.#end(change, member, 'delete', open);
    });
  }

  async #give(
    change: MemberChange,
    members: readonly LockedMember[],
    role: Role,
    source: RoleSource,
    session: SqlSession,
  ): Promise<EndedAccess> {
    const member = memberOf(change, members);
    if (overridesPerson(source, member)) return NOTHING_ENDED;
    if (member.role === role && member.isActive && member.source === source) return NOTHING_ENDED;
    assertMayChange(change.by, member);
    assertMayGive(change.by, role);
    assertOwnerRemains(members, member.userId, role);
    await this.rows.setRole(change, role, source, session);
    const before = { role: member.role, active: member.isActive };
    await this.#record(change, 'update', role, session, changedSettings(before, { role, active: true }));
    return member.role === role ? NOTHING_ENDED : this.access.adjust({ ...change, holder: change, session }, role);
  }

  async #end(
    change: MemberChange,
    member: LockedMember,
    action: 'delete' | 'deactivate',
    session: SqlSession,
  ): Promise<EndedAccess> {
    const ended = await this.access.end({ ...change, holder: change, session });
    await this.rows.revokeInvitationsAndCredentials(change, this.clock.now(), session);
    const changes = action === 'deactivate' ? changedSettings({ active: true }, { active: false }) : undefined;
    await this.#record(change, action, undefined, session, changes);
    await this.rows.announce(change, member.role, action === 'deactivate', session);
    return ended;
  }

  async #addTo(change: MemberChange, { workspaceId, role }: WorkspacePlace, session: SqlSession): Promise<void> {
    if (!(await this.rows.addTo(change, workspaceId, role, this.clock.now(), session))) return;
    const { accountId, userId, by, place } = change;
    const id = `${workspaceId}/${userId}`;
    await this.audit.record({ by, action: 'create', kind: 'workspace_member', id, role, accountId, place }, session);
  }

  async #record(
    { accountId, userId, by, place }: MemberChange,
    action: AuditAction,
    role: Role | undefined,
    session?: SqlSession,
    changes?: SettingChange[],
  ): Promise<void> {
    const id = `${accountId}/${userId}`;
    await this.audit.record({ by, action, kind: 'member', id, role, changes, accountId, place }, session);
  }

  /**
   * Locks the members and runs `work`, in the caller's transaction or, without `session`, in a new one. A 403 is
   * recorded outside the transaction, so that the record is kept when the transaction is rolled back.
   */
  async #run(
    change: MemberChange,
    session: SqlSession | undefined,
    role: Role | null,
    work: (members: readonly LockedMember[], session: SqlSession) => Promise<EndedAccess>,
  ): Promise<void> {
    const locked = async (open: SqlSession): Promise<EndedAccess> =>
      work(await this.rows.lock(change.accountId, change.userId, open), open);
    try {
      if (session) await locked(session);
      else this.access.forget(await this.sql.transaction(locked));
    } catch (error) {
      if (error instanceof GatewayError && error.kind === 'forbidden')
        await this.#record(change, 'refuse', role ?? undefined);
      throw error;
    }
  }
}

/** Throws a 404 if the user is not a member. */
function memberOf({ userId }: MemberChange, members: readonly LockedMember[]): LockedMember {
  const member = members.find((each) => each.userId === userId);
  if (!member) throw notFound('No member of this account has this id');
  return member;
}

/**
 * Returns the member. Throws a 404 if the user is not a member, a 403 if the editor may not end the access, and a 409
 * if no owner would remain.
 */
function leaving(change: MemberChange, members: readonly LockedMember[]): LockedMember {
  const member = memberOf(change, members);
  assertMayChange(change.by, member);
  assertOwnerRemains(members, member.userId, null);
  return member;
}

/** Whether a provider would override the decision of a person. */
const overridesPerson = (source: RoleSource, member: LockedMember): boolean =>
  source === 'provider' && member.source !== 'provider';
