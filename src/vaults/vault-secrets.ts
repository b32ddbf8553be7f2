import { Injectable } from '@nestjs/common';
import type { AuditActor } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { notFound } from '../kernel/errors/errors.js';
import type { Page } from '../kernel/page.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { SecretBox } from '../secrets/secret-box.js';
import { PreviousValues } from './previous-values.js';
import { bindingOf, SECRET_COLUMNS, type SecretRecord, type VaultOwner } from './vault-owner.js';
import { Vaults, type OpenedVault } from './vaults.js';

/** A part of the secrets of a vault. */
export interface SecretPage {
  readonly secrets: readonly SecretRecord[];
  readonly hasMore: boolean;
}

interface NewSecret {
  readonly name: string;
  /** Exact host names, as exactHostName returns them. */
  readonly hosts: readonly string[];
  readonly value: SecretValue;
}

interface SealedRow {
  readonly name: string;
  readonly hosts: string[];
  readonly sealed: Buffer;
}

/** The secrets in vaults. Values are write-only; reads return metadata. */
@Injectable()
export class VaultSecrets {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly box: SecretBox,
    private readonly audit: AuditTrail,
    private readonly vaults: Vaults,
    private readonly previous: PreviousValues,
  ) {}

  /** Sorted by name. Reads one secret more than the page, to detect whether there are more. */
  async list(owner: VaultOwner, { offset, limit }: Page): Promise<SecretPage> {
    const found = await this.sql.query<SecretRecord>(
      `select ${SECRET_COLUMNS} from vault v join vault_secret s on s.vault_id = v.id
       where v.workspace_id = $1 and v.intern_id is not distinct from $2 order by s.name collate "C" offset $3
         limit $4`,
      [owner.workspaceId, owner.internId, offset, limit + 1],
    );
    return { secrets: found.slice(0, limit), hasMore: found.length > limit };
  }

  /** Creates or replaces a secret. */
  async store(by: AuditActor, owner: VaultOwner, secret: NewSecret): Promise<SecretRecord> {
    return this.sql.transaction(async (session) => {
      const vault = await this.vaults.ensure(session, owner);
      await this.vaults.noteChange(session, vault.id);
      const record = await this.#write(session, vault, secret);
      await this.audit.record(
        { by, action: 'update', kind: 'vault_secret', id: `${vault.id}/${secret.name}` },
        session,
      );
      return record;
    });
  }

  async delete(by: AuditActor, owner: VaultOwner, name: string): Promise<void> {
    await this.sql.transaction(async (session) => {
      const vault = await this.vaults.find(owner, session);
      if (!vault) throw notFound('No secret has this name');
      await this.vaults.noteChange(session, vault.id);
      await this.previous.keepDeleted(session, vault.id, name);
      const deleted = await session.query('delete from vault_secret where vault_id = $1 and name = $2 returning 1', [
        vault.id,
        name,
      ]);
      if (deleted.length === 0) throw notFound('No secret has this name');
      await this.audit.record({ by, action: 'delete', kind: 'vault_secret', id: `${vault.id}/${name}` }, session);
    });
  }

  /**
   * Copies the workspace's secrets with these names into the intern's vault, all or none. The result has the order of
   * `names`.
   */
  async copyToIntern(
    by: AuditActor,
    workspaceId: string,
    internId: string,
    names: readonly string[],
  ): Promise<readonly SecretRecord[]> {
    return this.sql.transaction(async (session) => {
      const source = await this.vaults.find({ workspaceId, internId: null }, session);
      const rows = source
        ? await session.query<SealedRow>(
            'select name, hosts, sealed from vault_secret where vault_id = $1 and name = any($2) for share',
            [source.id, names],
          )
        : [];
      const found = new Map(rows.map((row) => [row.name, row]));
      const missing = names.filter((name) => !found.has(name));
      if (!source || missing.length > 0)
        throw notFound(`The workspace has no secret named ${missing.slice(0, 5).join(', ')}: nothing was copied`);
      const target = await this.vaults.ensure(session, { workspaceId, internId });
      // Call this once for all names, because thousands of updates of one row in one transaction are slow.
      await this.vaults.noteChange(session, target.id);
      const copies: SecretRecord[] = [];
      for (const name of names) {
        const { hosts, sealed } = found.get(name)!;
        await this.audit.record({ by, action: 'copy', kind: 'vault_secret', id: `${source.id}/${name}` }, session);
        const value = await this.box.open(source.dataKeyId, bindingOf(source.id, name), sealed, session);
        copies.push(await this.#write(session, target, { name, hosts, value }));
      }
      return copies;
    });
  }

  async #write(session: SqlSession, vault: OpenedVault, { name, hosts, value }: NewSecret): Promise<SecretRecord> {
    const sealed = await this.box.seal(vault.dataKeyId, bindingOf(vault.id, name), value, session);
    const fingerprint = await this.box.fingerprint(vault.dataKeyId, value, session);
    await this.previous.keepReplaced(session, vault.id, name, { fingerprint, hosts });
    const [record] = await session.query<SecretRecord>(
      `insert into vault_secret as s (vault_id, name, hosts, sealed, fingerprint, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6)
       on conflict (vault_id, name) do update set hosts = excluded.hosts, sealed = excluded.sealed,
           fingerprint = excluded.fingerprint, updated_at = excluded.updated_at
       returning ${SECRET_COLUMNS}`,
      [vault.id, name, hosts, sealed, fingerprint, this.clock.now()],
    );
    return record!;
  }
}
