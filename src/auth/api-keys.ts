import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ApiKey, type LimitReset } from '../database/api-key.entity.js';
import { sessionOf, type Alongside } from '../database/session-of.js';
import { Clock } from '../kernel/clock.js';
import { conflict } from '../kernel/errors.js';
import type { Nano } from '../kernel/money.js';
import type { KeyClass } from '../kernel/principal.js';
import { KeyDirectory } from './key-directory.js';
import { hashOfKey, labelOfKey, newKeySecret } from './key-secret.js';

export interface NewKey {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly keyClass: KeyClass;
  readonly name: string;
  readonly creatorUserId: string | null;
  readonly limitNano?: Nano | null;
  readonly limitReset?: LimitReset | null;
  readonly includeByokInLimit?: boolean;
  readonly expiresAt?: Date | null;
  readonly internId?: string | null;
}

export interface IssuedKey {
  readonly key: ApiKey;
  /** Shown once, stored nowhere. */
  readonly secret: string;
}

/** Issues and finds keys. Every look-up names the account: another's key does not exist for it. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly directory: KeyDirectory,
  ) {}

  /** `secret` is given only at bootstrap; otherwise one is made. */
  async issue(request: NewKey, secret: string = newKeySecret(), alongside?: Alongside<ApiKey>): Promise<IssuedKey> {
    const hash = hashOfKey(secret);
    const key = await this.em.fork().transactional(async (em) => {
      if ((await em.count(ApiKey, { hash })) > 0) throw conflict('This key exists already');
      const created = this.#create(em, hash, secret, request);
      await em.flush();
      await alongside?.(created, sessionOf(em));
      return created;
    });
    this.directory.forget(hash);
    return { key, secret };
  }

  #create(em: EntityManager, hash: string, secret: string, request: NewKey): ApiKey {
    return em.create(ApiKey, {
      hash,
      accountId: request.accountId,
      workspaceId: request.workspaceId,
      keyClass: request.keyClass,
      name: request.name,
      label: labelOfKey(secret),
      disabled: false,
      limitNano: request.limitNano ?? null,
      limitReset: request.limitReset ?? null,
      includeByokInLimit: request.includeByokInLimit ?? false,
      expiresAt: request.expiresAt ?? null,
      creatorUserId: request.creatorUserId,
      externalUser: null,
      internId: request.internId ?? null,
      createdAt: this.clock.now(),
      updatedAt: null,
      deletedAt: null,
    } as unknown as ApiKey);
  }

  async find(accountId: string, hash: string): Promise<ApiKey | null> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return null;
    return this.em.fork().findOne(ApiKey, { accountId, hash, deletedAt: null });
  }

  async findBySecret(secret: string): Promise<ApiKey | null> {
    return this.em.fork().findOne(ApiKey, { hash: hashOfKey(secret), deletedAt: null });
  }

  async list(where: FilterQuery<ApiKey>, page: { offset: number; limit: number }): Promise<ApiKey[]> {
    return this.em.fork().find(ApiKey, { $and: [where, { deletedAt: null }] }, { orderBy: { createdAt: 'desc', no: 'desc' }, offset: page.offset, limit: page.limit });
  }
}
