import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Sql } from '../database/sql.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { SecretBox } from '../secrets/secret-box.js';
import { REACHABLE_SECRETS } from './reachable-secrets.js';
import { bindingOf, SECRET_COLUMNS, type EffectiveSecret } from './vault-owner.js';

/** The result of requesting a secret: its value, or the reason for the refusal. */
export type Release = { readonly value: SecretValue } | { readonly refused: 'unknown' | 'not-bound' };

/**
 * The secrets that an intern receives: one secret for each name, from the first vault that has this name. Values are
 * released for one host at a time.
 */
@Injectable()
export class EffectiveSecrets {
  constructor(
    private readonly sql: Sql,
    private readonly box: SecretBox,
    private readonly audit: AuditTrail,
  ) {}

  /** The effective secrets, sorted by name. */
  async list(internId: string): Promise<readonly EffectiveSecret[]> {
    return this.sql.query<EffectiveSecret>(
      `select distinct on (s.name collate "C") ${SECRET_COLUMNS},
         (array['intern', 'attached', 'workspace'])[r.rank] as scope
       ${REACHABLE_SECRETS} order by s.name collate "C", r.rank`,
      [internId],
    );
  }

  /**
   * Returns the value of the intern's secret of this name if it is bound to the host. Only the first vault that has
   * this name is used. A secret of the same name in another vault is never used instead. The audit row is written
   * before the secret is opened.
   */
  async release(internId: string, name: string, host: string): Promise<Release> {
    const [row] = await this.sql.query<{
      vault_id: string;
      hosts: string[];
      sealed: Buffer;
      data_key_id: string;
      account_id: string;
    }>(
      `select s.vault_id, s.hosts, s.sealed, v.data_key_id, i.account_id ${REACHABLE_SECRETS} and s.name = $2
        order by r.rank limit 1`,
      [internId, name],
    );
    if (!row) return { refused: 'unknown' };
    if (!row.hosts.includes(host)) return { refused: 'not-bound' };
    await this.audit.record({
      by: 'service',
      action: 'use',
      kind: 'vault_secret',
      id: `${row.vault_id}/${name}`,
      accountId: row.account_id,
    });
    return { value: await this.box.open(row.data_key_id, bindingOf(row.vault_id, name), row.sealed) };
  }
}
