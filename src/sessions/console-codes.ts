import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { MemberId } from '../auth/member-keys.js';
import { Sql, type SqlSession } from '../database/sql.js';
import type { Role } from '../kernel/access/permissions.js';
import { Clock } from '../kernel/clock.js';
import { hashOfToken, newConsoleCode } from './session-token.js';

const CODE_LIFE_MS = 300_000;

/** The owner of a used code. */
interface SignedInMember extends MemberId {
  /** Null if the membership has ended or is deactivated. */
  readonly role: Role | null;
}

/** One-time codes, which sign a member in to the console without a key. */
@Injectable()
export class ConsoleCodes {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Returns the URL of the page that signs in with a new code. The code is in the fragment, because browsers neither
   * send nor log fragments.
   */
  async link(baseUrl: string, owner: MemberId, by: AuditActor): Promise<{ url: string; expiresAt: Date }> {
    const code = newConsoleCode();
    const expiresAt = new Date(this.clock.now().getTime() + CODE_LIFE_MS);
    await this.sql.transaction(async (session) => {
      const codeHash = hashOfToken(code);
      await session.query(
        'insert into console_code (code_hash, account_id, user_id, expires_at) values ($1, $2, $3, $4)',
        [codeHash, owner.accountId, owner.userId, expiresAt],
      );
      const entry = { by, action: 'create', kind: 'console_code', id: codeHash, accountId: owner.accountId } as const;
      await this.audit.record(entry, session);
    });
    return { url: `${baseUrl}/console/#code=${code}`, expiresAt };
  }

  /**
   * Uses a code in the caller's transaction, and locks the membership against removal. Null if the code does not exist,
   * was used or has expired.
   */
  async use(code: string, session: SqlSession): Promise<SignedInMember | null> {
    const [owner] = await session.query<SignedInMember>(
      `update console_code c set used_at = $2 where c.code_hash = $1 and c.used_at is null and c.expires_at > $2
       returning c.account_id as "accountId", c.user_id as "userId",
         (select m.role from member m
          where m.account_id = c.account_id and m.user_id = c.user_id and m.deactivated_at is null for share) as role`,
      [hashOfToken(code), this.clock.now()],
    );
    return owner ?? null;
  }

  /** Deletes the unused codes of a member. */
  async discard({ accountId, userId }: MemberId, session: SqlSession): Promise<void> {
    await session.query('delete from console_code where account_id = $1 and user_id = $2 and used_at is null', [
      accountId,
      userId,
    ]);
  }

  /** The account of a refused code, for the audit; null if the code is unknown. */
  async accountOf(code: string): Promise<string | null> {
    const [row] = await this.sql.query<{ account_id: string }>(
      'select account_id from console_code where code_hash = $1',
      [hashOfToken(code)],
    );
    return row?.account_id ?? null;
  }
}
