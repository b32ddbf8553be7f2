import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { notFound } from '../kernel/errors/errors.js';
import { newId } from '../kernel/ids.js';
import { SecretBox } from '../secrets/secret-box.js';
import type { VaultOwner } from './vault-owner.js';

export interface OpenedVault {
  readonly id: string;
  readonly dataKeyId: string;
}

const COLUMNS = 'id, data_key_id as "dataKeyId"';

/**
 * Each intern has a vault, which is created with the intern. Each workspace has a vault, which is created with its
 * first secret.
 */
@Injectable()
export class Vaults {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly box: SecretBox,
  ) {}

  /** Whether vaults can be created and used, which requires a master key. */
  get available(): boolean {
    return this.box.available;
  }

  async find({ workspaceId, internId }: VaultOwner, session: SqlSession = this.sql): Promise<OpenedVault | undefined> {
    const [vault] = await session.query<OpenedVault>(
      `select ${COLUMNS} from vault where workspace_id = $1 and intern_id is not distinct from $2`,
      [workspaceId, internId],
    );
    return vault;
  }

  /**
   * Returns the owner's vault. Creates the vault if it does not exist. Locks the owner's row, so that concurrent calls
   * create only one vault. Stores the id of an intern's vault in the row of the intern.
   */
  async ensure(session: SqlSession, owner: VaultOwner): Promise<OpenedVault> {
    const owning = owner.internId === null ? ['workspace', owner.workspaceId] : ['intern', owner.internId];
    const locked = await session.query(`select 1 from ${owning[0]} where id = $1 for no key update`, [owning[1]]);
    if (locked.length === 0) throw notFound('Not found');
    const vault = (await this.find(owner, session)) ?? (await this.#make(session, owner));
    if (owner.internId !== null)
      await session.query('update intern set vault_id = $2 where id = $1 and vault_id is null', [
        owner.internId,
        vault.id,
      ]);
    return vault;
  }

  async #make(session: SqlSession, owner: VaultOwner): Promise<OpenedVault> {
    const vault = { id: newId(this.clock.now().getTime()), dataKeyId: await this.box.createDataKey(session) };
    await session.query(
      'insert into vault (id, workspace_id, intern_id, data_key_id, created_at) values ($1, $2, $3, $4, $5)',
      [vault.id, owner.workspaceId, owner.internId, vault.dataKeyId, this.clock.now()],
    );
    return vault;
  }

  /** Returns the id of an intern's private vault. Creates the vault if it does not exist. */
  async ensureOfIntern(session: SqlSession, internId: string): Promise<string> {
    const [intern] = await session.query<{ workspace_id: string; vault_id: string | null }>(
      'select workspace_id, vault_id from intern where id = $1',
      [internId],
    );
    if (!intern) throw notFound('Not found');
    if (intern.vault_id !== null) return intern.vault_id;
    return (await this.ensure(session, { workspaceId: intern.workspace_id, internId })).id;
  }

  /**
   * Call this before changing the content of a vault. Locks the row of the vault until the commit. The commit
   * invalidates caches.
   */
  async noteChange(session: SqlSession, vaultId: string): Promise<void> {
    await session.query('update vault set version = version + 1 where id = $1', [vaultId]);
    await session.query(`select pg_notify('vault_changed', '')`);
  }

  /** Deletes an intern's vault with its content, and detaches it from other interns. */
  async destroyOfIntern(session: SqlSession, internId: string): Promise<void> {
    const vaults = await session.query<OpenedVault>(`delete from vault where intern_id = $1 returning ${COLUMNS}`, [
      internId,
    ]);
    for (const { id, dataKeyId } of vaults) {
      await session.query('delete from vault_secret where vault_id = $1', [id]);
      await session.query('delete from vault_secret_previous where vault_id = $1', [id]);
      await session.query('update intern set attached_vault_id = null, updated_at = $2 where attached_vault_id = $1', [
        id,
        this.clock.now(),
      ]);
      await this.box.destroyDataKey(dataKeyId, session);
    }
  }
}
