import { Injectable } from '@nestjs/common';
import { containing } from '../database/containing.js';
import { Sql } from '../database/sql.js';
import type { Reach } from '../kernel/access/reach.js';
import { workspacesOf } from '../kernel/access/reach.js';
import { COVERED } from './member-list.js';

/** A person who is or was a member of the account. */
export interface NamedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly isMember: boolean;
}

/** Former members are found by the keys that they created, because these keys are kept. */
const FORMER_MEMBER = `$2::uuid[] is null and exists (
  select 1 from api_key k where k.account_id = $1 and k.creator_user_id = u.id)`;

/** Finds the names of people. */
@Injectable()
export class MemberNames {
  constructor(private readonly sql: Sql) {}

  /** Uses one statement. Omits people outside the reach. */
  async named(reach: Reach, userIds: readonly string[]): Promise<NamedPerson[]> {
    if (userIds.length === 0) return [];
    return this.sql.query<NamedPerson>(
      `select u.id, u.name, case when m.user_id is not null then u.email end as email,
         m.user_id is not null as "isMember"
       from app_user u left join member m on m.user_id = u.id and ${COVERED}
       where u.id = any ($3::uuid[]) and (m.user_id is not null or (${FORMER_MEMBER}))`,
      [reach.accountId, workspacesOf(reach) ?? null, userIds],
    );
  }

  /** Members whose name or address contains the text. */
  search(reach: Reach, text: string, limit: number): Promise<NamedPerson[]> {
    return this.sql.query<NamedPerson>(
      `select u.id, u.name, u.email, true as "isMember"
       from member m join app_user u on u.id = m.user_id
       where ${COVERED} and (u.name ilike $3 or u.email ilike $3) order by u.name, u.id limit $4`,
      [reach.accountId, workspacesOf(reach) ?? null, containing(text), limit],
    );
  }
}
