import { EntityManager, LockMode, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { EndUser } from '../database/end-user.entity.js';
import { sessionOf, type Alongside } from '../database/session-of.js';
import { Clock } from '../kernel/clock.js';
import { conflict } from '../kernel/errors.js';
import type { Page, Paged } from '../kernel/page.js';

/** The users of an account's own customers, registered by tracking id. Every look-up names the account. */
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
    const [items, total] = await this.em
      .fork()
      .findAndCount(EndUser, where, {
        orderBy: { createdAt: 'desc', trackingId: 'asc' },
        offset: page.offset,
        limit: page.limit,
      });
    return { items, total };
  }

  /** A tracking id is registered once, whether it is active or not. */
  async register(accountId: string, trackingId: string, alongside: Alongside<EndUser>): Promise<EndUser> {
    const taken = conflict('This tracking ID is already registered');
    if (await this.find(accountId, trackingId)) throw taken;
    try {
      return await this.em.fork().transactional(async (em) => {
        const now = this.clock.now();
        const user = em.create(EndUser, { accountId, trackingId, isActive: true, createdAt: now, updatedAt: now });
        await em.flush();
        await alongside(user, sessionOf(em));
        return user;
      });
    } catch (error) {
      // Registered by another request at the same time.
      throw error instanceof UniqueConstraintViolationException ? taken : error;
    }
  }

  /** Null where it is not registered. `updatedAt` tells when the state last changed. */
  async setActive(
    accountId: string,
    trackingId: string,
    isActive: boolean,
    alongside: Alongside<EndUser>,
  ): Promise<EndUser | null> {
    return this.em.fork().transactional(async (em) => {
      const user = await em.findOne(EndUser, { accountId, trackingId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!user) return null;
      if (user.isActive !== isActive) em.assign(user, { isActive, updatedAt: this.clock.now() });
      await em.flush();
      await alongside(user, sessionOf(em));
      return user;
    });
  }
}
