import { EntityManager, LockMode, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { EndUser } from '../database/entities/end-user.entity.js';
import { sessionOf, type InTransaction } from '../database/session-of.js';
import { Clock } from '../kernel/clock.js';
import { conflict } from '../kernel/errors/errors.js';
import type { Page, Paged } from '../kernel/page.js';

/** The customers of an account, registered by tracking id. Every lookup includes the account. */
@Injectable()
export class EndUsers {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async find(accountId: string, trackingId: string): Promise<EndUser | null> {
    return this.em.fork().findOne(EndUser, { accountId, trackingId });
  }

  /** Newest first. */
  async list(
    accountId: string,
    wanted: { trackingId?: string; includeInactive: boolean },
    page: Page,
  ): Promise<Paged<EndUser>> {
    const where = {
      accountId,
      ...(wanted.trackingId === undefined ? {} : { trackingId: wanted.trackingId }),
      ...(wanted.includeInactive ? {} : { isActive: true }),
    };
    const [items, total] = await this.em.fork().findAndCount(EndUser, where, {
      orderBy: { createdAt: 'desc', trackingId: 'asc' },
      offset: page.offset,
      limit: page.limit,
    });
    return { items, total };
  }

  /** Throws a conflict if the tracking id is already registered, even if the end user is inactive. */
  async register(accountId: string, trackingId: string, inTransaction: InTransaction<EndUser>): Promise<EndUser> {
    const taken = conflict('This tracking ID is already registered');
    if (await this.find(accountId, trackingId)) throw taken;
    try {
      return await this.em.fork().transactional(async (em) => {
        const now = this.clock.now();
        const user = em.create(EndUser, { accountId, trackingId, isActive: true, createdAt: now, updatedAt: now });
        await em.flush();
        await inTransaction(user, sessionOf(em));
        return user;
      });
    } catch (error) {
      // A concurrent request has registered the tracking id.
      throw error instanceof UniqueConstraintViolationException ? taken : error;
    }
  }

  /** Null if the tracking id is not registered. `updatedAt` is the time of the last change of state. */
  async setActive(
    accountId: string,
    trackingId: string,
    isActive: boolean,
    inTransaction: InTransaction<EndUser>,
  ): Promise<EndUser | null> {
    return this.em.fork().transactional(async (em) => {
      const user = await em.findOne(EndUser, { accountId, trackingId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!user) return null;
      if (user.isActive !== isActive) em.assign(user, { isActive, updatedAt: this.clock.now() });
      await em.flush();
      await inTransaction(user, sessionOf(em));
      return user;
    });
  }
}
