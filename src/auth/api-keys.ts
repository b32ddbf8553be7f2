import { EntityManager, LockMode, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ApiKey, type LimitReset } from '../database/api-key.entity.js';
import { sessionOf, type Alongside } from '../database/session-of.js';
import { Clock } from '../kernel/clock.js';
import { conflict, notFound } from '../kernel/errors.js';
import type { Page } from '../kernel/page.js';
import type { Nano } from '../kernel/money.js';
import type { KeyClass } from '../kernel/principal.js';
import { WorkspaceContents } from '../tenancy/workspace-contents.js';
import { Workspaces } from '../tenancy/workspaces.js';
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

/** What may change of a key; absent = stays. */
export type KeyChanges = Partial<
  Pick<ApiKey, 'name' | 'disabled' | 'limitNano' | 'limitReset' | 'includeByokInLimit' | 'deletedAt'>
>;

const HASH = /^[0-9a-f]{64}$/;

/** Issues, finds and changes keys. Every look-up names the account: another's key does not exist for it. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly directory: KeyDirectory,
    private readonly workspaces: Workspaces,
    contents: WorkspaceContents,
  ) {
    contents.register('keys', async (workspaceId, session) => {
      const [row] = await session.query<{ found: number }>(
        'select count(*)::int as found from api_key where workspace_id = $1 and deleted_at is null',
        [workspaceId],
      );
      return row?.found ?? 0;
    });
  }

  /** `secret` is given only at bootstrap; otherwise one is made. */
  async issue(request: NewKey, secret: string = newKeySecret(), alongside?: Alongside<ApiKey>): Promise<IssuedKey> {
    const hash = hashOfKey(secret);
    const key = await this.em.fork().transactional(async (em) => {
      if ((await em.count(ApiKey, { hash })) > 0) throw conflict('This key exists already');
      if (!(await this.workspaces.hold(request.workspaceId, sessionOf(em)))) throw notFound('No workspace has this id');
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
    if (!HASH.test(hash)) return null;
    return this.em.fork().findOne(ApiKey, { accountId, hash, deletedAt: null });
  }

  async findBySecret(secret: string): Promise<ApiKey | null> {
    return this.em.fork().findOne(ApiKey, { hash: hashOfKey(secret), deletedAt: null });
  }

  /** Newest first. */
  async list(where: FilterQuery<ApiKey>, page: Page): Promise<ApiKey[]> {
    return this.em
      .fork()
      .find(
        ApiKey,
        { $and: [where, { deletedAt: null }] },
        { orderBy: { createdAt: 'desc', no: 'desc' }, offset: page.offset, limit: page.limit },
      );
  }

  /** With the deleted ones: what they spent is still theirs. */
  async everMade(accountId: string, where: { hash?: string; creatorUserId?: string }): Promise<ApiKey[]> {
    const named = Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined));
    if (where.hash !== undefined && !HASH.test(where.hash)) return [];
    return this.em.fork().find(ApiKey, { accountId, ...named });
  }

  /** Null where the account has no such key. Every replica hears of it as it commits. */
  async change(
    accountId: string,
    hash: string,
    changes: KeyChanges,
    alongside: Alongside<ApiKey>,
  ): Promise<ApiKey | null> {
    if (!HASH.test(hash)) return null;
    const changed = await this.em.fork().transactional(async (em) => {
      const key = await em.findOne(
        ApiKey,
        { accountId, hash, deletedAt: null },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      if (!key) return null;
      if (Object.keys(changes).length > 0) em.assign(key, { ...changes, updatedAt: this.clock.now() });
      await em.flush();
      await alongside(key, sessionOf(em));
      return key;
    });
    this.directory.forget(hash);
    return changed;
  }

  /** The row stays, and answers as if it never existed. */
  async delete(accountId: string, hash: string, alongside: Alongside<ApiKey>): Promise<boolean> {
    return (await this.change(accountId, hash, { deletedAt: this.clock.now() }, alongside)) !== null;
  }
}
