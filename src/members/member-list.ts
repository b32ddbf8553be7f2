import { Injectable } from '@nestjs/common';
import type { RoleSource } from '../database/entities/member.entity.js';
import { Sql } from '../database/sql.js';
import type { Role } from '../kernel/access/permissions.js';
import { workspacesOf, type Reach } from '../kernel/access/reach.js';
import type { Page, Paged } from '../kernel/page.js';

/** A member with the data of the person. */
export interface ListedMember {
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  readonly roleSource: RoleSource;
  readonly inInternsProgramme: boolean;
  readonly createdAt: Date;
  /** Null = active. */
  readonly deactivatedAt: Date | null;
}

/** $1: the account. $2: ids of workspaces whose members are included; null = every member. */
export const COVERED = `m.account_id = $1 and ($2::uuid[] is null or exists (
  select 1 from workspace w left join workspace_member wm on wm.workspace_id = w.id and wm.user_id = m.user_id
  where w.id = any ($2) and (w.is_default or m.role in ('owner', 'admin') or wm.user_id is not null)))`;

const COLUMNS = `m.user_id as "userId", u.name, u.email, m.role, m.role_source as "roleSource",
  m.in_interns_programme as "inInternsProgramme", m.created_at as "createdAt", m.deactivated_at as "deactivatedAt"`;

/** A member with the data for the operator. */
export interface MemberOfAccount extends ListedMember {
  readonly accountId: string;
  /** Issuer and subject of each identity of the user. */
  readonly identities: readonly string[];
}

/** The members of accounts with their users, in the order in which they were added. */
@Injectable()
export class MemberList {
  constructor(private readonly sql: Sql) {}

  async page(reach: Reach, { offset, limit }: Page): Promise<Paged<ListedMember>> {
    const bounds = [reach.accountId, workspacesOf(reach) ?? null];
    const items = await this.sql.query<ListedMember>(
      `select ${COLUMNS} from member m join app_user u on u.id = m.user_id where ${COVERED}
       order by m.created_at, m.user_id offset $3 limit $4`,
      [...bounds, offset, limit],
    );
    const [count] = await this.sql.query<{ total: number }>(
      `select count(*)::int as total from member m where ${COVERED}`,
      bounds,
    );
    return { items, total: count!.total };
  }

  /**
   * The members of one account, or of all accounts if `accountId` is null. `user`: only the user with this id or
   * address; null = all users.
   */
  all(accountId: string | null, user: string | null = null): Promise<MemberOfAccount[]> {
    return this.sql.query<MemberOfAccount>(
      `select ${COLUMNS}, m.account_id as "accountId", array(
         select i.issuer || ' ' || i.subject from user_identity i where i.user_id = m.user_id order by 1) as identities
       from member m join app_user u on u.id = m.user_id
       where ($1::uuid is null or m.account_id = $1)
         and ($2::text is null or u.id::text = lower($2) or lower(u.email) = lower($2))
       order by m.created_at, m.user_id`,
      [accountId, user],
    );
  }

  async find(accountId: string, userId: string): Promise<ListedMember | null> {
    const [found] = await this.sql.query<ListedMember>(
      `select ${COLUMNS} from member m join app_user u on u.id = m.user_id where m.account_id = $1 and m.user_id = $2`,
      [accountId, userId],
    );
    return found ?? null;
  }
}
