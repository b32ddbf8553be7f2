import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Sql } from '../database/sql.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { SecretBox } from '../secrets/secret-box.js';
import { bindingOf, SECRET_COLUMNS, type EffectiveSecret } from './vault-owner.js';

/** What became of asking for a secret: its value, or why not. */
export type Release = { readonly value: SecretValue } | { readonly refused: 'unknown' | 'not-bound' };

/** Every secret within reach of intern $1, with the precedence of its vault: its own, the one it borrowed, the workspace's. */
const REACHABLE = `from intern i
  join vault v on v.workspace_id = i.workspace_id and (v.intern_id = i.id or v.id = i.attached_vault_id or v.intern_id is null)
  join vault_secret s on s.vault_id = v.id
  cross join lateral (select case when v.intern_id = i.id then 1 when v.intern_id is not null then 2 else 3 end as rank) r
  where i.id = $1`;

/** What an intern receives: one secret per name, whichever vault comes first; and its value, for one host at a time. */
@Injectable()
export class EffectiveSecrets {
  constructor(
    private readonly sql: Sql,
    private readonly box: SecretBox,
    private readonly audit: AuditTrail,
  ) {}

  /** By name. */
  async list(internId: string): Promise<readonly EffectiveSecret[]> {
    return this.sql.query<EffectiveSecret>(
      `select distinct on (s.name collate "C") ${SECRET_COLUMNS}, (array['intern', 'attached', 'workspace'])[r.rank] as scope ${REACHABLE} order by s.name collate "C", r.rank`,
      [internId],
    );
  }

  /** Whether any secret that the intern receives is bound to this host. */
  async isBound(internId: string, host: string): Promise<boolean> {
    return (await this.list(internId)).some((secret) => secret.hosts.includes(host));
  }

  /**
   * The value of the secret that the intern receives under this name, if it is bound to the host. The name decides first: a host
   * that it is not bound to gets nothing, whatever another vault holds. The audit row is written before the secret is opened.
   */
  async release(internId: string, name: string, host: string): Promise<Release> {
    const [row] = await this.sql.query<{
      vault_id: string;
      hosts: string[];
      sealed: Buffer;
      data_key_id: string;
      account_id: string;
    }>(
      `select s.vault_id, s.hosts, s.sealed, v.data_key_id, i.account_id ${REACHABLE} and s.name = $2 order by r.rank limit 1`,
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
