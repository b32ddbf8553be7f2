import { EntityManager, LockMode, UniqueConstraintViolationException, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ApiKey, type LimitReset } from '../database/entities/api-key.entity.js';
import { sessionOf, type InChange, type InTransaction } from '../database/session-of.js';
import { Clock } from '../kernel/clock.js';
import { conflict, invalidRequest } from '../kernel/errors/errors.js';
import type { Reach } from '../kernel/access/reach.js';
import type { Role } from '../kernel/access/permissions.js';
import type { Page } from '../kernel/page.js';
import type { Nano } from '../kernel/money.js';
import { givenMembers } from '../kernel/given-members.js';
import { roleOfKey, type KeyClass, type Principal } from '../kernel/principal.js';
import { Accounts } from '../tenancy/accounts.js';
import { Workspaces } from '../tenancy/workspaces.js';
import { assertMayEnable } from './keys/enabled-keys.js';
import { KeyAliases } from './keys/key-aliases.js';
import { KeyDirectory } from './key-directory.js';
import { hashOfKey, isKeyHash, labelOfKey, newKeySecret } from './key-secret.js';

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
  /** The user of another system for whom the key was created. */
  readonly externalUser?: string | null;
  /** The role of a management key; default: owner. */
  readonly role?: Role;
}

/** A key with its secret. */
export interface IssuedKey {
  readonly key: ApiKey;
  /** Returned once, never stored. */
  readonly secret: string;
}

/** The fields that may change; absent = unchanged. */
export type KeyChanges = Partial<
  Pick<
    ApiKey,
    | 'name'
    | 'disabled'
    | 'limitNano'
    | 'limitReset'
    | 'raiseNano'
    | 'raiseUntil'
    | 'includeByokInLimit'
    | 'responseCacheTtlS'
    | 'allowedModels'
    | 'requestsPerMinute'
    | 'exportContent'
    | 'callLimits'
    | 'sessionLimitNano'
    | 'trustEndUserHeaders'
    | 'deletedAt'
  >
>;

/** Changes that depend on the locked row. They cannot enable a key, because its member must be locked first. */
export type KeyChangesByRow = KeyChanges & { readonly disabled?: never };

/** The keys of an account that a caller may read or change. */
export type KeyReach = Pick<Reach, 'accountId' | 'only'>;

/** The condition for the keys of a reach. */
export function keysWithin({ accountId, only }: KeyReach): FilterQuery<ApiKey> & object {
  if (!only) return { accountId };
  const workspaceId = { $in: only.workspaces.map((workspace) => workspace.workspaceId) };
  // A management key acts in the whole account, so it belongs to no workspace.
  const ofWorkspaces = { workspaceId, keyClass: { $ne: 'management' as const } };
  return { accountId, $or: [ofWorkspaces, ...(only.userId === null ? [] : [{ creatorUserId: only.userId }])] };
}

const KNOWN = 'This key already exists';

