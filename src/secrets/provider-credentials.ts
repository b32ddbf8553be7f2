import { EntityManager, LockMode, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ByokCredential } from '../database/entities/byok-credential.entity.js';
import { sessionOf, type InTransaction } from '../database/session-of.js';
import type { SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import { newId } from '../kernel/ids.js';
import type { Page, Paged } from '../kernel/page.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { labelOfCredential } from './credential-label.js';
import {
  bindingOfCredential,
  withoutSecret,
  type CredentialSettings,
  type ProviderCredential,
} from './provider-credential.js';
import { SecretBox } from './secret-box.js';

interface NewCredential extends Omit<CredentialSettings, 'sortOrder'> {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly provider: string;
  readonly secret: SecretValue;
}

/** Identifies a credential. Every lookup includes the account, and the workspace if the caller is restricted to one. */
export interface CredentialPlace {
  readonly id: string;
  readonly accountId: string;
  readonly workspaceIds?: readonly string[];
}

const at = ({ id, accountId, workspaceIds }: CredentialPlace): FilterQuery<ByokCredential> => ({
  id,
  accountId,
  ...(workspaceIds && { workspaceId: { $in: [...workspaceIds] } }),
});

/**
 * Stores callers' own credentials, sealed under their workspace's data key. Write-only: CredentialDirectory opens them
 * for calls.
 */
@Injectable()
export class ProviderCredentials {
  constructor(
    private readonly em: EntityManager,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** In the order of use. */
  async list(
    where: { accountId: string; workspaceId: string; provider?: { $in: string[] } },
    page: Page,
  ): Promise<Paged<ProviderCredential>> {
    const [items, total] = await this.em.fork().findAndCount(ByokCredential, where, {
      orderBy: { sortOrder: 'asc', createdAt: 'asc', id: 'asc' },
      offset: page.offset,
      limit: page.limit,
    });
    return { items: items.map(withoutSecret), total };
  }

  async find(place: CredentialPlace): Promise<ProviderCredential | null> {
    const found = await this.em.fork().findOne(ByokCredential, at(place));
    return found && withoutSecret(found);
  }

  /** Creates a credential, last in the order of its workspace and provider. */
  async create(
    credential: NewCredential,
    inTransaction: InTransaction<ProviderCredential>,
  ): Promise<ProviderCredential> {
    const { secret, ...settings } = credential;
    return this.em.fork().transactional(async (em) => {
      const session = sessionOf(em);
      // Lock the workspace until the commit, so that a concurrent deletion cannot leave a credential behind.
      const [workspace] = await session.query(
        'select 1 from workspace where id = $1 and deleted_at is null for share',
        [credential.workspaceId],
      );
      if (!workspace) throw invalidRequest('workspace_id names no workspace of this account');
      const dataKeyId = await this.#lockDataKey(credential.workspaceId, session);
      const id = newId(this.clock.now().getTime());
      const [last] = await session.query<{ sort_order: number }>(
        `select sort_order from byok_credential where workspace_id = $1 and provider = $2 order by sort_order desc
          limit 1`,
        [credential.workspaceId, credential.provider],
      );
      const created = em.create(ByokCredential, {
        ...settings,
        id,
        dataKeyId,
        sealed: await this.box.seal(dataKeyId, bindingOfCredential(id), secret, session),
        label: labelOfCredential(secret.reveal()),
        sortOrder: last ? Math.min(last.sort_order + 1, MAX_SORT_ORDER) : 0,
        createdAt: this.clock.now(),
        updatedAt: null,
      });
      await em.flush();
      await inTransaction(withoutSecret(created), session);
      return withoutSecret(created);
    });
  }

  /** Changes the given members; a new secret replaces the old one. Returns null if there is no such credential. */
  async update(
    place: CredentialPlace,
    changes: Partial<CredentialSettings>,
    secret: SecretValue | undefined,
    inTransaction: InTransaction<ProviderCredential>,
  ): Promise<ProviderCredential | null> {
    return this.em.fork().transactional(async (em) => {
      const credential = await em.findOne(ByokCredential, at(place), { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!credential) return null;
      const session = sessionOf(em);
      const resealed = secret && {
        sealed: await this.box.seal(credential.dataKeyId, bindingOfCredential(credential.id), secret, session),
        label: labelOfCredential(secret.reveal()),
      };
      if (resealed || Object.keys(changes).length > 0)
        em.assign(credential, { ...changes, ...resealed, updatedAt: this.clock.now() });
      await em.flush();
      await inTransaction(withoutSecret(credential), session);
      return withoutSecret(credential);
    });
  }

  /**
   * Deletes the sealed bytes, and with the last credential of a workspace its data key. Returns false if there is no
   * such credential.
   */
  async delete(place: CredentialPlace, inTransaction: InTransaction<ProviderCredential>): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const credential = await em.findOne(ByokCredential, at(place));
      if (!credential) return false;
      const session = sessionOf(em);
      await session.query('select 1 from workspace_data_key where workspace_id = $1 for update', [
        credential.workspaceId,
      ]);
      if ((await em.nativeDelete(ByokCredential, { id: credential.id })) === 0) return false;
      if ((await em.count(ByokCredential, { workspaceId: credential.workspaceId })) === 0) {
        await session.query('delete from workspace_data_key where workspace_id = $1', [credential.workspaceId]);
        await this.box.destroyDataKey(credential.dataKeyId, session);
      }
      await inTransaction(withoutSecret(credential), session);
      return true;
    });
  }

  async countIn(workspaceId: string, session: SqlSession): Promise<number> {
    const [row] = await session.query<{ count: number }>(
      'select count(*)::int as count from byok_credential where workspace_id = $1',
      [workspaceId],
    );
    return row?.count ?? 0;
  }

  /**
   * Returns the workspace's data key, created on first use. Its row is locked, which serialises creations and deletions
   * in a workspace.
   */
  async #lockDataKey(workspaceId: string, session: SqlSession): Promise<string> {
    const lock = async (): Promise<string | undefined> =>
      (
        await session.query<{ data_key_id: string }>(
          'select data_key_id from workspace_data_key where workspace_id = $1 for update',
          [workspaceId],
        )
      )[0]?.data_key_id;
    for (;;) {
      const existing = await lock();
      if (existing) return existing;
      const made = await this.box.createDataKey(session);
      const [row] = await session.query(
        'insert into workspace_data_key (workspace_id, data_key_id) values ($1, $2) on conflict do nothing returning 1',
        [workspaceId, made],
      );
      if (row) return made;
      await this.box.destroyDataKey(made, session);
    }
  }
}

/** The maximum of PostgreSQL's integer. */
const MAX_SORT_ORDER = 2_147_483_647;
