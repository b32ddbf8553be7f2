import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { Periodic } from '../kernel/scheduling/periodic.js';

/** How long a value is kept after its replacement or deletion, as an SQL interval. */
export const PREVIOUS_VALUE_RETENTION = `interval '30 days'`;
/** Limits on previous values, so that replacing values in a loop cannot fill the disk. The oldest are removed first. */
const MAX_KEPT_PER_NAME = 4;
const MAX_KEPT_PER_VAULT = 1_000;
const PURGE_EVERY_MS = 3_600_000;

/**
 * The previous values of secrets. They are never released, but a host may still return them, so they are masked like
 * current values.
 */
@Injectable()
export class PreviousValues implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger('vaults');
  readonly #purges = new Periodic(
    () => this.purge(),
    ({ message }) => this.#log.warn(`cannot remove old values of secrets, and will try again: ${message}`),
  );

  constructor(private readonly sql: Sql) {}

  onApplicationBootstrap(): void {
    this.#purges.start(PURGE_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#purges.stop();
  }

  /** Call this before changing the value or the hosts of the secret of this name. The secret may not exist yet. */
  async keepReplaced(
    session: SqlSession,
    vaultId: string,
    name: string,
    by: { readonly fingerprint: string; readonly hosts: readonly string[] },
  ): Promise<void> {
    await this.#keep(session, vaultId, name, 'and (fingerprint <> $3 or not hosts <@ $4)', [by.fingerprint, by.hosts]);
  }

  /** Call this before deleting the secret of this name. */
  async keepDeleted(session: SqlSession, vaultId: string, name: string): Promise<void> {
    await this.#keep(session, vaultId, name, '', []);
  }

  /** Removes values past their retention. */
  async purge(): Promise<void> {
    await this.sql.query(
      `delete from vault_secret_previous where replaced_at <= clock_timestamp() - ${PREVIOUS_VALUE_RETENTION}`,
    );
  }

  async #keep(
    session: SqlSession,
    vaultId: string,
    name: string,
    condition: string,
    params: readonly unknown[],
  ): Promise<void> {
    const kept = await session.query(
      `insert into vault_secret_previous as p (vault_id, name, fingerprint, hosts, sealed, replaced_at)
       select vault_id, name, fingerprint, hosts, sealed, clock_timestamp() from vault_secret
       where vault_id = $1 and name = $2 ${condition}
       on conflict (vault_id, name, fingerprint) do update set replaced_at = excluded.replaced_at,
         hosts = array(select distinct host from unnest(p.hosts || excluded.hosts) host)
       returning 1`,
      [vaultId, name, ...params],
    );
    if (kept.length === 0) return;
    await session.query(
      `delete from vault_secret_previous p using (
         select name, fingerprint, row_number() over (partition by name order by replaced_at desc) as of_name,
           row_number() over (order by replaced_at desc) as of_vault
         from vault_secret_previous where vault_id = $1
       ) k
       where p.vault_id = $1 and p.name = k.name and p.fingerprint = k.fingerprint
         and (k.of_name > $2 or k.of_vault > $3)`,
      [vaultId, MAX_KEPT_PER_NAME, MAX_KEPT_PER_VAULT],
    );
  }
}
