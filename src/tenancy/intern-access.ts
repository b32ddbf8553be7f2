import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { notFound } from '../kernel/errors/errors.js';

type WithSession = (session: SqlSession) => Promise<void>;

/** Access to interns: members of the programme, and workspaces that allow them. */
@Injectable()
export class InternAccess {
  constructor(private readonly sql: Sql) {}

  /**
   * Admits a user to the programme, or expels the user: in one account, or in all accounts of the user if `accountId`
   * is null. Returns the number of accounts. Throws a 404 if it is 0.
   */
  async setProgramme(
    userId: string,
    accountId: string | null,
    admitted: boolean,
    inTransaction: WithSession,
  ): Promise<number> {
    return this.sql.transaction(async (session) => {
      const changed = await session.query(
        `update member set in_interns_programme = $3
         where user_id = $1 and ($2::uuid is null or account_id = $2) returning 1`,
        [userId, accountId, admitted],
      );
      if (changed.length === 0)
        throw notFound(
          `User ${userId} is not a member of ${accountId === null ? 'any account' : 'this account'}: ` +
            '`members list` shows the members',
        );
      await inTransaction(session);
      return changed.length;
    });
  }

  async setWorkspace(workspaceId: string, allowed: boolean, inTransaction: WithSession): Promise<void> {
    await this.sql.transaction(async (session) => {
      const changed = await session.query('update workspace set interns_allowed = $2 where id = $1 returning 1', [
        workspaceId,
        allowed,
      ]);
      if (changed.length === 0)
        throw notFound(`No workspace has the id ${workspaceId}: \`workspaces list\` shows the ids`);
      await inTransaction(session);
    });
  }
}
