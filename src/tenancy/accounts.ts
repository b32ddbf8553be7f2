import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Account } from '../database/entities/account.entity.js';
import { Member } from '../database/entities/member.entity.js';
import { sessionOf, type InTransaction } from '../database/session-of.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { User } from '../database/entities/user.entity.js';
import { Workspace } from '../database/entities/workspace.entity.js';
import type { Role } from '../kernel/access/permissions.js';
import { Clock } from '../kernel/clock.js';
import { conflict, notFound } from '../kernel/errors/errors.js';
import { newId } from '../kernel/ids.js';

/** Accounts, users and memberships. */
@Injectable()
export class Accounts {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly sql: Sql,
  ) {}

  /** Creates an account with a default workspace and without users. */
  async create(
    name: string,
    inTransaction?: InTransaction<Account>,
    isOperator = false,
  ): Promise<{ account: Account; workspace: Workspace }> {
    return this.em.fork().transactional(async (em) => {
      const createdAt = this.clock.now();
      const account = em.create(Account, { id: newId(), name, isOperator, createdAt });
      const workspace = em.create(Workspace, {
        id: newId(),
        accountId: account.id,
        name: 'Default',
        slug: 'default',
        description: null,
        isDefault: true,
        internsAllowed: true,
        createdBy: null,
        createdAt,
        updatedAt: null,
      });
      await em.flush();
      await inTransaction?.(account, sessionOf(em));
      return { account, workspace };
    });
  }

  async createUser(name: string, email: string | null, inTransaction?: InTransaction<User>): Promise<User> {
    return this.em.fork().transactional(async (em) => {
      if (email && (await em.count(User, { email })) > 0)
        throw conflict(`A user with the e-mail address ${email} exists already`);
      const user = em.create(User, { id: newId(), name, email, createdAt: this.clock.now() });
      await em.flush();
      await inTransaction?.(user, sessionOf(em));
      return user;
    });
  }

  async addMember(
    accountId: string,
    userId: string,
    role: Role,
    inInternsProgramme: boolean,
    inTransaction?: InTransaction<Member>,
  ): Promise<Member> {
    return this.em.fork().transactional(async (em) => {
      if ((await em.count(Account, { id: accountId })) === 0) throw notFound(`No account has the id ${accountId}`);
      if ((await em.count(User, { id: userId })) === 0) throw notFound(`No user has the id ${userId}`);
      if ((await em.count(Member, { accountId, userId })) > 0)
        throw conflict('This user is a member of the account already');
      const member = em.create(Member, { accountId, userId, role, inInternsProgramme, createdAt: this.clock.now() });
      await em.flush();
      await inTransaction?.(member, sessionOf(em));
      return member;
    });
  }

  /** The account that manages the resources shared by all accounts. Null before the first start. */
  async findOperator(): Promise<Account | null> {
    return this.em.fork().findOne(Account, { isOperator: true }, { orderBy: { no: 'asc' } });
  }

  async list(): Promise<Account[]> {
    return this.em.fork().find(Account, {}, { orderBy: { no: 'asc' } });
  }

  /** The account created by the first start. */
  async first(): Promise<Account> {
    const [first] = await this.em.fork().find(Account, {}, { orderBy: { no: 'asc' }, limit: 1 });
    return first!;
  }

  async find(id: string): Promise<Account | null> {
    return this.em.fork().findOne(Account, { id });
  }

  async listUsers(): Promise<User[]> {
    return this.em.fork().find(User, {}, { orderBy: { no: 'asc' } });
  }

  async findUser(id: string): Promise<User | null> {
    return this.em.fork().findOne(User, { id });
  }

  async listMembers(accountId?: string): Promise<Member[]> {
    return this.em.fork().find(Member, accountId ? { accountId } : {}, { orderBy: { createdAt: 'asc' } });
  }

  async isMember(accountId: string, userId: string): Promise<boolean> {
    return (await this.em.fork().count(Member, { accountId, userId })) > 0;
  }

  /**
   * Locks an active membership against changes until the transaction ends, and returns its role. Null if the user has
   * no active membership.
   */
  async holdMember(accountId: string, userId: string, session: SqlSession): Promise<Role | null> {
    const [held] = await session.query<Pick<Member, 'role'>>(
      'select role from member where account_id = $1 and user_id = $2 and deactivated_at is null for share',
      [accountId, userId],
    );
    return held?.role ?? null;
  }

  /** Null for a user who is not a member, or is deactivated. `session`: required inside a transaction. */
  async roleOf(accountId: string, userId: string, session: SqlSession = this.sql): Promise<Role | null> {
    const [member] = await session.query<Pick<Member, 'role'>>(
      'select role from member where account_id = $1 and user_id = $2 and deactivated_at is null',
      [accountId, userId],
    );
    return member?.role ?? null;
  }
}
