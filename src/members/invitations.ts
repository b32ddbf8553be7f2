import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { isAbove, PERMISSIONS, ROLES, type Role } from '../kernel/access/permissions.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { Clock } from '../kernel/clock.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { newId } from '../kernel/ids.js';
import type { Page, Paged } from '../kernel/page.js';
import { hashOfToken, newSessionToken } from '../sessions/session-token.js';
import { assertMayGive, type MemberEditor } from './member-rules.js';
import { Memberships } from './memberships.js';

const LIFETIME_MS = 7 * 86_400_000;

/** The rights that an invitation gives, fixed at its creation. */
interface InvitationRequest {
  readonly accountId: string;
  readonly role: Role;
  /** Workspaces of this account. */
  readonly workspaceIds: readonly string[];
  /**
   * Only a person with this verified address at an identity provider may use the invitation; null = anyone with the
   * link.
   */
  readonly email: string | null;
}

export interface Invitation extends InvitationRequest {
  readonly id: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  /** Null for the operator, and for a key without a member. */
  readonly createdBy: string | null;
}

/** The person who uses an invitation. */
interface InvitedPerson {
  readonly userId: string;
  readonly verifiedEmail: string | null;
}

const COLUMNS = `i.id, i.account_id as "accountId", i.role, i.workspace_ids as "workspaceIds", i.email,
  i.expires_at as "expiresAt", i.created_at as "createdAt", i.created_by as "createdBy"`;

const INVITERS = ROLES.filter((role) => PERMISSIONS['members.write'][role] !== 'none');

/** The roles that each role may give, in the form `role:giver`. */
const GIVERS = INVITERS.flatMap((giver) =>
  ROLES.filter((role) => !isAbove(role, giver)).map((role) => `'${role}:${giver}'`),
);

/**
 * SQL condition: the invitation is unused, not revoked and not expired ($1: now), and its creator may still give the
 * role.
 */
const USABLE = `i.used_at is null and i.revoked_at is null and i.expires_at > $1
  and (i.created_by is null or exists (
    select 1 from member m where m.account_id = i.account_id and m.user_id = i.created_by
      and m.deactivated_at is null and i.role || ':' || m.role in (${GIVERS.join()})))
  and (i.created_by_key_no is null or exists (
    select 1 from api_key k where k.no = i.created_by_key_no and k.deleted_at is null and not k.disabled
      and (k.expires_at is null or k.expires_at > $1)
      and i.role || ':' || coalesce(k.role, 'owner') in (${GIVERS.join()})))`;

/**
 * An invitation is a link that makes one person a member, once and within seven days. Only the hash of its token is
 * stored. Callers cannot distinguish unknown, used, expired and revoked tokens.
 */
