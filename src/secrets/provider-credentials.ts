import { EntityManager, LockMode, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ByokCredential } from '../database/entities/byok-credential.entity.js';
import { sessionOf, type InChange, type InTransaction } from '../database/session-of.js';
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
import { CredentialDirectory } from './credential-directory.js';
import { SecretBox } from './secret-box.js';

interface NewCredential extends Omit<CredentialSettings, 'sortOrder'> {
  readonly accountId: string;
  /** Null = every workspace of the account. */
  readonly workspaceId: string | null;
  readonly provider: string;
  readonly secret: SecretValue;
}

/** Identifies a credential of an account. If `workspaceIds` is set, credentials of other workspaces are not found. */
export interface CredentialPlace {
  readonly id: string;
  readonly accountId: string;
  readonly workspaceIds?: readonly string[];
}

interface CredentialFilter {
  readonly accountId: string;
  readonly workspaceIds: readonly (string | null)[];
  readonly provider?: { readonly $in: string[] };
}

const at = ({ id, accountId, workspaceIds }: CredentialPlace): FilterQuery<ByokCredential> => ({
  id,
  accountId,
  ...(workspaceIds && { workspaceId: { $in: [...workspaceIds] } }),
});

/**
 * Stores callers' own credentials. They are sealed under the data key of their workspace or, if they serve all
 * workspaces, under the data key of their account. This class never opens them. CredentialDirectory opens them for
 * calls.
 */
@Injectable()
export class ProviderCredentials {
  constructor(
    private readonly em: EntityManager,
    private readonly box: SecretBox,
    private readonly clock: Clock,
    private readonly directory: CredentialDirectory,
  ) {}

  /**
   * The credentials, in the order of use. A null in `workspaceIds` selects the credentials that serve every workspace
   * of the account.
   */
  async list({ workspaceIds, ...where }: CredentialFilter, page: Page): Promise<Paged<ProviderCredential>> {
    const inWorkspaces = { ...where, $or: workspaceIds.map((workspaceId) => ({ workspaceId })) };
    const [items, total] = await this.em.fork().findAndCount(ByokCredential, inWorkspaces, {
      orderBy: { sortOrder: 'asc', workspaceId: 'asc nulls last', createdAt: 'asc', id: 'asc' },
      offset: page.offset,
      limit: page.limit,
    });
    return { items: items.map(withoutSecret), total };
  }

  async find(place: CredentialPlace): Promise<ProviderCredential | null> {
    const found = await this.em.fork().findOne(ByokCredential, at(place));
    return found && withoutSecret(found);
  }

  /**
   * Creates a credential and puts it last in the order of its provider. A credential of one workspace follows the other
   * credentials of the workspace. A credential for every workspace follows all credentials of the account.
   */
  async create(
    credential: NewCredential,
    inTransaction: InTransaction<ProviderCredential>,
  ): Promise<ProviderCredential> {
    const { secret, ...settings } = credential;
    return this.#change(async (em) => {
      const session = sessionOf(em);
      if (credential.workspaceId !== null) await holdWorkspace(credential.workspaceId, session);
      const dataKeyId = await this.#lockDataKey(keyPlaceOf(credential), session);
      const id = newId(this.clock.now().getTime());
      const [last] = await session.query<{ sort_order: number }>(
        `select sort_order from byok_credential
         where account_id = $1 and provider = $2 and ($3::uuid is null or workspace_id = $3)
         order by sort_order desc limit 1`,
        [credential.accountId, credential.provider, credential.workspaceId],
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
    inTransaction: InChange<ProviderCredential>,
  ): Promise<ProviderCredential | null> {
    return this.#change(async (em) => {
      const credential = await em.findOne(ByokCredential, at(place), { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!credential) return null;
      const session = sessionOf(em);
      const before = withoutSecret(credential);
      const resealed = secret && {
        sealed: await this.box.seal(credential.dataKeyId, bindingOfCredential(credential.id), secret, session),
        label: labelOfCredential(secret.reveal()),
      };
      if (resealed || Object.keys(changes).length > 0)
        em.assign(credential, { ...changes, ...resealed, updatedAt: this.clock.now() });
      await em.flush();
      await inTransaction(withoutSecret(credential), session, before);
      return withoutSecret(credential);
    });
  }