/** Issues, finds and changes keys. A lookup with a reach finds only the keys of that reach. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly directory: KeyDirectory,
    private readonly workspaces: Workspaces,
    private readonly aliases: KeyAliases,
    private readonly accounts: Accounts,
  ) {}

  /**
   * `secret`: a secret from bootstrap or another system. Throws a conflict if a key has or had this secret, and a 400
   * if there is no such workspace.
   */
  async issue(
    request: NewKey,
    secret: string = newKeySecret(),
    inTransaction?: InTransaction<ApiKey>,
  ): Promise<IssuedKey> {
    const hash = hashOfKey(secret);
    const key = await this.em
      .fork()
      .transactional(async (em) => {
        if (await this.aliases.isKnown(hash, sessionOf(em))) throw conflict(KNOWN);
        if (!(await this.workspaces.hold(request.workspaceId, sessionOf(em))))
          throw invalidRequest('workspace_id must be the id of a workspace of this account');
        const created = this.#create(em, hash, secret, request);
        await em.flush();
        await inTransaction?.(created, sessionOf(em));
        return created;
      })
      .catch((error: unknown) => {
        // Another request created a key with this secret at the same time.
        throw error instanceof UniqueConstraintViolationException ? conflict(KNOWN) : error;
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
      raiseNano: 0n,
      raiseUntil: null,
      sessionLimitNano: null,
      callLimits: null,
      includeByokInLimit: request.includeByokInLimit ?? false,
      responseCacheTtlS: null,
      trustEndUserHeaders: false,
      allowedModels: null,
      requestsPerMinute: null,
      exportContent: false,
      role: roleOfKey(request),
      expiresAt: request.expiresAt ?? null,
      creatorUserId: request.creatorUserId,
      externalUser: request.externalUser ?? null,
      internId: request.internId ?? null,
      createdAt: this.clock.now(),
      updatedAt: null,
      deletedAt: null,
    });
  }

  async find(reach: KeyReach, hash: string): Promise<ApiKey | null> {
    if (!isKeyHash(hash)) return null;
    return this.#findIn(this.em.fork(), reach, hash);
  }

  /** Locks the key for the transaction of `em`. */
  async lock(em: EntityManager, reach: KeyReach, hash: string): Promise<ApiKey | null> {
    if (!isKeyHash(hash)) return null;
    return this.#findIn(em, reach, hash, LockMode.PESSIMISTIC_WRITE);
  }

  /** Finds a key by its hash, or by a former hash that is still valid. */
  async #findIn(em: EntityManager, reach: KeyReach, hash: string, lockMode?: LockMode): Promise<ApiKey | null> {
    const where = { ...keysWithin(reach), deletedAt: null };
    const key = await em.findOne(ApiKey, { ...where, hash }, { lockMode });
    if (key) return key;
    const no = await this.aliases.keyNoOf(hash, lockMode === undefined ? undefined : sessionOf(em));
    return no === undefined ? null : em.findOne(ApiKey, { ...where, no }, { lockMode });
  }

  /** Whether a key has or had this secret, deleted keys included. */
  isKnown(secret: string): Promise<boolean> {
    return this.aliases.isKnown(hashOfKey(secret));
  }

  /** Newest first. */
  list(where: FilterQuery<ApiKey>, { offset, limit }: Page): Promise<ApiKey[]> {
    const newestFirst = { orderBy: { createdAt: 'desc', no: 'desc' }, offset, limit } as const;
    return this.em.fork().find(ApiKey, { $and: [where, { deletedAt: null }] }, newestFirst);
  }

  /** Includes deleted keys, because their past spend still counts. */
  async everMade(reach: KeyReach, where: { hash?: string; creatorUserId?: string } = {}): Promise<ApiKey[]> {
    const { hash, ...others } = where;
    if (hash !== undefined && !isKeyHash(hash)) return [];
    const no = hash === undefined ? undefined : await this.aliases.keyNoOf(hash);
    const named = givenMembers({ ...others, hash: no === undefined ? hash : undefined, no });
    return this.em.fork().find(ApiKey, { $and: [keysWithin(reach), named] });
  }

  /**
   * Checks whether a caller may read the calls of a key. A management key may read the calls of keys within its reach;
   * any other key may read only its own calls.
   */
  async coverCallsOf(caller: Principal, no: number): Promise<boolean> {
    if (caller.keyClass !== 'management') return no === caller.keyNo;
    return !caller.only || (await this.em.fork().count(ApiKey, { $and: [keysWithin(caller), { no }] })) > 0;
  }

  /** Returns the hashes of keys by their numbers. Includes deleted keys. */
  async hashesOf(accountId: string, nos: readonly number[]): Promise<Map<number, string>> {
    if (nos.length === 0) return new Map();
    const where = { accountId, no: { $in: [...new Set(nos)] } };
    const keys = await this.em.fork().find(ApiKey, where, { fields: ['no', 'hash'] });
    return new Map(keys.map(({ no, hash }) => [no, hash]));
  }

  /**
   * Returns null if there is no such key. Every replica is notified at commit. If `change` is a function, it receives
   * the locked row. Throws a 409 if the change enables a key whose member is not active or has a role below the role of
   * the key.
   */
  async change(
    reach: KeyReach,
    hash: string,
    change: KeyChanges | ((key: ApiKey) => KeyChangesByRow),
    inTransaction: InChange<ApiKey>,
  ): Promise<ApiKey | null> {
    const enables = typeof change !== 'function' && change.disabled === false;
    const userId = enables ? (await this.find(reach, hash))?.creatorUserId : undefined;
    const changed = await this.em.fork().transactional(async (em) => {
      // A change of a member locks the member before the keys. The same order here prevents a deadlock.
      const memberRole = userId ? await this.accounts.holdMember(reach.accountId, userId, sessionOf(em)) : null;
      const key = await this.lock(em, reach, hash);
      if (!key) return null;
      const before = { ...key };
      const changes = typeof change === 'function' ? change(key) : change;
      if (Object.keys(changes).length > 0) em.assign(key, { ...changes, updatedAt: this.clock.now() });
      await em.flush();
      await inTransaction(key, sessionOf(em), before);
      if (before.disabled && !key.disabled) assertMayEnable(key, memberRole);
      return key;
    });
    if (changed) for (const each of [hash, changed.hash]) this.directory.forget(each);
    return changed;
  }

  /** Marks a key as deleted, so that it can no longer be found. Returns false if there is no such key. */
  async delete(reach: KeyReach, hash: string, inTransaction: InTransaction<ApiKey>): Promise<boolean> {
    return (await this.change(reach, hash, { deletedAt: this.clock.now() }, inTransaction)) !== null;
  }
}