@Injectable()
export class Invitations {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly members: Memberships,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the token, which cannot be read later. Throws a 403 if the role is above the creator's role. */
  async create(request: InvitationRequest, by: MemberEditor): Promise<{ invitation: Invitation; token: string }> {
    const { accountId, role } = request;
    await this.#assertMayInvite(request, by);
    const token = newSessionToken();
    const createdAt = this.clock.now();
    const invitation = {
      ...request,
      id: newId(),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + LIFETIME_MS),
      createdBy: typeof by === 'string' ? null : by.creatorUserId,
    };
    await this.sql.transaction(async (session) => {
      // The key of a session is not recorded, because it is deleted with the session. The member's role is still
      // checked.
      await session.query(
        `insert into invitation (id, account_id, token_hash, role, workspace_ids, email, created_by, created_by_key_no,
           created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7,
           (select no from api_key where hash = $8 and console_session_id is null), $9, $10)`,
        [
          invitation.id,
          accountId,
          hashOfToken(token),
          role,
          request.workspaceIds,
          request.email,
          invitation.createdBy,
          typeof by === 'string' ? null : by.keyHash,
          createdAt,
          invitation.expiresAt,
        ],
      );
      const entry = { by, action: 'create', kind: 'invitation', id: invitation.id, role, accountId } as const;
      await this.audit.record(entry, session);
    });
    return { invitation, token };
  }

  /** The usable invitations, newest first. */
  async list(accountId: string, { offset, limit }: Page = { offset: 0, limit: 100 }): Promise<Paged<Invitation>> {
    const now = this.clock.now();
    const items = await this.sql.query<Invitation>(
      `select ${COLUMNS} from invitation i where ${USABLE} and i.account_id = $2
       order by i.created_at desc, i.id offset $3 limit $4`,
      [now, accountId, offset, limit],
    );
    const [count] = await this.sql.query<{ total: number }>(
      `select count(*)::int as total from invitation i where ${USABLE} and i.account_id = $2`,
      [now, accountId],
    );
    return { items, total: count!.total };
  }

  /** False if the account has no such invitation, or if it was used or revoked. */
  revoke(accountId: string, id: string, by: MemberEditor): Promise<boolean> {
    return this.sql.transaction(async (session) => {
      const revoked = await session.query(
        `update invitation set revoked_at = $3
         where id = $2 and account_id = $1 and used_at is null and revoked_at is null returning 1`,
        [accountId, id, this.clock.now()],
      );
      if (revoked.length === 0) return false;
      await this.audit.record({ by, action: 'delete', kind: 'invitation', id, accountId }, session);
      return true;
    });
  }

  /** Null for an unknown, used, expired or revoked token, and if the creator may no longer give the role. */
  async find(token: string): Promise<Invitation | null> {
    const [found] = await this.sql.query<Invitation>(
      `select ${COLUMNS} from invitation i where ${USABLE} and i.token_hash = $2`,
      [this.clock.now(), hashOfToken(token)],
    );
    return found ?? null;
  }

  /**
   * Uses an invitation in the caller's transaction. The person becomes a member with the role and the workspaces of the
   * invitation. An active member keeps the current role unless the role of the invitation is higher. Returns null if
   * the invitation is no longer usable, or is for another address than `verifiedEmail`.
   */
  async use(
    id: string,
    { userId, verifiedEmail }: InvitedPerson,
    session: SqlSession,
    place?: CallerPlace,
  ): Promise<Invitation | null> {
    // Every change of members must lock the account first.
    await session.query(
      'select 1 from account a where a.id = (select account_id from invitation where id = $1) for update',
      [id],
    );
    const [used] = await session.query<Invitation>(
      `update invitation i set used_at = $1, used_by = $3
       where i.id = $2 and ${USABLE} and (i.email is null or lower(i.email) = lower($4))
       returning ${COLUMNS}`,
      [this.clock.now(), id, userId, verifiedEmail],
    );
    if (!used) return null;
    const { accountId, role, workspaceIds } = used;
    const entry = {
      by: 'service',
      action: 'use',
      kind: 'invitation',
      id: `${id}/${userId}`,
      accountId,
      place,
    } as const;
    await this.audit.record(entry, session);
    const workspaces = workspaceIds.map((workspaceId) => ({ workspaceId, role: 'member' as const }));
    const given = await this.#roleToGive(used, userId, session);
    await this.members.add(accountId, userId, given ?? role, 'invitation', workspaces, 'service', place, session);
    return used;
  }

  /** The current role of an active member if the role of the invitation is not higher; otherwise undefined. */
  async #roleToGive({ accountId, role }: Invitation, userId: string, session: SqlSession): Promise<Role | undefined> {
    const [present] = await session.query<{ role: Role }>(
      'select role from member where account_id = $1 and user_id = $2 and deactivated_at is null for update',
      [accountId, userId],
    );
    return present && !isAbove(role, present.role) ? present.role : undefined;
  }

  async #assertMayInvite({ accountId, role }: InvitationRequest, by: MemberEditor): Promise<void> {
    try {
      assertMayGive(by, role);
    } catch (error) {
      if (error instanceof GatewayError)
        await this.audit.record({ by, action: 'refuse', kind: 'invitation', id: accountId, role, accountId });
      throw error;
    }
  }
}
