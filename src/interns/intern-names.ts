import { Injectable } from '@nestjs/common';
import { containing } from '../database/containing.js';
import { Sql } from '../database/sql.js';

/**
 * The interns of an account whose names a caller may read. `workspaceIds`: null = every workspace. `userId`: null =
 * every member.
 */
export interface InternReach {
  readonly accountId: string;
  readonly workspaceIds: readonly string[] | null;
  readonly userId: string | null;
  /** Only this intern. */
  readonly internId?: string;
}

export interface NamedIntern {
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
}

const WITHIN = `account_id = $1 and ($2::uuid[] is null or workspace_id = any ($2)) and ($3::uuid is null
  or creator_user_id = $3) and ($4::uuid is null or id = $4)`;

/** Finds the names of interns. */
@Injectable()
export class InternNames {
  constructor(private readonly sql: Sql) {}

  /** Uses a single statement. Omits deleted interns and interns outside the reach. */
  async named(reach: InternReach, ids: readonly string[]): Promise<NamedIntern[]> {
    if (ids.length === 0) return [];
    return this.sql.query<NamedIntern>(
      `select id, name, workspace_id as "workspaceId" from intern where ${WITHIN} and id = any ($5::uuid[])`,
      [...valuesOf(reach), ids],
    );
  }

  search(reach: InternReach, text: string, limit: number): Promise<NamedIntern[]> {
    return this.sql.query<NamedIntern>(
      `select id, name, workspace_id as "workspaceId" from intern where ${WITHIN} and name ilike $5
       order by name, id limit $6`,
      [...valuesOf(reach), containing(text), limit],
    );
  }
}

const valuesOf = ({ accountId, workspaceIds, userId, internId }: InternReach): unknown[] => [
  accountId,
  workspaceIds,
  userId,
  internId ?? null,
];
