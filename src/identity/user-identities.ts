import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';

/** A person at a provider. */
export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

/** The latest claims of the provider. They are not used to find users. */
export interface IdentityFacts {
  readonly provider: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
}

export interface LinkedIdentity extends IdentityKey, IdentityFacts {
  readonly createdAt: Date;
  readonly usedAt: Date;
}

/** The id of an identity in the API and in the audit. It is a hash, because a subject may be a person's name. */
export const idOfIdentity = ({ issuer, subject }: IdentityKey): string =>
  hash('sha256', `${issuer}\n${subject}`, 'hex').slice(0, 32);

/** The first number of the advisory locks of identities. */
const LOCK_SPACE = 7_400;

/** Maps identities to users. A user is found only by issuer and subject. */
@Injectable()
export class UserIdentities {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the identity until the end of the transaction, even if no user has it yet, so that concurrent sign-ins run
   * one after the other. Returns the id of its user; null if there is none.
   */
  async lock({ issuer, subject }: IdentityKey, session: SqlSession): Promise<string | null> {
    await session.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCK_SPACE, `${issuer}\n${subject}`]);
    const [row] = await session.query<{ userId: string }>(
      'select user_id as "userId" from user_identity where issuer = $1 and subject = $2',
      [issuer, subject],
    );
    return row?.userId ?? null;
  }

  async link(key: IdentityKey, userId: string, facts: IdentityFacts, session: SqlSession): Promise<void> {
    await session.query(
      `insert into user_identity (issuer, subject, provider, user_id, email, email_verified, name, created_at, used_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [key.issuer, key.subject, facts.provider, userId, facts.email, facts.emailVerified, facts.name, this.clock.now()],
    );
  }

  async refresh(key: IdentityKey, facts: IdentityFacts, session: SqlSession): Promise<void> {
    await session.query(
      `update user_identity set provider = $3, email = $4, email_verified = $5, name = $6, used_at = $7
       where issuer = $1 and subject = $2`,
      [key.issuer, key.subject, facts.provider, facts.email, facts.emailVerified, facts.name, this.clock.now()],
    );
  }

  /** Oldest first. */
  list(userId: string, session: SqlSession = this.sql): Promise<LinkedIdentity[]> {
    return session.query<LinkedIdentity>(
      `select issuer, subject, provider, email, email_verified as "emailVerified", name, created_at as "createdAt",
         used_at as "usedAt"
       from user_identity where user_id = $1 order by created_at, issuer, subject`,
      [userId],
    );
  }

  async unlink({ issuer, subject }: IdentityKey, session: SqlSession): Promise<void> {
    await session.query('delete from user_identity where issuer = $1 and subject = $2', [issuer, subject]);
  }
}
