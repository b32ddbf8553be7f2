import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { Principal } from '../kernel/principal.js';

/** Whether a caller may use interns. */
export interface ProgrammeMembership {
  /** `no-member`: the key acts for an organisation, without a member. */
  readonly membership: 'admitted' | 'outside' | 'no-member';
  /** Whether the key's workspace allows interns. */
  readonly workspaceAllowsInterns: boolean;
}

/** Reads whether a caller takes part in the interns programme. */
@Injectable()
export class Programme {
  constructor(private readonly sql: Sql) {}

  async membershipOf({ accountId, workspaceId, creatorUserId }: Principal): Promise<ProgrammeMembership> {
    const [row] = await this.sql.query<{ admitted: boolean; allowed: boolean }>(
      `select coalesce(m.in_interns_programme, false) as admitted, w.interns_allowed as allowed
       from workspace w left join member m on m.account_id = w.account_id and m.user_id = $3
       where w.id = $2 and w.account_id = $1`,
      [accountId, workspaceId, creatorUserId],
    );
    return {
      membership: creatorUserId === null ? 'no-member' : row?.admitted ? 'admitted' : 'outside',
      workspaceAllowsInterns: row?.allowed ?? false,
    };
  }
}