  /**
   * Deletes a credential with its sealed bytes. Also deletes the data key if it seals no other credential. Returns
   * false if there is no such credential.
   */
  async delete(place: CredentialPlace, inTransaction: InTransaction<ProviderCredential>): Promise<boolean> {
    return this.#change(async (em) => {
      const credential = await em.findOne(ByokCredential, at(place));
      if (!credential) return false;
      const session = sessionOf(em);
      const { table, column, owner } = keyPlaceOf(credential);
      await session.query(`select 1 from ${table} where ${column} = $1 for update`, [owner]);
      if ((await em.nativeDelete(ByokCredential, { id: credential.id })) === 0) return false;
      if ((await em.count(ByokCredential, { dataKeyId: credential.dataKeyId })) === 0) {
        await session.query(`delete from ${table} where ${column} = $1`, [owner]);
        await this.box.destroyDataKey(credential.dataKeyId, session);
      }
      await inTransaction(withoutSecret(credential), session);
      return true;
    });
  }

  /** Calls in this process use the change at once, before its notification arrives. */
  async #change<Result>(change: (em: EntityManager) => Promise<Result>): Promise<Result> {
    const result = await this.em.fork().transactional(change);
    this.directory.forget();
    return result;
  }

  /** Counts the credentials that serve only this workspace. */
  async countIn(workspaceId: string, session: SqlSession): Promise<number> {
    const [row] = await session.query<{ count: number }>(
      'select count(*)::int as count from byok_credential where workspace_id = $1',
      [workspaceId],
    );
    return row?.count ?? 0;
  }

  /**
   * Returns the id of the data key of a workspace or an account. Creates the data key on first use. Locks the row that
   * names the data key, which serialises the creation and deletion of credentials under this data key.
   */
  async #lockDataKey({ table, column, owner }: KeyPlace, session: SqlSession): Promise<string> {
    const lock = async (): Promise<string | undefined> =>
      (
        await session.query<{ data_key_id: string }>(
          `select data_key_id from ${table} where ${column} = $1 for update`,
          [owner],
        )
      )[0]?.data_key_id;
    for (;;) {
      const existing = await lock();
      if (existing) return existing;
      const made = await this.box.createDataKey(session);
      const [row] = await session.query(
        `insert into ${table} (${column}, data_key_id) values ($1, $2) on conflict do nothing returning 1`,
        [owner, made],
      );
      if (row) return made;
      await this.box.destroyDataKey(made, session);
    }
  }
}

/** The maximum of PostgreSQL's integer. */
const MAX_SORT_ORDER = 2_147_483_647;

/** The row that names the data key of a credential. */
interface KeyPlace {
  readonly table: 'workspace_data_key' | 'account_data_key';
  readonly column: 'workspace_id' | 'account_id';
  readonly owner: string;
}

const keyPlaceOf = ({ accountId, workspaceId }: Pick<ProviderCredential, 'accountId' | 'workspaceId'>): KeyPlace =>
  workspaceId === null
    ? { table: 'account_data_key', column: 'account_id', owner: accountId }
    : { table: 'workspace_data_key', column: 'workspace_id', owner: workspaceId };

/**
 * Locks the workspace until the commit. Otherwise a concurrent deletion of the workspace could leave a credential
 * behind.
 */
async function holdWorkspace(id: string, session: SqlSession): Promise<void> {
  const [held] = await session.query('select 1 from workspace where id = $1 and deleted_at is null for share', [id]);
  if (!held) throw invalidRequest('workspace_id must be the id of a workspace of this account');
}
