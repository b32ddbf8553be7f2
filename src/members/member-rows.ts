import { Injectable } from '@nestjs/common';
import type { MemberId } from '../auth/member-keys.js';
import type { RoleSource } from '../database/entities/member.entity.js';
import type { SqlSession } from '../database/sql.js';
import type { Role, WorkspaceRole } from '../kernel/access/permissions.js';
import { notFound } from '../kernel/errors/errors.js';
import type { PlacedMember } from './member-rules.js';

/** The notification channel. OrphanedInterns listens to it, and suspends the interns of the member. */
const MEMBER_ENDED = 'member_ended';

/** A member whose row is locked. */
export interface LockedMember extends PlacedMember {
  readonly source: RoleSource;
}

/** The statements on the rows of members. The transactions of Memberships call `lock` first. */
@Injectable()
export class MemberRows {
  /**
   * Locks the rows of the account, of its owners and of the user as a member. Returns the locked members. Throws a 404
   * if no account has this id.
   */
  async lock(accountId: string, userId: string, session: SqlSession): Promise<LockedMember[]> {
    const accounts = await session.query('select 1 from account where id = $1 for update', [accountId]);
    if (accounts.length === 0) throw notFound(`No account has the id ${accountId}`);
    return session.query<LockedMember>(
      `select user_id as "userId", role, role_source as source, deactivated_at is null as "isActive" from member
       where account_id = $1 and (user_id = $2 or role = 'owner') order by user_id for update`,
      [accountId, userId],
    );
  }

  /**
   * Adds a member with the flag `in_interns_programme`, which every new member has. The role's permission `interns`
   * decides whether members may use interns; individual members can be excluded by removing the flag.
   */
  async insert(
    { accountId, userId }: MemberId,
    role: Role,
    source: RoleSource,
    now: Date,
    session: SqlSession,
  ): Promise<void> {
    await session.query(
      `insert into member (account_id, user_id, role, role_source, in_interns_programme, created_at)
       values ($1, $2, $3, $4, true, $5)`,
      [accountId, userId, role, source, now],
    );
  }

  async setRole({ accountId, userId }: MemberId, role: Role, source: RoleSource, session: SqlSession): Promise<void> {
    await session.query(
      `update member set role = $3, role_source = $4, deactivated_at = null where account_id = $1 and user_id = $2`,
      [accountId, userId, role, source],
    );
  }

  async deactivate({ accountId, userId }: MemberId, source: RoleSource, now: Date, session: SqlSession): Promise<void> {
    await session.query(
      'update member set deactivated_at = $4, role_source = $3 where account_id = $1 and user_id = $2',
      [accountId, userId, source, now],
    );
  }

  /** Deletes the member and the workspace memberships. */
  async delete({ accountId, userId }: MemberId, session: SqlSession): Promise<void> {
    const member = [accountId, userId];
    await session.query('delete from workspace_member where account_id = $1 and user_id = $2', member);
    await session.query('delete from member where account_id = $1 and user_id = $2', member);
  }

  /**
   * Adds the member to a workspace. False if the membership already exists, or if the account has no such workspace.
   */
  async addTo(
    { accountId, userId }: MemberId,
    workspaceId: string,
    role: WorkspaceRole,
    now: Date,
    session: SqlSession,
  ): Promise<boolean> {
    const added = await session.query(
      `insert into workspace_member (account_id, workspace_id, user_id, role, created_at)
       select account_id, id, $3, $4, $5 from workspace
       where id = $2 and account_id = $1 and deleted_at is null for share
       on conflict do nothing returning 1`,
      [accountId, workspaceId, userId, role, now],
    );
    return added.length > 0;
  }

  /**
   * Revokes the invitations that the member created, and removes the member from the allow-lists of provider
   * credentials.
   */
  async revokeInvitationsAndCredentials(
    { accountId, userId }: MemberId,
    now: Date,
    session: SqlSession,
  ): Promise<void> {
    await session.query(
      `update invitation set revoked_at = $3
       where account_id = $1 and created_by = $2 and used_at is null and revoked_at is null`,
      [accountId, userId, now],
    );
    await session.query(
      `update byok_credential set allowed_user_ids = array_remove(allowed_user_ids, $2::text), updated_at = $3
       where account_id = $1 and $2::text = any (allowed_user_ids)`,
      [accountId, userId, now],
    );
  }

  /** Writes the event `member.removed`, and sends the notification `member_ended`. */
  async announce(
    { accountId, userId }: MemberId,
    role: Role,
    isDeactivation: boolean,
    session: SqlSession,
  ): Promise<void> {
    await session.query(
      `insert into event (account_no, type, data)
       select a.no, 'member.removed', jsonb_build_object('user_id', u.id, 'name', u.name, 'role', $3::text,
         'deactivated', $4::boolean)
       from account a, app_user u where a.id = $1 and u.id = $2`,
      [accountId, userId, role, isDeactivation],
    );
    await session.query(`select pg_notify('${MEMBER_ENDED}', $1)`, [userId]);
  }
}
